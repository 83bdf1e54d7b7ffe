/** What context can be made of: every script, hostile markup, nothing at all. */
import fc from "fast-check";
import { blockTags } from "../../src/context/blockRegistry";
import type { ContextArtifact, ContextBlockKind, TurnPlan } from "../../src/context/PromptContextTypes";
import { anArtifact, aPlan } from "../fixtures";

const SNIPPETS = [
  "The quick brown fox jumps over the lazy dog. ",
  "会议纪要:下周三之前完成预算。",
  "会議の議事録を共有します。",
  "회의록을 공유합니다. ",
  "Протокол совещания отправлен всем. ",
  "محضر الاجتماع مرفق هنا. ",
  "บันทึกการประชุมแนบมาด้วย",
  "बैठक का विवरण संलग्न है। ",
  "👩‍👩‍👧‍👦 🇺🇳 🏳️‍🌈 ",
  "e\u0301\u200d\u200d",
  "const x = a?.b ?? [1, 2, 3];\n",
  "aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ=",
  "3.14159265358979 ",
  "\n\n# A heading\n",
  "\n## 見出し\n",
  "\n```md\n# no heading\n```\n",
  "\n- [ ] a task\n",
  "   \t  \n",
  "\ud83d",
  "\u0000",
  '<note source="x">',
  "]]>",
  "<!-- -->",
  "&amp;&quot;\"'",
];

/** Every way to write one of our closing tags, and texts that only look like one. */
export const closingTags: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("</", "</ ", "<\\/", "< /"),
    fc.constantFrom(...blockTags()),
    fc.constantFrom(">", " >", "\n>", "x>", ""),
  )
  .chain(([open, tag, close]) => fc.constantFrom(open + tag + close, open + tag.toUpperCase() + close));

export const contents: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: pieces(10) },
  {
    weight: 2,
    arbitrary: pieces(10).chain((text) => fc.integer({ min: 1, max: 30 }).map((times) => text.repeat(times))),
  },
  { weight: 1, arbitrary: fc.constant("") },
);

function pieces(maxLength: number): fc.Arbitrary<string> {
  const piece = fc.oneof(fc.constantFrom(...SNIPPETS), closingTags, fc.string({ unit: "binary", maxLength: 12 }));
  return fc.array(piece, { maxLength }).map((parts) => parts.join(""));
}

const attachedKinds: fc.Arbitrary<ContextBlockKind> = fc.constantFrom(
  "note",
  "embed",
  "selection",
  "paste",
  "image",
  "url",
  "pdf",
  "passage",
  "tool_result",
);

const noteIds = fc.integer({ min: 0, max: 8 }).map((number) => `Note ${number}.md`);
/** Few ids, so that repeats and parts of each other are common. */
const ids = fc.oneof(
  noteIds,
  fc.tuple(noteIds, fc.constantFrom("#Goals", "#Goals#Sub", "^block")).map(([id, part]) => id + part),
);

export function artifacts(kinds: fc.Arbitrary<ContextBlockKind> = attachedKinds): fc.Arbitrary<ContextArtifact> {
  return fc
    .record({
      id: ids,
      kind: kinds,
      content: contents,
      title: fc.oneof(fc.constant(""), pieces(2)),
      withImage: fc.boolean(),
    })
    .map(({ id, kind, content, title, withImage }) => {
      const isOwn = kind === "selection" || kind === "paste";
      return anArtifact(isOwn ? `${kind}:${content.length}` : id, content, {
        kind,
        title,
        source: id,
        recoverable: !isOwn,
        ...(kind === "image" && withImage ? { image: { mimeType: "image/png", base64: "AAAA" } } : {}),
      });
    });
}

/** Any turn, with all layers. */
export const plans: fc.Arbitrary<TurnPlan> = fc
  .record({
    systemPrompt: fc.oneof(fc.constant(""), pieces(6)),
    projectContext: fc.array(artifacts(fc.constant("project_source")), { maxLength: 5 }),
    library: fc.array(artifacts(fc.constant("note")), { maxLength: 4 }),
    earlierContext: fc.array(artifacts(), { maxLength: 6 }),
    turnContext: fc.array(artifacts(), { maxLength: 8 }),
    text: pieces(6),
    images: fc.array(
      fc.record({
        mimeType: fc.constant("image/png"),
        base64: fc.constant("AAAA"),
        name: fc.constantFrom("a.png", "b.png"),
      }),
      { maxLength: 3 },
    ),
    tools: fc.array(fc.record({ name: fc.constant("read"), schemaJson: pieces(3) }), { maxLength: 2 }),
  })
  .map(({ text, images, ...layers }) => aPlan({ ...layers, user: { text, images } }));
