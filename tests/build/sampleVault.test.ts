/** The sample vault is what tests and `npm start` walk through: it must hold together, with two oddities on purpose. */
import path from "node:path";
import {
  findBoardFaults,
  findLinkFaults,
  hasClosedFrontMatter,
  linksOf,
  notesOf,
  readVaultFolder,
  type VaultFiles,
} from "../support/vaultLinks";

const files = readVaultFolder(path.resolve("workbench/sample-vault"));

/** A link to a note that was never written: every real vault has one. */
const LINK_TO_NOWHERE = { kind: "missing note", at: "Projects/Kitchen garden.md", target: "Compost thermometer" };
/** Two notes called Budget, and one link that does not say which. */
const LINK_TO_TWO_NOTES = {
  kind: "ambiguous",
  at: "Daily/2025-09-01.md",
  target: "Budget",
  candidates: ["Home/Budget.md", "Projects/Bakery website/Budget.md"],
};

describe("the sample vault holds together", () => {
  test("every link and embed finds its note, heading or block, but for the two that are odd on purpose", () => {
    expect(findLinkFaults(files)).toEqual([LINK_TO_TWO_NOTES, LINK_TO_NOWHERE]);
  });

  test("every board is valid: ids once, files that exist, edges between nodes", () => {
    const boards = [...files].filter(([name]) => name.endsWith(".canvas"));
    expect(boards.length).toBeGreaterThanOrEqual(1);
    expect(boards.flatMap(([, text]) => findBoardFaults(files, text))).toEqual([]);
  });

  test("every front matter is closed", () => {
    expect(notesOf(files).filter((name) => !hasClosedFrontMatter(files.get(name) ?? ""))).toEqual([]);
  });

  test("all names and texts are NFC, end in one line break and know only \\n", () => {
    const odd = [...files].filter(
      ([name, text]) =>
        name !== name.normalize("NFC") ||
        text !== text.normalize("NFC") ||
        text.includes("\r") ||
        !/[^\n]\n$/.test(text),
    );
    expect(odd.map(([name]) => name)).toEqual([]);
  });
});

describe("the sample vault has what the tests and a visitor look for", () => {
  test("at least forty notes, at least ninety links", () => {
    expect(notesOf(files).length).toBeGreaterThanOrEqual(40);
    expect(linksOf(files).length).toBeGreaterThanOrEqual(90);
  });

  test("a note of more than 30,000 characters, four more of 4,000, and some of under 300", () => {
    const lengths = notesOf(files).map((name) => (files.get(name) ?? "").length);
    expect(lengths.filter((length) => length > 30_000)).toHaveLength(1);
    expect(lengths.filter((length) => length > 4_000).length).toBeGreaterThanOrEqual(5);
    expect(lengths.filter((length) => length < 300).length).toBeGreaterThanOrEqual(3);
  });

  it.each`
    script        | note                                  | pattern                    | atLeastChars
    ${"Chinese"}  | ${"Tea/茶课笔记.md"}                  | ${/\p{Script=Han}/gu}      | ${300}
    ${"Japanese"} | ${"Travel/金沢メモ.md"}               | ${/\p{Script=Hiragana}/gu} | ${200}
    ${"Arabic"}   | ${"Recipes/شوربة العدس.md"}           | ${/\p{Script=Arabic}/gu}   | ${800}
    ${"Russian"}  | ${"Garden/Советы Вари по рассаде.md"} | ${/\p{Script=Cyrillic}/gu} | ${1000}
  `("a note in $script that other notes link to", ({ note, pattern, atLeastChars }: ScriptCase) => {
    expect((files.get(note) ?? "").match(pattern)?.length ?? 0).toBeGreaterThanOrEqual(atLeastChars);
    const name = path.posix.basename(note, ".md");
    const linking = linksOf(files).filter(({ target }) => target.split("#")[0] === name);
    expect(new Set(linking.map(({ at }) => at)).size).toBeGreaterThanOrEqual(2);
  });

  it.each`
    what                                     | pattern
    ${"a table"}                             | ${/^\| --- \|/m}
    ${"a task that is done"}                 | ${/^- \[x\] /m}
    ${"a task that is open"}                 | ${/^- \[ \] /m}
    ${"a callout"}                           | ${/^> \[!\w+\]/m}
    ${"a footnote"}                          | ${/^\[\^\w+\]: /m}
    ${"a displayed formula"}                 | ${/^\$\$$/m}
    ${"a mermaid diagram"}                   | ${/^```mermaid$/m}
    ${"TypeScript"}                          | ${/^```ts$/m}
    ${"Python"}                              | ${/^```python$/m}
    ${"SQL"}                                 | ${/^```sql$/m}
    ${"a tag in the text"}                   | ${/ #garden\/worms$/m}
    ${"a comment"}                           | ${/^%%.+%%$/m}
    ${"an embedded picture with a width"}    | ${/!\[\[garden-beds\.svg\|480\]\]/}
    ${"an embedded note"}                    | ${/^!\[\[Rain barrel\]\]$/m}
    ${"an embedded section"}                 | ${/^!\[\[Maintenance log#Due\]\]$/m}
    ${"an embedded block"}                   | ${/^!\[\[Maintenance log#\^main-tap\]\]$/m}
    ${"an embedded board"}                   | ${/^!\[\[Spring plan\.canvas\]\]$/m}
    ${"a link with an alias inside a table"} | ${/\[\[Ingrid Vale\\\|Ingrid\]\] \|/}
    ${"a Markdown link with escapes"}        | ${/\]\(\.\.\/Travel\/Walking%20the%20Saltway\.md\)/}
  `("$what somewhere", ({ pattern }: { pattern: RegExp }) => {
    expect(notesOf(files).some((name) => pattern.test(files.get(name) ?? ""))).toBe(true);
  });
});

