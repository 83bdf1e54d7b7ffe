import fc from "fast-check";
import { differenceOf } from "../../src/ui/composer/ComposerEditor";

test("the one stretch in which two texts differ turns the first into the second, and is as short as can be seen", () => {
  const anyText = fc.string({ unit: fc.constantFrom("a", "b", "\n", "é", "日"), maxLength: 12 });
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      const change = differenceOf(before, after);
      if (change === undefined) {
        expect(before).toBe(after);
        return;
      }
      expect(before.slice(0, change.from) + change.insert + before.slice(change.to)).toBe(after);
      const removed = before.slice(change.from, change.to);
      const sameStart = removed !== "" && change.insert.startsWith(removed.charAt(0));
      const sameEnd = removed !== "" && change.insert.endsWith(removed.charAt(removed.length - 1));
      expect([sameStart, sameEnd]).toEqual([false, false]);
    }),
    { numRuns: 1000 },
  );
});

test("text that comes back above what was typed is one insertion at the start", () => {
  expect(differenceOf("typed", "question\n\ntyped")).toEqual({ from: 0, to: 0, insert: "question\n\n" });
});
