/** Random conversations for the tests of the chat note: any text, any tree. */
import fc from "fast-check";
import type { ContextArtifact, ContextBlockKind } from "../../src/context/PromptContextTypes";
import type { AssistantMessage, AttachedImage, Attachment, ChatMessage, UserMessage } from "../../src/core/chatTypes";
import type { TurnFailure } from "../../src/LLMProviders/turnFailure";
import type { RepositoryData } from "../../src/core/repositoryData";

/** Any code units in any order, lone surrogates among them. */
const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units));

/** Pieces out of which text is made that looks like the note around it. */
const PIECES = [
  "## You", "## Copilot", "## Other versions", "# Heading", "---", "***", "```", "```js", "~~~~", "    ", "%", "%%", "%%%",
  "%%{", "}%%", "{", "}", '%%{"message":"q1","role":"user","parent":null}%%', '%{"message":', '"', "\\", "\u2060",
  "\u2060\u2060", "u{D800}", "u{0}", "\n", "\n\n", "\n\n\n", "\r", "\r\n", "\u0000", "\ud800", "\udc00", "\u2028", "\ufeff",
  "> [!context]- Context", "> [!reasoning]- Reasoning", "> > [!quote]- x", "> > ", "> ", ">", "- ", " ", "\t", "title: x",
  "[[Note]]", "text", "你好", "😀", "e\u0301", "<!--", "$$", "\u007f", "\u0085",
]; // prettier-ignore

const anyPieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(""));

export const anyText = fc.oneof(
  { weight: 5, arbitrary: anyPieces },
  { weight: 2, arbitrary: fc.string({ unit: "binary" }) },
  { weight: 2, arbitrary: anyUnits },
  { weight: 1, arbitrary: anyPieces.map((text) => text.replace(/\r\n?|\n/g, "\r\n")) },
);

const anyCount = fc.integer({ min: 0, max: 1e6 });
const KINDS: readonly ContextBlockKind[] = ["note", "selection", "paste", "url", "pdf", "image", "passage"];
const ADDRESSES = ["A, b.md", "A|b.md#H]x", "a&b [c].md", "100%%.md", "x%%{.md", "https://a.b/?c=[d]&e=<f>|g#h"];
const anyAddress = fc.oneof(fc.constantFrom(...ADDRESSES), anyText);

const anyArtifact: fc.Arbitrary<ContextArtifact> = fc.record(
  {
    id: anyAddress,
    kind: fc.constantFrom(...KINDS),
    title: anyText,
    source: anyText,
    content: anyText,
    recoverable: fc.boolean(),
    place: fc.constantFrom("library" as const, "late" as const),
    hash: anyText,
    mtime: anyCount,
  },
  { requiredKeys: ["id", "kind", "title", "source", "content", "recoverable", "place", "hash"] },
);

const anyAttachment: fc.Arbitrary<Attachment> = fc.record(
  {
    id: anyAddress,
    kind: fc.constantFrom(...KINDS),
    title: anyText,
    hash: anyText,
    artifact: anyArtifact,
    followed: fc.constant(true as const),
  },
  { requiredKeys: ["id", "kind", "title"] },
);

/** As they come back: image data is never in a note. */
const anyImage: fc.Arbitrary<AttachedImage> = fc.record(
  {
    name: anyText,
    mimeType: fc.constantFrom("image/png", "image/jpeg"),
    base64: fc.constant(""),
    path: anyAddress,
    widthPixels: anyCount,
    heightPixels: anyCount,
  },
  { requiredKeys: ["name", "mimeType", "base64"] },
);

const FAILURES: readonly TurnFailure[] = [
  {
    source: "budget",
    code: "CONTEXT_LIMIT_EXCEEDED",
    kind: "CONTEXT_WINDOW_EXCEEDED",
    neededTokens: 3,
    availableTokens: 2,
    windowTokens: 9,
    outputTokens: 4,
    safetyTokens: 1,
  },
  {
    source: "provider",
    failure: { kind: "overflow", limitTokens: 1, requestedTokens: 2 },
    baseUrl: "http://a",
    model: "m",
  },
  { source: "provider", failure: { kind: "over-rate-limit", limitTokens: 1 }, baseUrl: "http://a", model: "m" },
  {
    source: "provider",
    failure: { kind: "rate-limit", retryAfterMs: 5 },
    detail: "d%%{",
    baseUrl: "http://a",
    model: "m",
  },
  { source: "provider", failure: { kind: "auth", status: 401 }, baseUrl: "http://a", model: "m" },
  { source: "provider", failure: { kind: "not-found" }, baseUrl: "http://a", model: "m" },
  { source: "provider", failure: { kind: "network" }, baseUrl: "http://a", model: "m" },
  { source: "provider", failure: { kind: "output-cap", limitTokens: 7 }, baseUrl: "http://a", model: "m" },
  { source: "provider", failure: { kind: "server", status: 500 }, baseUrl: "http://a", model: "m" },
  { source: "provider", failure: { kind: "other", status: 418 }, baseUrl: "http://a", model: "m" },
  { source: "stream", reason: "cut", detail: "x" },
  { source: "empty-answer" },
  { source: "not-configured", missing: "baseUrl" },
  { source: "vault", reason: "disk-full", path: "a.md", detail: "x" },
  { source: "internal", detail: "x" },
];

