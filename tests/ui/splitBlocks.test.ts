import fc from "fast-check";
import { continueBlocks, needsWholeRendering, splitBlocks } from "../../src/ui/messages/splitBlocks";

describe("where an answer is cut into blocks", () => {
  it.each`
    source                                      | blocks                                            | because
    ${""}                                       | ${[]}                                             | ${"nothing has no blocks"}
    ${"one\ntwo"}                               | ${["one\ntwo"]}                                   | ${"a paragraph is one block"}
    ${"one\n\ntwo"}                             | ${["one\n\n", "two"]}                             | ${"an empty line ends it, and stays with it"}
    ${"one\n\n"}                                | ${["one\n\n"]}                                    | ${"nothing follows yet"}
    ${"one\n\n\n\ntwo"}                         | ${["one\n\n\n\n", "two"]}                         | ${"more empty lines are no more blocks"}
    ${"one\r\n\r\ntwo"}                         | ${["one\r\n\r\n", "two"]}                         | ${"line ends of Windows"}
    ${"```\na\n\nb\n```\n\nend"}                | ${["```\na\n\nb\n```\n\n", "end"]}                | ${"code keeps its empty lines"}
    ${"```js\na\n\nb"}                          | ${["```js\na\n\nb"]}                              | ${"the fence is still open"}
    ${"````\n```\n\n```\n````\n\nend"}          | ${["````\n```\n\n```\n````\n\n", "end"]}          | ${"a shorter run does not close a fence"}
    ${"~~~\n```\n\n~~~\n\nend"}                 | ${["~~~\n```\n\n~~~\n\n", "end"]}                 | ${"another sign does not close a fence"}
    ${"``` a `b` ```\n\nend"}                   | ${["``` a `b` ```\n\n", "end"]}                   | ${"code within a line is no fence"}
    ${"- a\n\n- b\n\nend"}                      | ${["- a\n\n- b\n\n", "end"]}                      | ${"items with empty lines between are one list"}
    ${"1. a\n\n   more\n\n2. b"}                | ${["1. a\n\n   more\n\n2. b"]}                    | ${"numbers and indented text go on with the list"}
    ${"- a\n\n  ```\n  x\n\n  y\n  ```\n\nend"} | ${["- a\n\n  ```\n  x\n\n  y\n  ```\n\n", "end"]} | ${"a fence inside a list"}
    ${"a\n\n    code"}                          | ${["a\n\n    code"]}                              | ${"indented text never begins a block"}
    ${"$$\na\n\nb\n$$\n\nend"}                  | ${["$$\na\n\nb\n$$\n\n", "end"]}                  | ${"display mathematics"}
    ${"%%\na\n\nb\n%%\n\nend"}                  | ${["%%\na\n\nb\n%%\n\n", "end"]}                  | ${"an Obsidian comment"}
    ${"# A\n\n# B\n\n> q"}                      | ${["# A\n\n", "# B\n\n", "> q"]}                  | ${"headings and quotes"}
  `("$source → $blocks.length blocks: $because", ({ source, blocks }: { source: string; blocks: string[] }) => {
    expect(splitBlocks(source)).toEqual(blocks);
  });

  const anyAnswer = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          "\n",
          "\n\n",
          "```",
          "~~~",
          "````",
          "- ",
          "1. ",
          "  ",
          "    ",
          "$$",
          "%%",
          "> ",
          "# ",
          "\r\n",
          "`",
          "|",
        ),
        fc.string({ unit: "binary", maxLength: 6 }),
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(""));

  test("joining the blocks gives back the source, and no block is empty", () => {
    fc.assert(
      fc.property(anyAnswer, (source) => {
        const blocks = splitBlocks(source);
        expect(blocks.join("")).toBe(source);
        expect(blocks).not.toContain("");
      }),
      { numRuns: 1000 },
    );
  });

  test("more text never moves an earlier cut, and continuing is the same as beginning anew", () => {
    fc.assert(
      fc.property(anyAnswer, fc.nat(), (source, at) => {
        const early = splitBlocks(source.slice(0, at % (source.length + 1)));
        const all = splitBlocks(source);
        expect(all.slice(0, Math.max(0, early.length - 1))).toEqual(early.slice(0, -1));
        expect(continueBlocks(early, source)).toEqual(all);
      }),
      { numRuns: 1000 },
    );
  });

  test("blocks of another text are not taken over", () => {
    expect(continueBlocks(["a\n\n", "b"], "other\n\ntext")).toEqual(["other\n\n", "text"]);
    expect(continueBlocks(["a", "a"], "aab")).toEqual(["a", "ab"]);
  });

  test("an answer of 5 MB that arrives in pieces is split in well under a second", () => {
    const paragraph = "Some words that make up a paragraph of ordinary length, as answers have them.\n\n";
    const source = paragraph.repeat(Math.ceil(5_000_000 / paragraph.length));
    const startedAt = performance.now();
    let blocks: readonly string[] = [];
    for (let end = 0; end <= source.length; end += 100_000) blocks = continueBlocks(blocks, source.slice(0, end));
    expect(blocks.length).toBeGreaterThan(60_000);
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});

describe("answers that are rendered as a whole at their end", () => {
  it.each`
    source                             | whole    | because
    ${"text\n\n[1]: https://x.org"}    | ${true}  | ${"a link is defined apart from its use"}
    ${"text[^1]\n\n[^1]: note"}        | ${true}  | ${"so is a footnote"}
    ${"<details>\n\ntext\n</details>"} | ${true}  | ${"its tags enclose other blocks"}
    ${"[link](https://x.org): yes"}    | ${false} | ${"an ordinary link"}
    ${"a < b"}                         | ${false} | ${"no tag"}
  `("$source → $whole: $because", ({ source, whole }: { source: string; whole: boolean }) => {
    expect(needsWholeRendering(source)).toBe(whole);
  });
});