interface ScriptCase {
  readonly note: string;
  readonly pattern: RegExp;
  readonly atLeastChars: number;
}

describe("the check itself sees what is broken", () => {
  const vault = (notes: Record<string, string>): VaultFiles => new Map(Object.entries(notes));

  it.each`
    text                 | kind                 | because
    ${"[[B]]"}           | ${undefined}         | ${"the note is there"}
    ${"[[b|alias]]"}     | ${undefined}         | ${"case and alias do not matter"}
    ${"[[X/B]]"}         | ${undefined}         | ${"the end of a path is enough"}
    ${"[[B#One: two]]"}  | ${undefined}         | ${"a colon in a heading is compared as a space"}
    ${"[[#Own]]\n# Own"} | ${undefined}         | ${"a link without a note means this note"}
    ${"[[B#^b1]]"}       | ${undefined}         | ${"the block is marked"}
    ${"`[[C]]`"}         | ${undefined}         | ${"code is not a link"}
    ${"[[C]]"}           | ${"missing note"}    | ${"no file has that name"}
    ${"![[pic.png]]"}    | ${"missing note"}    | ${"an embed is a link too"}
    ${"[c](C.md)"}       | ${"missing note"}    | ${"a Markdown link is a link too"}
    ${"[[Y/B]]"}         | ${"missing note"}    | ${"the folder is another one"}
    ${"[[B#Three]]"}     | ${"missing heading"} | ${"no heading has that name"}
    ${"[[B#Fenced]]"}    | ${"missing heading"} | ${"a comment in code is no heading"}
    ${"[[B#^b]]"}        | ${"missing block"}   | ${"half a block id is none"}
    ${"[[D]]"}           | ${"ambiguous"}       | ${"two folders hold that name"}
  `("$text → $kind: $because", ({ text, kind }: { text: string; kind: string | undefined }) => {
    const tiny = vault({
      "A.md": text,
      "X/B.md": "# One: two\n\nwords ^b1\n\n```sh\n# Fenced\n```\n",
      "X/D.md": "",
      "Z/D.md": "",
    });
    expect(findLinkFaults(tiny).map((fault) => fault.kind)).toEqual(kind === undefined ? [] : [kind]);
  });

  it.each`
    canvas                                                                          | faults                   | because
    ${'{"nodes":[{"id":"a","type":"text","text":"x"}],"edges":[]}'}                 | ${[]}                    | ${"nothing is wrong"}
    ${'{"nodes":[{"id":"a","type":"text","text":""}],"edges":[]}'}                  | ${["a: no text"]}        | ${"an empty card says nothing"}
    ${'{"nodes":[{"id":"a","type":"file","file":"no.md"}],"edges":[]}'}             | ${["a: no file"]}        | ${"the file does not exist"}
    ${'{"nodes":[],"edges":[{"id":"e","fromNode":"a","toNode":"b"}]}'}              | ${["e: no node"]}        | ${"the edge hangs in the air"}
    ${'{"nodes":[{"id":"a","type":"group"},{"id":"a","type":"group"}],"edges":[]}'} | ${["id a occurs twice"]} | ${"ids are unique"}
  `("$canvas → $faults: $because", ({ canvas, faults }: { canvas: string; faults: readonly string[] }) => {
    expect(findBoardFaults(vault({}), canvas)).toEqual(faults);
  });

  it.each`
    text                     | closed   | because
    ${"# No front matter\n"} | ${true}  | ${"there is none"}
    ${"---\na: 1\n---\nx"}   | ${true}  | ${"it ends"}
    ${"---\n---\nx"}         | ${true}  | ${"an empty one ends too"}
    ${"---\na: 1\nx"}        | ${false} | ${"it swallows the note"}
  `("front matter $text closed $closed: $because", ({ text, closed }: { text: string; closed: boolean }) => {
    expect(hasClosedFrontMatter(text)).toBe(closed);
  });
});
