import fc from "fast-check";
import { headOf, tailOf } from "../../src/context/textCut";
import { contents } from "./arbitraries";

describe("a text is cut on code points, at a word's end where one is near", () => {
  it.each`
    text                               | maxChars | head                         | because
    ${"short"}                         | ${5}     | ${"short"}                   | ${"the limit itself is allowed"}
    ${"abc"}                           | ${0}     | ${""}                        | ${"nothing may be kept"}
    ${"abc"}                           | ${-1}    | ${""}                        | ${"less than nothing is nothing"}
    ${"ab😀cd"}                        | ${3}     | ${"ab"}                      | ${"half of a pair is no text"}
    ${"ab😀cd"}                        | ${4}     | ${"ab😀"}                    | ${"the pair fits"}
    ${"one two three four five sixty"} | ${25}    | ${"one two three four five"} | ${"the word would be cut two letters in"}
    ${"one two three four five sixty"} | ${8}     | ${"one two "}                | ${"it is a word's end already"}
    ${"word " + "x".repeat(100)}       | ${50}    | ${"word " + "x".repeat(45)}  | ${"the last space is too far back"}
    ${"\ud83d\ud83dab"}                | ${1}     | ${"\ud83d"}                  | ${"two lone halves are no pair to keep together"}
  `(
    "headOf($text, $maxChars): $because",
    ({ text, maxChars, head }: { text: string; maxChars: number; head: string }) => {
      expect(headOf(text, maxChars)).toBe(head);
    },
  );

  it.each`
    text                               | maxChars | tail                         | because
    ${"short"}                         | ${5}     | ${"short"}                   | ${"the limit itself is allowed"}
    ${"abc"}                           | ${0}     | ${""}                        | ${"nothing may be kept"}
    ${"ab😀cd"}                        | ${3}     | ${"cd"}                      | ${"half of a pair is no text"}
    ${"sixty one two three four five"} | ${25}    | ${"one two three four five"} | ${"the word would be cut after three letters"}
  `(
    "tailOf($text, $maxChars): $because",
    ({ text, maxChars, tail }: { text: string; maxChars: number; tail: string }) => {
      expect(tailOf(text, maxChars)).toBe(tail);
    },
  );

  const positions = fc.integer({ min: 0, max: 400 });

  it("whatever the text, a head is a prefix and a tail a suffix within the limit, and more room never gives less", () => {
    fc.assert(
      fc.property(contents, positions, positions, (text, a, b) => {
        const [small, large] = [Math.min(a, b), Math.max(a, b)];
        expect(text.startsWith(headOf(text, small))).toBe(true);
        expect(text.endsWith(tailOf(text, small))).toBe(true);
        expect(headOf(text, small).length).toBeLessThanOrEqual(small);
        expect(tailOf(text, small).length).toBeLessThanOrEqual(small);
        expect(headOf(text, large).length).toBeGreaterThanOrEqual(headOf(text, small).length);
        expect(tailOf(text, large).length).toBeGreaterThanOrEqual(tailOf(text, small).length);
      }),
      { numRuns: 2000 },
    );
  });

  it("a well-formed text stays well-formed, and at least seven eighths of the room is used, but for one half of a pair", () => {
    const wellFormed = fc.string({ unit: "binary", maxLength: 400 });
    fc.assert(
      fc.property(wellFormed, positions, (text, maxChars) => {
        expect(isWellFormed(headOf(text, maxChars))).toBe(true);
        expect(isWellFormed(tailOf(text, maxChars))).toBe(true);
        const usableChars = Math.min(text.length, maxChars);
        expect(headOf(text, maxChars).length).toBeGreaterThanOrEqual(Math.floor(usableChars * 0.875) - 1);
        expect(tailOf(text, maxChars).length).toBeGreaterThanOrEqual(Math.floor(usableChars * 0.875) - 1);
      }),
      { numRuns: 2000 },
    );
  });
});

function isWellFormed(text: string): boolean {
  return [...text].every((character) => !/^[\ud800-\udfff]$/.test(character));
}
