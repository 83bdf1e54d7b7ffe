import fc from "fast-check";
import { hashText } from "../../src/context/textHash";

it("is 14 hexadecimal digits, the same on every machine", () => {
  expect([hashText(""), hashText("a"), hashText("b")].every((hash) => /^[0-9a-f]{14}$/.test(hash))).toBe(true);
  expect(hashText("Vault")).toBe(hashText("Vault"));
});

it("where one text ends and the next begins matters", () => {
  expect(hashText("ab", "c")).not.toBe(hashText("a", "bc"));
  expect(hashText("ab")).not.toBe(hashText("ab", ""));
});

it("a hundred thousand texts that differ in little have as many hashes", () => {
  const texts = Array.from({ length: 100_000 }, (_, index) => `Notes/${index}.md`);
  expect(new Set(texts.map((text) => hashText(text))).size).toBe(texts.length);
});

it("different texts have different hashes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      expect(hashText(a) === hashText(b)).toBe(a === b);
    }),
    { numRuns: 2000 },
  );
});
