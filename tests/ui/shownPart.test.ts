import fc from "fast-check";
import { shownPart } from "../../src/ui/messages/shownPart";

describe("a very long answer is shown in steps", () => {
  it.each`
    what                                    | source                      | steps | blocks | hidden       | because
    ${"an ordinary answer"}                 | ${"a\n\nb"}                 | ${1}  | ${2}   | ${0}         | ${"it is shown whole"}
    ${"500 paragraphs"}                     | ${"a\n\n".repeat(500)}      | ${1}  | ${500} | ${0}         | ${"the most blocks of one step"}
    ${"501 paragraphs"}                     | ${"a\n\n".repeat(501)}      | ${1}  | ${500} | ${3}         | ${"one block more"}
    ${"501 paragraphs, after one click"}    | ${"a\n\n".repeat(501)}      | ${2}  | ${501} | ${0}         | ${"the reader asked for more"}
    ${"a block of five million characters"} | ${"x".repeat(5_000_000)}    | ${1}  | ${1}   | ${4_900_000} | ${"it is cut where a step ends"}
    ${"lines without empty ones"}           | ${"lines\n".repeat(50_000)} | ${1}  | ${1}   | ${200_004}   | ${"it is cut after a line"}
  `(
    "$what → $blocks blocks, $hidden hidden: $because",
    ({ source, steps, blocks, hidden }: { source: string; steps: number; blocks: number; hidden: number }) => {
      const part = shownPart(source, [], steps);
      expect([part.blocks.length, part.hiddenChars]).toEqual([blocks, hidden]);
      expect(source.startsWith(part.blocks.join(""))).toBe(true);
    },
  );

  test("no character is cut in half", () => {
    fc.assert(
      fc.property(fc.nat(3), (shift) => {
        const { blocks } = shownPart("a".repeat(shift) + "😀".repeat(60_000), [], 1);
        expect(/[\uD800-\uDBFF]$/.test(blocks[0] ?? "")).toBe(false);
      }),
      { numRuns: 8 },
    );
  });

  test("while it grows past the first step, what is shown stays as it is", () => {
    const source = "Some words of a paragraph.\n\n".repeat(2000);
    const early = shownPart(source.slice(0, 30_000), [], 1);
    const late = shownPart(source, early.blocks, 1);
    expect(late.blocks.slice(0, 500)).toEqual(early.blocks.slice(0, 500));
    expect(late.blocks).toEqual(shownPart(`${source}and more`, late.blocks, 1).blocks);
  });
});
