import fc from "fast-check";
import { BLOCK_REGISTRY, blockTags } from "../../src/context/blockRegistry";
import type { ContextBlockKind, ContextImage } from "../../src/context/PromptContextTypes";
import { neutraliseClosingTags, renderBlock, renderBlocks, type BlockRole } from "../../src/context/renderer";
import { anArtifact } from "../fixtures";
import { artifacts, closingTags, contents } from "./arbitraries";

interface ImageCase {
  readonly role: BlockRole;
  readonly image?: ContextImage;
  readonly rendered: string;
}

describe("a block is the artifact's content between its tags", () => {
  it.each`
    kind               | more                                          | rendered                                                              | because
    ${"note"}          | ${{ title: "Plan", source: "Work/Plan.md" }}  | ${'<note title="Plan" source="Work/Plan.md">\ntext\n</note>'}         | ${"the model can cite the path"}
    ${"note"}          | ${{ title: "Plan.md", source: "Plan.md" }}    | ${'<note source="Plan.md">\ntext\n</note>'}                           | ${"a title that repeats the source is paid for twice"}
    ${"note"}          | ${{ title: "", source: "Plan.md" }}           | ${'<note source="Plan.md">\ntext\n</note>'}                           | ${"an empty title says nothing"}
    ${"selection"}     | ${{ title: "", source: "selection in P.md" }} | ${'<selection source="selection in P.md">\ntext\n</selection>'}       | ${"each kind has a tag of its own"}
    ${"prior_context"} | ${{ source: "P.md", originKind: "pdf" }}      | ${'<prior_context source="P.md" type="pdf">\ntext\n</prior_context>'} | ${"what it was is still said"}
    ${"listing"}       | ${{}}                                         | ${"text"}                                                             | ${"our own line needs no tags"}
  `("$kind $more: $because", ({ kind, more, rendered }: { kind: ContextBlockKind; more: object; rendered: string }) => {
    expect(renderBlock(anArtifact("id", "text", { kind, ...more }))).toBe(rendered);
  });

  it("what an earlier turn left is prior context, whether it was compacted or small enough to stay", () => {
    expect(renderBlock(anArtifact("P.md", "text"), "earlier")).toBe(
      '<prior_context source="P.md" type="note">\ntext\n</prior_context>',
    );
  });

  it.each`
    role         | image                                        | rendered
    ${"own"}     | ${undefined}                                 | ${"[image: a.png]"}
    ${"own"}     | ${{ mimeType: "image/png", base64: "AAAA" }} | ${'<image source="a.png">\n\n</image>'}
    ${"earlier"} | ${{ mimeType: "image/png", base64: "AAAA" }} | ${"[image: a.png]"}
  `("an image with picture $image as $role is $rendered", ({ role, image, rendered }: ImageCase) => {
    const artifact = anArtifact("a.png", "", { kind: "image", ...(image ? { image } : {}) });
    expect(renderBlock(artifact, role)).toBe(rendered);
  });

  it("blocks are parted by a blank line", () => {
    expect(renderBlocks([anArtifact("A", "a"), anArtifact("B", "b")])).toBe(
      '<note source="A">\na\n</note>\n\n<note source="B">\nb\n</note>',
    );
  });
});

