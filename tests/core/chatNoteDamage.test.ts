import fc from "fast-check";
import { losesSomething, NO_SURROUNDINGS } from "../../src/core/chatNote";
import type { ReadNote } from "../../src/core/chatNoteReader";
import { readChatNote } from "../../src/core/chatNoteReader";
import { writeChatNote } from "../../src/core/chatNoteWriter";
import { MessageRepository } from "../../src/core/MessageRepository";
import type { RepositoryData } from "../../src/core/repositoryData";
import { anAssistantMessage, aUserMessage } from "../fixtures";
import { anyConversation, anyText, plainConversation } from "./chatNoteArbitraries";

const HEADER = { conversationId: "c1", title: "A chat", createdMs: 1000, updatedMs: 2000, tags: [] };
const write = (data: RepositoryData): string =>
  writeChatNote({ ...data, header: HEADER, surroundings: NO_SURROUNDINGS });

/** q1 a1 q2 a2, with another answer b1 to q1 that is not shown, and a question q3 that followed it. */
function aNoteText(): string {
  const messages = [
    aUserMessage("q1", null, { text: "First question" }),
    anAssistantMessage("b1", "q1", { text: "Old answer" }),
    aUserMessage("q3", "b1", { text: "Old follow-up" }),
    anAssistantMessage("a1", "q1", { text: "First answer", model: "small" }),
    aUserMessage("q2", "a1", { text: "Second question" }),
    anAssistantMessage("a2", "q2", { text: "Second answer" }),
  ];
  return write({ messages, leafId: "a2" });
}

const tree = ({ messages }: ReadNote): string =>
  messages.map(({ id, parentId }) => (parentId === null ? id : `${id}<${parentId}`)).join(" ");
const branch = (note: ReadNote): string =>
  MessageRepository.fromData(note)
    .activeBranch()
    .map(({ role, text }) => `${role === "user" ? "Q" : "A"} ${text}`)
    .join(" | ");
const codes = ({ problems }: ReadNote): string => problems.map(({ code }) => code).join(" ");

const WHOLE = "Q First question | A First answer | Q Second question | A Second answer";
const marker = (id: string): RegExp => new RegExp(`%%\\{"message":"${id}".*\\}%%\\n`);

