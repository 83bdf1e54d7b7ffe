import fc from "fast-check";
import type { ContextArtifact } from "../../src/context/PromptContextTypes";
import type { ReportedUsage } from "../../src/context/requestReport";
import type { AssistantMessage, AttachedImage, Attachment, UserMessage } from "../../src/core/chatTypes";
import type { ChatNote } from "../../src/core/chatNote";
import { NO_SURROUNDINGS } from "../../src/core/chatNote";
import { readChatNote } from "../../src/core/chatNoteReader";
import type { WrittenMessages } from "../../src/core/chatNoteWriter";
import { writeChatNote } from "../../src/core/chatNoteWriter";
import { MessageRepository } from "../../src/core/MessageRepository";
import type { RepositoryData } from "../../src/core/repositoryData";
import { anAssistantMessage, aUserMessage } from "../fixtures";
import { anyConversation, anyText } from "./chatNoteArbitraries";

function aNote(data: RepositoryData, more: Partial<ChatNote> = {}): ChatNote {
  const header = { conversationId: "c1", title: "A chat", createdMs: 1000, updatedMs: 2000, tags: ["copilot-chat"] };
  return { ...data, header, surroundings: NO_SURROUNDINGS, ...more };
}

const aChat = (): RepositoryData => ({
  messages: [
    aUserMessage("q1", null, { text: "What do I need?" }),
    anAssistantMessage("a1", "q1", { text: "A tent.", model: "small" }),
    anAssistantMessage("b1", "q1", { text: "A map.\n", reasoning: "Let me think.\n\nA map." }),
  ],
  leafId: "b1",
});

test("a chat reads as a note: properties, the shown branch, then the other versions", () => {
  expect(writeChatNote(aNote(aChat()))).toBe(`---
conversation: c1
title: A chat
created: 1970-01-01T00:00:01.000Z
updated: 1970-01-01T00:00:02.000Z
tags:
  - copilot-chat
---

## You

What do I need?

%%{"message":"q1","role":"user","parent":null,"at":1000,"order":0}%%

## Copilot

> [!reasoning]- Reasoning
> Let me think.
>
> A map.

A map.


%%{"message":"b1","role":"assistant","parent":"q1","at":1000,"order":2}%%

## Other versions

## Copilot

A tent.

%%{"message":"a1","role":"assistant","parent":"q1","at":1000,"order":1,"model":"small"}%%
`);
});

describe("what was attached is seen as links, a selection and a paste as text", () => {
  it.each`
    id                               | kind        | line
    ${"Plans/Trip.md"}               | ${"note"}   | ${"> - [[Plans/Trip]]"}
    ${"Trip, a & b.md#Goals"}        | ${"note"}   | ${"> - [[Trip, a & b#Goals]]"}
    ${"Trip.md#^b1"}                 | ${"embed"}  | ${"> - [[Trip#^b1]]"}
    ${"a.canvas"}                    | ${"canvas"} | ${"> - [[a.canvas]]"}
    ${"R&D (a) #1 100%.md"}          | ${"note"}   | ${"> - [R&D (a) #1 100%](<R&D (a) %231 100%25.md>)"}
    ${"a [b]|c.md"}                  | ${"note"}   | ${"> - [a \\[b\\]|c](<a %5Bb%5D%7Cc.md>)"}
    ${"https://x.y/?a=[b]&c|d%20#e"} | ${"url"}    | ${"> - [Shown](<https://x.y/?a=[b]&c|d%20#e>)"}
    ${"https://x.y/%%{<"}            | ${"url"}    | ${"> - [Shown](<https://x.y/%25%25{%3C>)"}
  `("$id", ({ id, kind, line }: { id: string; kind: "note"; line: string }) => {
    const question = aUserMessage("q1", null, { attachments: [{ id, kind, title: "Shown" }] });
    const text = writeChatNote(aNote({ messages: [question], leafId: "q1" }));
    expect(text).toContain(`\n> [!context]- Context\n${line}\n`);
    expect(readChatNote(text).messages).toEqual([question]);
  });

  test("an image is a link to its file, and its data is never in the note", () => {
    const image = { name: "map.png", mimeType: "image/png", base64: "QUJD".repeat(9), path: "img/map.png" };
    const text = writeChatNote(aNote({ messages: [aUserMessage("q1", null, { images: [image] })], leafId: "q1" }));
    expect(text).toContain("> - ![[img/map.png]]");
    expect(text).not.toContain("QUJD");
    expect(readChatNote(text).messages).toEqual([aUserMessage("q1", null, { images: [{ ...image, base64: "" }] })]);
  });

  test("a selection is stored whole, with its own headings and line ends", () => {
    const content = "# Part\r\n\r\n> [!context]- Context\r\n%%{x}%%\r\n";
    const artifact = {
      id: "selection:1", kind: "selection", title: "Part of Trip", source: "Trip.md", content,
      recoverable: false, place: "late", hash: "h1", mtime: 7,
    } as const; // prettier-ignore
    const attachments = [
      { id: "selection:1", kind: "selection", title: "Part of Trip", hash: "h1", artifact } as const,
    ];
    const question = aUserMessage("q1", null, { attachments });
    const text = writeChatNote(aNote({ messages: [question], leafId: "q1" }));
    expect(text).toContain("\n> > [!quote]- Part of Trip\n> > # Part\n> >\n");
    expect(readChatNote(text).messages).toEqual([question]);
  });
});