describe("attributes", () => {
  it.each`
    value                     | attribute                 | because
    ${'say "hi"'}             | ${"say &quot;hi&quot;"}   | ${"a quote would end the attribute"}
    ${"a</note>b"}            | ${"a&lt;/note&gt;b"}      | ${"a name must not close the block"}
    ${"a\r\nb"}               | ${"a&#13;&#10;b"}         | ${"the opening tag stays one line"}
    ${"R&D (a) #1"}           | ${"R&D (a) #1"}           | ${"the model quotes paths as links, so they stay readable"}
    ${"a&quot;b"}             | ${"a&amp;quot;b"}         | ${"a name that looks like our escape is told from one"}
    ${"https://x?a=1&b=2,|]"} | ${"https://x?a=1&b=2,|]"} | ${"addresses stay as they are"}
  `("$value becomes $attribute: $because", ({ value, attribute }: { value: string; attribute: string }) => {
    const opening = renderBlock(anArtifact("x", "text", { title: "", source: value })).split("\n")[0];
    expect(opening).toBe(`<note source="${attribute}">`);
  });

  it("whatever the name, its opening tag is one line with one attribute, and the name can be read back", () => {
    const names = fc.oneof(fc.string({ unit: "binary" }), contents);
    fc.assert(
      fc.property(names, (source) => {
        const opening = renderBlock(anArtifact("x", "text", { title: "", source })).split("\ntext\n")[0] ?? "";
        const value = /^<note source="([^"<>\r\n]*)">$/.exec(opening)?.[1];
        expect(value).toBeDefined();
        expect(decoded(value ?? "")).toBe(source);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("no content closes its own block", () => {
  it.each`
    content                 | rendered                   | because
    ${"a </note> b"}        | ${"a <\\/note> b"}         | ${"it is our tag"}
    ${"</NOTE></ note\n>"}  | ${"<\\/NOTE><\\/ note\n>"} | ${"a model takes other spellings for the same tag"}
    ${"</selection>"}       | ${"<\\/selection>"}        | ${"another block's tag misleads as well"}
    ${"<note> </div> </n>"} | ${"<note> </div> </n>"}    | ${"everything else is the user's text"}
    ${"</notes> </note"}    | ${"</notes> </note"}       | ${"these are no tags of ours"}
  `("$content: $because", ({ content, rendered }: { content: string; rendered: string }) => {
    expect(renderBlock(anArtifact("x", content)).split("\n").slice(1, -1).join("\n")).toBe(rendered);
  });

  const kinds = Object.keys(BLOCK_REGISTRY).filter(isTagged);

  it("whatever a note holds, the only closing tag of ours is the block's own last line", () => {
    const hostile = fc.array(fc.oneof(contents, closingTags)).map((parts) => parts.join(""));
    fc.assert(
      fc.property(hostile, fc.constantFrom(...kinds), (content, kind) => {
        const rendered = renderBlock(anArtifact("x", content === "" ? " " : content, { kind }));
        const tags = rendered.match(ourClosingTag()) ?? [];
        expect(tags).toHaveLength(1);
        expect(rendered.endsWith(`\n${tags[0]}`)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("a closing tag of ours gets a backslash and nothing else is touched (naive oracle)", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(contents, closingTags)), (parts) => {
        const content = parts.join("");
        expect(neutraliseClosingTags(content)).toBe(neutralisedNaively(content));
      }),
      { numRuns: 1000 },
    );
  });

  it("is the identity on text without our closing tags", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          artifacts().map(({ content }) => content),
        ),
        (text) => {
          fc.pre(!ourClosingTag().test(text));
          expect(neutraliseClosingTags(text)).toBe(text);
        },
      ),
    );
  });
});

function isTagged(kind: string): kind is ContextBlockKind {
  return kind !== "listing";
}

function ourClosingTag(): RegExp {
  return new RegExp(`</\\s*(?:${blockTags().join("|")})\\s*>`, "gi");
}

function neutralisedNaively(content: string): string {
  const isOurTag = (afterSlash: string) =>
    blockTags().some((tag) => {
      const name = afterSlash.trimStart().toLowerCase();
      return name.startsWith(tag) && name.slice(tag.length).trimStart().startsWith(">");
    });
  return [...content.split("")]
    .map((unit, index) => (content.startsWith("</", index) && isOurTag(content.slice(index + 2)) ? "<\\" : unit))
    .join("");
}

function decoded(attribute: string): string {
  const entities: Readonly<Record<string, string>> = {
    amp: "&",
    quot: '"',
    lt: "<",
    gt: ">",
    "#10": "\n",
    "#13": "\r",
  };
  return attribute.replace(/&(amp|quot|lt|gt|#10|#13);/g, (_, name: string) => entities[name] ?? "");
}