const anyIncomplete: fc.Arbitrary<AssistantMessage["incomplete"]> = fc.oneof(
  fc.constant({ reason: "stopped" as const }),
  fc.constant({ reason: "interrupted" as const }),
  fc.constant({ reason: "output-limit" as const, outputTokens: 9 }),
  fc.constant({ reason: "output-limit" as const }),
  fc.constantFrom(...FAILURES).map((failure) => ({ reason: "failed" as const, failure })),
);

type Unplaced<Message> = Omit<Message, "id" | "parentId">;

const anyQuestion: fc.Arbitrary<Unplaced<UserMessage>> = fc.record(
  {
    role: fc.constant("user" as const),
    text: anyText,
    createdAtMs: anyCount,
    pinned: fc.boolean(),
    attachments: fc.array(anyAttachment, { maxLength: 3 }),
    images: fc.array(anyImage, { maxLength: 2 }),
  },
  { requiredKeys: ["role", "text", "createdAtMs", "attachments", "images"] },
);

const anyAnswer: fc.Arbitrary<Unplaced<AssistantMessage>> = fc.record(
  {
    role: fc.constant("assistant" as const),
    text: anyText,
    createdAtMs: anyCount,
    pinned: fc.boolean(),
    model: anyText,
    reasoning: anyText,
    incomplete: anyIncomplete,
    usage: fc.record(
      { inputTokens: anyCount, outputTokens: anyCount, cachedInputTokens: anyCount },
      { requiredKeys: ["inputTokens", "outputTokens"] },
    ),
  },
  { requiredKeys: ["role", "text", "createdAtMs"] },
);

const anyId = fc.oneof(fc.constantFrom("a", "b%%", '"c"'), anyText);

/** A tree in order of creation; the end of the active branch is any leaf. */
export const anyConversation: fc.Arbitrary<RepositoryData> = fc
  .tuple(
    fc.array(fc.tuple(fc.oneof(anyQuestion, anyAnswer), fc.nat()), { maxLength: 6 }),
    fc.uniqueArray(anyId, { minLength: 6, maxLength: 6 }),
    fc.nat(),
  )
  .map(([drafts, ids, leafSeed]) => {
    const messages = drafts.map(([draft, seed], index): ChatMessage => {
      // One in five begins a branch at the root, most follow the message before.
      const parent = seed % 5 === 0 ? seed % (index + 1) : index;
      return { ...draft, id: ids[index] ?? "", parentId: parent === 0 ? null : (ids[parent - 1] ?? null) };
    });
    const parents = new Set(messages.map(({ parentId }) => parentId));
    const leaves = messages.filter(({ id }) => !parents.has(id));
    return { messages, leafId: leaves[leafSeed % Math.max(leaves.length, 1)]?.id ?? null };
  });

/** A conversation whose texts are plain lines, each unlike any other: what survives in a note can be looked for. */
export const plainConversation: fc.Arbitrary<RepositoryData> = fc
  .array(fc.record({ lines: fc.integer({ min: 1, max: 3 }), selection: fc.boolean(), seed: fc.nat() }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((drafts) => {
    const messages = drafts.map(({ lines, selection, seed }, index): ChatMessage => {
      const parent = seed % 5 === 0 ? seed % (index + 1) : index;
      const base = {
        id: `m${index + 1}`,
        parentId: parent === 0 ? null : `m${parent}`,
        text: Array.from({ length: lines }, (_, line) => `words ${index} ${line} of it`).join("\n"),
        createdAtMs: index,
      };
      if (index % 2 === 1)
        return { ...base, role: "assistant", reasoning: selection ? `thought ${index} of it` : undefined };
      const artifact: ContextArtifact = {
        id: `s${index}`, kind: "selection", title: "Part", source: "A.md", content: `chosen ${index} of it\nchosen ${index} too of it`,
        recoverable: false, place: "late", hash: "h",
      }; // prettier-ignore
      const attachments: Attachment[] = selection
        ? [{ id: `s${index}`, kind: "selection", title: "Part", artifact }]
        : [];
      return { ...base, role: "user", attachments, images: [] };
    });
    return { messages, leafId: null };
  });
