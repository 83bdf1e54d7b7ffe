/**
 * What the workbench knows of notes: their parts, their links, and which note a link means.
 * @jest-environment jsdom
 * @jest-environment-options {"customExportConditions": ["node", "node-addons"]}
 */
import "obsidian-test-mocks/jest-setup";
import type { CachedMetadata, TFile } from "obsidian";
import { LinkIndex } from "../../workbench/src/vault/LinkIndex";
import { parseNote } from "../../workbench/src/vault/noteParser";
import { getAllTags, resolveSubpath, sectionOf } from "../../workbench/src/vault/noteSections";

const linesOf = (...lines: string[]): string => lines.join("\n");

describe("links, embeds and tags", () => {
  it.each`
    text                                        | links               | embeds                   | tags                                | because
    ${"See [[A]] and [[B|the b]]."}             | ${["A", "B"]}       | ${[]}                    | ${[]}                               | ${"two links, one with a name of its own"}
    ${"![[A#Part]] and ![[pic.png|200]]"}       | ${[]}               | ${["A#Part", "pic.png"]} | ${[]}                               | ${"embeds are no links"}
    ${"[x](Some%20note.md) [y](https://x.org)"} | ${["Some note.md"]} | ${[]}                    | ${[]}                               | ${"Markdown links count when they stay in the vault"}
    ${"`[[A]]` and `#no`, #yes"}                | ${[]}               | ${[]}                    | ${["#yes"]}                         | ${"code is no text"}
    ${"#тег #标签 #a/b #1a #123"}               | ${[]}               | ${[]}                    | ${["#тег", "#标签", "#a/b", "#1a"]} | ${"any script; not a number alone"}
    ${"word#no (#no) #yes"}                     | ${[]}               | ${[]}                    | ${["#yes"]}                         | ${"a tag begins a word"}
    ${"```\n[[A]] #no\n```\n[[B]]"}             | ${["B"]}            | ${[]}                    | ${[]}                               | ${"nothing in a fence counts"}
    ${"~~~\n```\n[[A]]\n~~~\n[[B]]"}            | ${["B"]}            | ${[]}                    | ${[]}                               | ${"a fence ends with its own kind"}
    ${"[[R&D (a) 100%]]"}                       | ${["R&D (a) 100%"]} | ${[]}                    | ${[]}                               | ${"names are taken as they are"}
  `(
    "$text: $because",
    ({ text, links, embeds, tags }: { text: string; links: string[]; embeds: string[]; tags: string[] }) => {
      const cache = parseNote(text);
      expect((cache.links ?? []).map(({ link }) => link)).toEqual(links);
      expect((cache.embeds ?? []).map(({ link }) => link)).toEqual(embeds);
      expect((cache.tags ?? []).map(({ tag }) => tag)).toEqual(tags);
      for (const { original, position } of [...(cache.links ?? []), ...(cache.embeds ?? [])]) {
        expect(text.slice(position.start.offset, position.end.offset)).toBe(original);
      }
    },
  );
});

describe("front matter", () => {
  it.each`
    text                                 | frontmatter             | tags                  | because
    ${"---\ntags: [a, b]\n---\n#c"}      | ${{ tags: ["a", "b"] }} | ${["#a", "#b", "#c"]} | ${"a list, and one in the text"}
    ${"---\ntags: a, b\n---\n"}          | ${{ tags: "a, b" }}     | ${["#a", "#b"]}       | ${"words in one line"}
    ${"---\ntags: [unclosed\n---\ntext"} | ${undefined}            | ${null}               | ${"what is no YAML is no front matter, and nothing breaks"}
    ${"text\n---\ntags: a\n---"}         | ${undefined}            | ${null}               | ${"only at the very beginning"}
    ${"---\n---\ntext"}                  | ${undefined}            | ${null}               | ${"empty"}
  `("$text: $because", ({ text, frontmatter, tags }: { text: string; frontmatter: unknown; tags: string[] | null }) => {
    const cache = parseNote(text);
    expect(cache.frontmatter).toEqual(frontmatter);
    expect(getAllTags(cache)).toEqual(tags);
  });

  test("links in properties are known by their property", () => {
    const { frontmatterLinks } = parseNote('---\nup: "[[Home|start]]"\nwith: ["[[Ada]]", plain]\n---\n');
    expect(frontmatterLinks).toMatchObject([
      { key: "up", link: "Home", displayText: "start" },
      { key: "with.0", link: "Ada" },
    ]);
  });
});

describe("structure", () => {
  const note = linesOf(
    "# One",
    "",
    "text",
    "- a",
    "  - b ^id1",
    "- [x] c",
    "",
    "> quote",
    "",
    "> [!tip] look",
    "> here",
    "",
    "| a |",
    "|---|",
    "",
    "---",
    "```js",
    "x",
    "```",
  );

  test("sections follow each other as they stand", () => {
    const sections = parseNote(note).sections ?? [];
    expect(sections.map(({ type }) => type)).toEqual([
      "heading",
      "paragraph",
      "list",
      "blockquote",
      "callout",
      "table",
      "thematicBreak",
      "code",
    ]);
    expect(sections.map(({ position }) => [position.start.line, position.end.line])).toEqual([
      [0, 0],
      [2, 2],
      [3, 5],
      [7, 7],
      [9, 10],
      [12, 13],
      [15, 15],
      [16, 18],
    ]);
  });

  test("list items know their parent, their task, their block", () => {
    const { listItems = [], blocks } = parseNote(note);
    expect(listItems.map(({ parent, task, id }) => ({ parent, task, id }))).toEqual([
      { parent: -3, task: undefined, id: undefined },
      { parent: 3, task: undefined, id: "id1" },
      { parent: -3, task: "x", id: undefined },
    ]);
    expect(blocks?.id1?.position.start.line).toBe(4);
  });

  test("a long flat list takes no longer than its length", () => {
    const text = "- item [[A]]\n".repeat(100_000);
    const startedAt = performance.now();
    expect(parseNote(text).listItems).toHaveLength(100_000);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

describe("parts of a note", () => {
  const text = linesOf(
    "# A",
    "a",
    "## B",
    "b",
    "### C",
    "c",
    "## B2 *bold*",
    "b2",
    "# A2",
    "a2",
    "",
    "a paragraph ^para",
  );
  const cache: CachedMetadata = parseNote(text);

  it.each`
    subpath       | part                                               | because
    ${"#B"}       | ${"## B\nb\n### C\nc\n"}                           | ${"up to the next heading of its level"}
    ${"#A"}       | ${"# A\na\n## B\nb\n### C\nc\n## B2 *bold*\nb2\n"} | ${"with all below it"}
    ${"#A#B#C"}   | ${"### C\nc\n"}                                    | ${"a path of headings"}
    ${"#a2"}      | ${"# A2\na2\n\na paragraph ^para"}                 | ${"to the end; case does not matter"}
    ${"#^para"}   | ${"a paragraph ^para"}                             | ${"a block by its id"}
    ${"#Nowhere"} | ${text}                                            | ${"the whole note where there is no such part"}
    ${"#A2#B"}    | ${text}                                            | ${"B is not under A2"}
    ${"#B#A2"}    | ${text}                                            | ${"A2 stands above B"}
  `("$subpath: $because", ({ subpath, part }: { subpath: string; part: string }) => {
    expect(sectionOf(text, cache, subpath)).toBe(part);
    expect(resolveSubpath(cache, subpath) === null).toBe(part === text);
  });
});

describe("which note a link means", () => {
  const file = (path: string): TFile => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const dot = name.lastIndexOf(".");
    return { path, name, basename: name.slice(0, dot), extension: name.slice(dot + 1) } as TFile;
  };
  const files = [
    "Plan.md",
    "Work/Plan.md",
    "Work/Deep/Plan.md",
    "Work/Only.md",
    "pic.png",
    "Home/Note.v2.md",
    "Home/Größe.md",
  ].map(file);
  const index = new LinkIndex(() => files);

  it.each`
    link             | source              | path                   | because
    ${"Only"}        | ${"Plan.md"}        | ${"Work/Only.md"}      | ${"there is one of that name"}
    ${"Only.md"}     | ${"Plan.md"}        | ${"Work/Only.md"}      | ${"the extension may be written"}
    ${"only"}        | ${"Plan.md"}        | ${"Work/Only.md"}      | ${"case does not matter"}
    ${"Plan"}        | ${"Work/Only.md"}   | ${"Plan.md"}           | ${"a path from the root is exact"}
    ${"Deep/Plan"}   | ${"Plan.md"}        | ${"Work/Deep/Plan.md"} | ${"part of a path"}
    ${"./Plan"}      | ${"Work/Only.md"}   | ${"Work/Plan.md"}      | ${"relative to the note"}
    ${"../Plan"}     | ${"Work/Deep/X.md"} | ${"Work/Plan.md"}      | ${"one up"}
    ${"/Plan"}       | ${"Work/Only.md"}   | ${"Plan.md"}           | ${"from the root"}
    ${"pic.png"}     | ${"Plan.md"}        | ${"pic.png"}           | ${"attachments by their whole name"}
    ${"pic"}         | ${"Plan.md"}        | ${undefined}           | ${"and only by it"}
    ${"Note.v2"}     | ${"Plan.md"}        | ${"Home/Note.v2.md"}   | ${"a dot in a name"}
    ${"Gro\u0308ße"} | ${"Plan.md"}        | ${"Home/Größe.md"}     | ${"composed and decomposed letters are the same"}
    ${"Nowhere"}     | ${"Plan.md"}        | ${undefined}           | ${"there is none"}
    ${""}            | ${"Plan.md"}        | ${undefined}           | ${"nothing means nothing"}
  `(
    "[[$link]] in $source → $path: $because",
    ({ link, source, path }: { link: string; source: string; path?: string }) => {
      expect(index.resolve(link, source)?.path).toBe(path);
    },
  );
});