describe("a note that was damaged by hand opens as far as it can be read", () => {
  it.each<[string, (text: string) => string, string, string]>([
    ["nothing was touched", (text) => text, WHOLE, ""],
    [
      "a marker is gone: the heading says whose text it is",
      (text) => text.replace(marker("a1"), ""),
      WHOLE,
      "marker-missing parent-missing",
    ],
    [
      "the first marker is gone: what followed it in both branches follows it still",
      (text) => text.replace(marker("q1"), ""),
      WHOLE,
      "marker-missing parent-missing parent-missing",
    ],
    [
      "a marker lost a quote: its id can still be told",
      (text) => text.replace('"at":1000,"order":4', '"at:1000,"order":4'),
      WHOLE,
      "marker-damaged",
    ],
    ["a marker lost its end", (text) => text.replace('"model":"small"}%%', ""), WHOLE, "marker-damaged"],
    ["a marker lost a percent sign", (text) => text.replace('%%{"message":"q2"', '%{"message":"q2"'), WHOLE, ""],
    [
      "a marker was joined to the text above it",
      (text) => text.replace('answer\n\n%%{"message":"a1"', 'answer%%{"message":"a1"'),
      WHOLE,
      "",
    ],
    ["headings were taken for clutter and removed", (text) => text.replace(/^## (?:You|Copilot)\n\n/gm, ""), WHOLE, ""],
    ["blank lines were removed", (text) => text.replace(/\n\n/g, "\n"), WHOLE, ""],
    [
      "a formatter set spaces and lines",
      (text) => text.replace(/^(## You)$/gm, "$1  ").replace(/\n%%\{/g, "\n   %%{"),
      WHOLE,
      "",
    ],
    [
      "an answer and all that belongs to it was deleted",
      (text) => text.replace(/## Copilot\n\nFirst answer\n\n.*\n\n/, ""),
      "Q First question | Q Second question | A Second answer",
      "parent-missing",
    ],
    [
      "text was changed",
      (text) => text.replace("First answer", "My *own* answer\n\nwith two parts"),
      "Q First question | A My *own* answer\n\nwith two parts | Q Second question | A Second answer",
      "",
    ],
    [
      "a remark was typed below a message",
      (text) => text.replace(/("order":3.*\n)/, "$1\nBy the way\n"),
      "Q First question | A First answer | Q By the way | Q Second question | A Second answer",
      "marker-missing",
    ],
    [
      "a question was written at the end of the shown branch",
      (text) => text.replace("## Other versions", "## You\n\nAnd now?\n\n## Other versions"),
      `${WHOLE} | Q And now?`,
      "marker-missing",
    ],
    ["the front matter was removed", (text) => text.replace(/^---[^]*?---\n/, ""), WHOLE, ""],
    ["the end of the front matter is gone", (text) => text.replace("---\n\n", "\n"), WHOLE, "front-matter-open"],
    [
      "the heading of the other versions is gone: each message knows what it follows",
      (text) => text.replace("## Other versions\n\n", ""),
      "Q First question | A Old answer | Q Old follow-up",
      "",
    ],
    [
      "the note broke off in an answer",
      (text) => `${text.slice(0, text.indexOf("answer", text.indexOf("Second question")))}`,
      "Q First question | A First answer | Q Second question | A Second ",
      "marker-missing",
    ],
    [
      "the note broke off in a word of a marker",
      (text) => text.slice(0, text.indexOf('ent":"q2"')),
      WHOLE,
      "marker-damaged",
    ],
    [
      "a marker was joined with the text below it",
      (text) => text.replace(/(%%\{"message":"q2").*\n\n## Copilot\n\n/, "$1,"),
      "Q First question | A First answer | Q Second question | A Second answer",
      "marker-damaged",
    ],
    [
      "the note broke off in a marker",
      (text) => text.slice(0, text.indexOf(',"parent":"q2"')),
      WHOLE,
      "marker-damaged",
    ],
    [
      "an exact copy of a message was pasted below it",
      (text) => text.replace(/(## You\n\nSecond question\n\n.*\n\n)/, "$1$1"),
      WHOLE,
      "duplicate-id",
    ],
  ])("%s", (_name, damage, expected, expectedCodes) => {
    const read = readChatNote(damage(aNoteText()));
    expect(branch(read)).toBe(expected);
    expect(codes(read)).toBe(expectedCodes);
  });

  test("the branches that are not shown keep their place beside a message that lost its marker", () => {
    expect(tree(readChatNote(aNoteText().replace(marker("q1"), "")))).toBe(
      "recovered-1 b1<recovered-1 q3<b1 a1<recovered-1 q2<a1 a2<q2",
    );
  });

  test("an answer that broke off is marked as interrupted, a question is not", () => {
    const [half] = readChatNote("## Copilot\n\nHalf an ans").messages;
    expect(half).toMatchObject({ role: "assistant", text: "Half an ans", incomplete: { reason: "interrupted" } });
    expect(readChatNote("## You\n\nHalf a ques").messages[0]).not.toHaveProperty("incomplete");
  });

  test("a question at the top without heading and marker is the question of the answer below it, no preamble", () => {
    const text = aNoteText().replace("## You\n\nFirst", "First").replace(marker("q1"), "");
    const read = readChatNote(text);
    expect([branch(read), read.surroundings.preamble]).toEqual([WHOLE, ""]);
  });

  test.each([
    ["", ""],
    ["---", ""],
    ["---\ntitle: x\n---\n", ""],
    ["Just a note.\n", "Q Just a note."],
    ["%%{}%%", "Q "],
    ["\uFEFF---\r\ntitle: x\r\n---\r\n\r\n## You\r\n\r\nHi\r\n", "Q Hi"],
  ])("%j opens", (text, expected) => {
    expect(branch(readChatNote(text))).toBe(expected);
  });
});

describe("the callout of a damaged question", () => {
  const artifact = { id: "s1", kind: "selection", title: "Part", source: "A.md", content: "one\ntwo", recoverable: false, place: "late", hash: "h" } as const; // prettier-ignore
  const attachments = [
    { id: "A.md", kind: "note", title: "A" } as const,
    { id: "s1", kind: "selection", title: "Part", artifact } as const,
  ];
  const text = write({ messages: [aUserMessage("q1", null, { text: "Ask", attachments })], leafId: "q1" });
  const readQuestion = (damaged: string) => {
    const read = readChatNote(damaged);
    const message = read.messages[0];
    const contents = message?.role === "user" ? message.attachments.map((each) => each.artifact?.content) : [];
    return { text: message?.text, contents, codes: codes(read) };
  };

  it.each<[string, (whole: string) => string, string, (string | undefined)[], string]>([
    ["nothing was touched", (whole) => whole, "Ask", [undefined, "one\ntwo"], ""],
    [
      "a line of the selection was changed",
      (whole) => whole.replace("> > two", "> > 2"),
      "Ask",
      [undefined, "one\n2"],
      "",
    ],
    [
      "the selection was removed",
      (whole) => whole.replace(/>\n> > (?:.*\n> > )*.*\n/, ""),
      "Ask",
      [undefined, undefined],
      "artifact-missing",
    ],
    [
      "the title of the selection was removed",
      (whole) => whole.replace("> > [!quote]- Part\n", ""),
      "Ask",
      [undefined, "one\ntwo"],
      "",
    ],
    [
      "a remark was typed in the callout",
      (whole) => whole.replace("> - [[A]]", "> - [[A]]\n> - remember"),
      "Ask\n\n> - remember",
      [undefined, "one\ntwo"],
      "",
    ],
    [
      "a remark was typed below the callout",
      (whole) => whole.replace("two\n", "two\n\nAlso this\n"),
      "Ask\n\nAlso this",
      [undefined, "one\ntwo"],
      "",
    ],
    [
      "the marker is gone: the callout stays as text",
      (whole) => whole.replace(marker("q1"), ""),
      "Ask\n\n> [!context]- Context\n> - [[A]]\n>\n> > [!quote]- Part\n> > one\n> > two",
      [],
      "marker-missing",
    ],
  ])("%s", (_name, damage, expected, contents, expectedCodes) => {
    expect(readQuestion(damage(text))).toEqual({ text: expected, contents, codes: expectedCodes });
  });

  test("only a problem by which something is lost for good asks for a copy of the note", () => {
    const lossy = (damaged: string): boolean => readChatNote(damaged).problems.some(losesSomething);
    expect(lossy(text.replace(/>\n> > (?:.*\n> > )*.*\n/, ""))).toBe(true);
    expect(lossy(text.replace('"role"', "role"))).toBe(true);
    expect(lossy(text.replace(marker("q1"), ""))).toBe(false);
  });
});

describe("any damage", () => {
  /** Everything that can still be seen of a note after reading it. */
  function seen({ header, messages, surroundings, problems }: ReadNote): string {
    const texts = messages.flatMap((message) =>
      message.role === "user"
        ? [message.text, ...message.attachments.map(({ artifact }) => artifact?.content ?? "")]
        : [message.text, message.reasoning ?? ""],
    );
    const raws = problems.map((problem) => ("raw" in problem ? problem.raw : ""));
    const foreign = surroundings.frontMatter.map((entry) => ("foreign" in entry ? entry.foreign : ""));
    return [JSON.stringify(header), ...texts, surroundings.preamble, ...raws, ...foreign].join("\n");
  }

  const anyCut = fc.record({ at: fc.nat({ max: 10_000 }), length: fc.integer({ min: 1, max: 60 }) });

  test("by lines: what is left of the texts is found again", () => {
    fc.assert(
      fc.property(plainConversation, fc.array(fc.nat({ max: 500 }), { minLength: 1, maxLength: 12 }), (data, gone) => {
        const lines = write(data).split("\n");
        const places = new Set(gone.map((place) => place % lines.length));
        const damaged = lines.filter((_, place) => !places.has(place)).join("\n");
        const found = seen(readChatNote(damaged));
        for (const words of damaged.match(/(?:words|thought|chosen) .* of it/g) ?? []) expect(found).toContain(words);
      }),
      { numRuns: 1200 },
    );
  });

  test("by characters, line ends among them: what is left of the texts is found again", () => {
    fc.assert(
      fc.property(plainConversation, fc.array(anyCut, { minLength: 1, maxLength: 5 }), (data, cuts) => {
        const damaged = cuts.reduce((text, { at, length }) => {
          const start = at % text.length;
          return text.slice(0, start) + text.slice(start + length);
        }, write(data));
        const found = seen(readChatNote(damaged));
        for (const words of damaged.match(/(?:words|thought|chosen) \d+(?: \d+| too)? of it/g) ?? [])
          expect(found).toContain(words);
      }),
      { numRuns: 1200 },
    );
  });

  test("or any text at all: reading never throws, gives a sound tree, and what is written of it is read alike", () => {
    fc.assert(
      fc.property(anyConversation, anyText, fc.nat(), (data, text, at) => {
        const note = write(data);
        const start = at % note.length;
        for (const damaged of [text, note.slice(0, start) + text + note.slice(start)]) {
          const read = readChatNote(damaged);
          const branchThen = MessageRepository.fromData(read).activeBranch();
          const again = readChatNote(writeChatNote(read));
          expect(again.problems).toEqual([]);
          expect(MessageRepository.fromData(again).activeBranch()).toEqual(branchThen);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
