import { createArtifactCosts } from "../../src/context/artifactCosts";
import { earlierTokens, keepUnderCap, keepWhatFits } from "../../src/context/earlierContext";
import { anArtifact, aPlainMeter } from "../fixtures";

/** Pieces of 25 tokens each, least recently attached first: A, B, C … (four characters a token). */
const pieces = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const id = String.fromCharCode(65 + index);
    const wrapper = `<prior_context source="${id}" type="note">\n\n</prior_context>\n\n`;
    return anArtifact(id, "x".repeat(100 - wrapper.length));
  });
const idsOf = (kept: readonly { id: string }[]) => kept.map(({ id }) => id).join("");
const costs = () => createArtifactCosts(aPlainMeter());

it("the pieces of these tests cost 25 tokens", () => {
  expect(pieces(3).map((piece) => earlierTokens(piece, costs()))).toEqual([25, 25, 25]);
});

describe("earlier context stays under an eighth of the budget, leaving in batches down to half of that", () => {
  it.each`
    count | inputBudgetTokens | kept      | because
    ${4}  | ${800}            | ${"ABCD"} | ${"the cap itself (100) is allowed"}
    ${5}  | ${800}            | ${"CDE"}  | ${"one over: half a cap (two pieces) leaves, not one piece"}
    ${6}  | ${800}            | ${"CDEF"} | ${"so the cut does not move with the next piece"}
    ${7}  | ${800}            | ${"EFG"}  | ${"and then moves by a batch again"}
    ${5}  | ${792}            | ${"CDE"}  | ${"a batch ends at a whole piece"}
    ${3}  | ${0}              | ${""}     | ${"there is no room"}
    ${3}  | ${-9}             | ${""}     | ${"less than nothing is nothing"}
    ${0}  | ${800}            | ${""}     | ${"nothing is there"}
  `(
    "$count pieces of 25 in a budget of $inputBudgetTokens: $kept stay, because $because",
    ({ count, inputBudgetTokens, kept }: { count: number; inputBudgetTokens: number; kept: string }) => {
      expect(idsOf(keepUnderCap(pieces(count), inputBudgetTokens, costs()))).toBe(kept);
    },
  );

  it("one piece a turn: over 26 turns the cut moves 11 times, not 22", () => {
    const firsts = Array.from({ length: 26 }, (_, turn) =>
      idsOf(keepUnderCap(pieces(turn + 1), 800, costs())).charAt(0),
    );
    const moves = firsts.filter((first, turn) => turn > 0 && first !== firsts[turn - 1]);
    expect(moves).toHaveLength(11);
  });
});

describe("when all of the context is over, the least recently attached leaves first", () => {
  it.each`
    availableTokens | kept     | because
    ${75}           | ${"ABC"} | ${"the limit itself is allowed"}
    ${74}           | ${"BC"}  | ${"the oldest leaves, whole"}
    ${25}           | ${"C"}   | ${"the newest stays longest"}
    ${24}           | ${""}    | ${"a piece is never cut here"}
    ${-50}          | ${""}    | ${"what is attached now is already over"}
  `("$availableTokens tokens: $because", ({ availableTokens, kept }: { availableTokens: number; kept: string }) => {
    expect(idsOf(keepWhatFits(pieces(3), availableTokens, costs()))).toBe(kept);
  });
});
