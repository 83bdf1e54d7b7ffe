import fc from "fast-check";
import type { ContextArtifact } from "../../src/context/PromptContextTypes";
import { placeAttachments, type AttachedBefore } from "../../src/core/contextCarryForward";
import { anArtifact } from "../fixtures";

const note = (id: string, text = id): ContextArtifact => anArtifact(id, text, { hash: text });
const selection = (id: string): ContextArtifact => ({ ...note(id), kind: "selection" });
const picture = (id: string): ContextArtifact => ({ ...note(id), kind: "image" });
/** "A B:new" = A as it was, and B with another text. */
const question = (list: string): AttachedBefore[] =>
  list
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => ({ id: word.split(":")[0] ?? "", hash: word.split(":")[1] ?? word }));
const ids = (artifacts: readonly ContextArtifact[]) => artifacts.map(({ id }) => id).join(" ");

describe("what is attached stands in the library once it was there unchanged for two questions", () => {
  it.each`
    attached                       | earlier                    | library  | turn   | because
    ${[note("A")]}                 | ${[]}                      | ${""}    | ${"A"} | ${"it is new"}
    ${[note("A")]}                 | ${["A"]}                   | ${""}    | ${"A"} | ${"one question is not two"}
    ${[note("A")]}                 | ${["A", "A"]}              | ${"A"}   | ${""}  | ${"two questions had it as it is"}
    ${[note("A")]}                 | ${["A", "A", ""]}          | ${""}    | ${"A"} | ${"it was taken off in between"}
    ${[note("A")]}                 | ${["A", "", "A", "A"]}     | ${"A"}   | ${""}  | ${"it came back and stayed"}
    ${[note("A", "new")]}          | ${["A", "A"]}              | ${""}    | ${"A"} | ${"it has changed since"}
    ${[note("A", "new")]}          | ${["A", "A:new", "A:new"]} | ${""}    | ${"A"} | ${"what changed once may change again"}
    ${[note("B"), note("A")]}      | ${["A", "A B", "A B"]}     | ${"A B"} | ${""}  | ${"the order is that of coming in, not that of now"}
    ${[note("A"), note("B")]}      | ${["A", "A", "A B"]}       | ${"A"}   | ${"B"} | ${"each has its own time"}
    ${[note("B"), note("A")]}      | ${["A B", "A B"]}          | ${"B A"} | ${""}  | ${"those that came together keep the order given"}
    ${[selection("S"), note("A")]} | ${["S A", "S A"]}          | ${"A"}   | ${"S"} | ${"a selection belongs to its question"}
    ${[picture("P")]}              | ${["P", "P"]}              | ${""}    | ${"P"} | ${"so does a picture"}
  `("$earlier, then $attached.length attached: $because", ({ attached, earlier, library, turn }) => {
    const placed = placeAttachments(attached as ContextArtifact[], (earlier as string[]).map(question));
    expect([ids(placed.library), ids(placed.turn)]).toEqual([library, turn]);
  });

  it("takes one whose earlier text nobody knows for changed", () => {
    expect(placeAttachments([note("A")], [[{ id: "A" }], [{ id: "A" }]]).library).toEqual([]);
  });
});

describe("whatever was attached when", () => {
  const anyIds = fc.uniqueArray(fc.constantFrom("A", "B", "C", "D", "E"));
  const asQuestion = (list: readonly string[]) => question(list.join(" "));

  it("nothing is lost, and the library only grows at its end while nothing is taken off", () => {
    fc.assert(
      fc.property(
        fc.array(anyIds, { maxLength: 8 }),
        anyIds,
        fc.uniqueArray(fc.constantFrom("X", "Y")),
        (earlier, now, more) => {
          const questions = earlier.map(asQuestion);
          const before = placeAttachments(
            now.map((id) => note(id)),
            questions,
          );
          expect([...before.library, ...before.turn].map(({ id }) => id).sort()).toEqual([...now].sort());
          const after = placeAttachments(
            [...more, ...now].map((id) => note(id)),
            [...questions, asQuestion(now)],
          );
          expect(ids(after.library).startsWith(ids(before.library))).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
