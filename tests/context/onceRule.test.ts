import fc from "fast-check";
import type { PlannedContext } from "../../src/context/onceRule";
import { withoutRepeats, wholesOf } from "../../src/context/onceRule";
import { renderBlock } from "../../src/context/renderer";
import { anArtifact } from "../fixtures";
import { artifacts } from "./arbitraries";

const nothing: PlannedContext = { project: [], library: [], earlier: [], turn: [] };
const note = (id: string, content = "text") => anArtifact(id, content);
const source = (id: string, content = "text") => anArtifact(id, content, { kind: "project_source" });
const preview = { ...source("A.md"), content: "te", shortenedFromTokens: 900 };
const selection = anArtifact("selection:1", "text", { kind: "selection", source: "A.md" });

/** "library A.md", or "turn A.md → A.md" for a reference. */
const shown = (context: Partial<PlannedContext>) =>
  withoutRepeats({ ...nothing, ...context }).pieces.map(({ artifact, from, reference, partOf }) =>
    [from, artifact.id, ...(reference === undefined ? [] : ["→", partOf ?? "L1"])].join(" "),
  );

describe("an artifact's text is in a request once", () => {
  it.each`
    context                                                              | pieces                                                     | because
    ${{ turn: [note("A.md"), note("B.md")] }}                            | ${["turn A.md", "turn B.md"]}                              | ${"different things both stay"}
    ${{ turn: [note("A.md"), note("A.md")] }}                            | ${["turn A.md"]}                                           | ${"the same note twice is there once"}
    ${{ library: [note("A.md")], turn: [note("A.md")] }}                 | ${["library A.md"]}                                        | ${"it keeps its lasting place"}
    ${{ library: [note("A.md", "old")], turn: [note("A.md", "new")] }}   | ${["turn A.md"]}                                           | ${"what is attached now is newer"}
    ${{ project: [source("A.md")], turn: [note("A.md")] }}               | ${["turn A.md → L1"]}                                      | ${"it is in L1 in full"}
    ${{ project: [source("A.md")], library: [note("A.md")] }}            | ${["library A.md → L1"]}                                   | ${"it is in L1 in full"}
    ${{ project: [source("A.md", "old")], turn: [note("A.md", "new")] }} | ${["turn A.md"]}                                           | ${"the project holds another text"}
    ${{ project: [preview], turn: [note("A.md")] }}                      | ${["turn A.md"]}                                           | ${"a preview is not the text"}
    ${{ project: [preview], turn: [note("A.md#Goals")] }}                | ${["turn A.md#Goals"]}                                     | ${"a preview does not hold the part either"}
    ${{ turn: [note("A.md"), note("A.md#Goals")] }}                      | ${["turn A.md", "turn A.md#Goals → A.md"]}                 | ${"a section is in its note"}
    ${{ turn: [note("A.md^block"), note("A.md")] }}                      | ${["turn A.md^block → A.md", "turn A.md"]}                 | ${"so is a block, whatever the order"}
    ${{ library: [note("A.md")], turn: [note("A.md#Goals")] }}           | ${["library A.md", "turn A.md#Goals → A.md"]}              | ${"the library is in the request too"}
    ${{ project: [source("A.md")], turn: [note("A.md#Goals")] }}         | ${["turn A.md#Goals → L1"]}                                | ${"so is the project"}
    ${{ turn: [note("A.md#Goals"), note("A.md#Goals#Sub")] }}            | ${["turn A.md#Goals", "turn A.md#Goals#Sub → A.md#Goals"]} | ${"a section holds its own sections"}
    ${{ turn: [note("A.md"), note("A.mdx")] }}                           | ${["turn A.md", "turn A.mdx"]}                             | ${"a longer name is no part"}
    ${{ turn: [note("A.md"), selection] }}                               | ${["turn A.md", "turn selection:1"]}                       | ${"a selection is what the user points at"}
    ${{ turn: [note("A.md"), { ...selection, id: "A.md^here" }] }}       | ${["turn A.md", "turn A.md^here"]}                         | ${"whatever its id"}
  `("$because", ({ context, pieces }: { context: Partial<PlannedContext>; pieces: string[] }) => {
    expect(shown(context)).toEqual(pieces);
  });

  it.each`
    context                                                       | earlier             | because
    ${{ earlier: [note("A.md"), note("B.md")] }}                  | ${["A.md", "B.md"]} | ${"nothing repeats it"}
    ${{ earlier: [note("A.md")], turn: [note("A.md", "new")] }}   | ${[]}               | ${"it is attached again"}
    ${{ earlier: [note("A.md#Goals")], library: [note("A.md")] }} | ${[]}               | ${"its note is there"}
    ${{ earlier: [note("A.md")], project: [source("A.md")] }}     | ${[]}               | ${"the project holds it"}
    ${{ earlier: [note("A.md")], project: [preview] }}            | ${["A.md"]}         | ${"a preview is not the text"}
    ${{ earlier: [note("A.md"), note("B.md"), note("A.md")] }}    | ${["B.md", "A.md"]} | ${"the most recent one stays"}
    ${{ earlier: [selection], turn: [note("A.md")] }}             | ${["selection:1"]}  | ${"a selection keeps its own text"}
  `("earlier context: $because", ({ context, earlier }: { context: Partial<PlannedContext>; earlier: string[] }) => {
    const once = withoutRepeats({ ...nothing, ...context });
    expect(once.earlier.map(({ id }) => id)).toEqual(earlier);
    expect(once.earlier.length + once.repeatedEarlier.length).toBe(context.earlier?.length);
  });

  it("a reference names what it stands for and where that is", () => {
    const { pieces } = withoutRepeats({ ...nothing, turn: [note("A.md"), note("A.md#Goals")] });
    expect(pieces[1]?.reference && renderBlock(pieces[1].reference)).toBe(
      '<note source="A.md#Goals">\n[part of A.md, which is here in full]\n</note>',
    );
  });

  it("whatever is attached, each id is there once and nothing is lost", () => {
    const some = fc.array(artifacts(), { maxLength: 8 });
    fc.assert(
      fc.property(some, some, some, some, (project, library, earlier, turn) => {
        const once = withoutRepeats({ project, library, earlier, turn });
        const ids = once.pieces.map(({ artifact }) => artifact.id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(new Set(ids)).toEqual(new Set([...library, ...turn].map(({ id }) => id)));
        once.pieces.forEach(({ partOf }) => expect(partOf === undefined || ids.includes(partOf)).toBe(true));
        expect(once.earlier.some(({ id }) => ids.includes(id))).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });
});

it.each`
  id                  | wholes
  ${"A.md"}           | ${[]}
  ${"A.md#H"}         | ${["A.md"]}
  ${"A.md#H^b"}       | ${["A.md", "A.md#H"]}
  ${"#tag"}           | ${[]}
  ${"https://x/#a#b"} | ${["https://x/", "https://x/#a"]}
`("$id may be a part of $wholes", ({ id, wholes }: { id: string; wholes: string[] }) => {
  expect(wholesOf(id)).toEqual(wholes);
});