describe("round trip", () => {
  test("every field there is comes back: a new one does not compile here until it is saved", () => {
    // Image data is never in a note; the other two are set when a request is assembled, not when something is attached.
    const artifact: Required<Omit<ContextArtifact, "image" | "originKind" | "shortenedFromTokens">> = {
      id: "s", kind: "selection", title: "t", source: "A.md", content: "c", recoverable: true, place: "library", hash: "h", mtime: 3,
    }; // prettier-ignore
    const attachment: Required<Attachment> = {
      id: "A.md",
      kind: "note",
      title: "A",
      artifact,
      hash: "i",
      followed: true,
    };
    const image: Required<AttachedImage> = {
      name: "a.png", mimeType: "image/png", base64: "", path: "a.png", widthPixels: 1, heightPixels: 2,
    }; // prettier-ignore
    const question: Required<UserMessage> = {
      id: "q1", parentId: null, role: "user", text: "t", createdAtMs: 1, pinned: true, attachments: [attachment], images: [image],
    }; // prettier-ignore
    const usage: Required<ReportedUsage> = { inputTokens: 1, outputTokens: 2, cachedInputTokens: 3 };
    const answer: Required<Omit<AssistantMessage, "report">> = {
      id: "a1", parentId: "q1", role: "assistant", text: "t", createdAtMs: 2, pinned: false, model: "m", reasoning: "r", usage,
      incomplete: { reason: "stopped" },
    }; // prettier-ignore
    const messages = [question, answer];
    expect(readChatNote(writeChatNote(aNote({ messages, leafId: "a1" }))).messages).toStrictEqual(messages);
  });

  test("whatever a conversation holds, the note gives it back: texts, tree, shown branch", () => {
    fc.assert(
      fc.property(anyConversation, (data) => {
        const read = readChatNote(writeChatNote(aNote(data)));
        expect(read.problems).toEqual([]);
        expect(read.messages).toEqual(data.messages);
        expect(read.leafId).toBe(data.leafId);
        expect(MessageRepository.fromData(read).activeBranch()).toEqual(
          MessageRepository.fromData(data).activeBranch(),
        );
      }),
      { numRuns: 1500 },
    );
  });

  test("a note that is read and written again is the same to the byte, also after a stay on a CRLF system", () => {
    fc.assert(
      fc.property(anyConversation, anyText, (data, title) => {
        const header = {
          conversationId: "c1",
          title,
          createdMs: 1,
          updatedMs: 2,
          model: title,
          project: title,
          tags: [title],
        };
        const text = writeChatNote(aNote(data, { header }));
        const read = readChatNote(text);
        expect(writeChatNote(read)).toBe(text);
        expect(readChatNote(text.replace(/\n/g, "\r\n"))).toEqual(read);
        expect(read.header).toEqual(header);
        expect(Buffer.from(text, "utf8").toString("utf8")).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  test("5 MB of answer are written and read in linear time", () => {
    const text = "A line with %% in it.\n\n```\ncode\n```\n".repeat(135_000);
    const data = { messages: [aUserMessage("q1"), anAssistantMessage("a1", "q1", { text })], leafId: "a1" };
    expect(readChatNote(writeChatNote(aNote(data))).messages[1]?.text === text).toBe(true);
  });

  test("one line of 2 MB, too", () => {
    const text = '%{"message":\\ \u2060 '.repeat(110_000);
    const data = {
      messages: [aUserMessage("q1", null, { text, attachments: [{ id: text, kind: "note", title: text }] })],
      leafId: "q1",
    };
    expect(readChatNote(writeChatNote(aNote(data))).messages[0]?.text === text).toBe(true);
  });
});

test("a message that was written before is not written anew, unless its place among the others changed", () => {
  const written: WrittenMessages = new WeakMap();
  const repository = MessageRepository.fromData(aChat());
  const note = (): ChatNote => aNote(repository.toData());
  expect(writeChatNote(note(), written)).toBe(writeChatNote(note()));
  repository.add(aUserMessage("q2", "b1"));
  expect(repository.all().map((message) => written.has(message))).toEqual([true, true, true, false]);
  repository.remove("a1");
  expect(writeChatNote(note(), written)).toBe(writeChatNote(note()));
});

describe("what others added to the note stays", () => {
  const withFrontMatter = (lines: string): string =>
    writeChatNote(aNote(aChat())).replace(/^---[^]*?\n---\n/, `---\n${lines}\n---\n`);

  it.each`
    lines                                                                      | because
    ${"cssclasses:\n  - wide\nconversation: c1\ntitle: A chat\naliases: []"}   | ${"other keys keep their place"}
    ${"# by hand\nconversation: c1\nrating: 5 # of 5\nnested:\n  a:\n    - b"} | ${"comments and nesting are none of our business"}
    ${"conversation: c1\nconversation: c2"}                                    | ${"a second one is kept, not merged"}
    ${"conversation: c1\n? odd\n: yaml"}                                       | ${"so is what we cannot read"}
  `("$lines: $because", ({ lines }: { lines: string }) => {
    const text = withFrontMatter(lines);
    const read = readChatNote(text);
    expect(read.header.conversationId).toBe("c1");
    expect(writeChatNote(read)).toBe(text);
  });

  it.each`
    line                                            | header
    ${"title: Plain title"}                         | ${{ title: "Plain title" }}
    ${"title: 'It''s: mine' # note"}                | ${{ title: "It's: mine" }}
    ${'title: "a\\x41\\u00e9\\U0001F600\\n\\_\\/"'} | ${{ title: "aAé😀\n\u00a0/" }}
    ${"title: >-\n  folded\n  line"}                | ${{ title: "folded line" }}
    ${"title: |\n  two\n  lines"}                   | ${{ title: "two\nlines" }}
    ${"title: plain # and a comment"}               | ${{ title: "plain" }}
    ${"title:"}                                     | ${{}}
    ${"title: null"}                                | ${{}}
    ${"'title': x"}                                 | ${{ title: "x" }}
    ${"tags: [a, \"b, c\", 'd']"}                   | ${{ tags: ["a", "b, c", "d"] }}
    ${"tags: one"}                                  | ${{ tags: ["one"] }}
    ${'tags:\n- a\n- "b"'}                          | ${{ tags: ["a", "b"] }}
    ${"created: 2025-03-01T10:00:00Z"}              | ${{ createdMs: Date.UTC(2025, 2, 1, 10) }}
    ${"created: soon"}                              | ${{}}
  `("a property as other hands write it: $line", ({ line, header }: { line: string; header: object }) => {
    expect(readChatNote(withFrontMatter(line)).header).toEqual({ tags: [], ...header });
  });

  it.each([
    "yes",
    "null",
    "1",
    "1e3",
    "2025-01-01",
    "a: b",
    "#a",
    "- a",
    "'a",
    "[a]",
    "a ",
    "",
    "~",
    "*a",
    "&a",
    "!a",
    "%a",
    "@a",
    "a #b",
  ])("the title %j is quoted where YAML would take it for something else", (title) => {
    const text = writeChatNote(aNote(aChat(), { header: { title, tags: [] } }));
    expect(text).toContain(`title: ${JSON.stringify(title)}\n`);
    expect(readChatNote(text).header.title).toBe(title);
  });

  test("a time that is none is replaced, and what stood there stays as a comment", () => {
    const text = writeChatNote(readChatNote(withFrontMatter("conversation: c1\ncreated: last week\nmine: 1")));
    expect(text).toContain("---\nconversation: c1\n# created: last week\nmine: 1\n---\n");
  });

  test("text above the first message stays there and is no message", () => {
    const text = writeChatNote(aNote(aChat())).replace("## You", "Related: [[Trip]]\n\n- mine\n\n## You");
    const read = readChatNote(text);
    expect(read.surroundings.preamble).toBe("Related: [[Trip]]\n\n- mine");
    expect(read.messages).toEqual(aChat().messages);
    expect(writeChatNote(read)).toBe(text);
  });
});
