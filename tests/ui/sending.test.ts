import type { Attachment, SendOutcome } from "../../src/core/chatTypes";
import { DraftStore } from "../../src/ui/composer/DraftStore";
import { isSendable, resendDraft, sendDraft } from "../../src/ui/sending";
import { aDraft, aUserMessage } from "../fixtures";
import { FakeChat } from "./fakeChat";

const active: Attachment = { id: "Today.md", kind: "note", title: "Today" };
const note: Attachment = { id: "Plan.md", kind: "note", title: "Plan" };

describe("sending never loses a word", () => {
  const draft = aDraft({ text: "question", attachments: [note] });
  const answered: SendOutcome = { kind: "answered", messageId: "a1" };

  it.each`
    outcome                                                                       | typed      | left                   | because
    ${answered}                                                                   | ${""}      | ${""}                  | ${"it was said"}
    ${answered}                                                                   | ${"next"}  | ${"next"}              | ${"the next question was begun meanwhile"}
    ${{ kind: "incomplete", messageId: "a1", incomplete: { reason: "stopped" } }} | ${""}      | ${""}                  | ${"question and partial answer are in the chat"}
    ${{ kind: "not-sent", draft }}                                                | ${""}      | ${"question"}          | ${"nothing arrived"}
    ${{ kind: "not-sent", draft }}                                                | ${"typed"} | ${"question\n\ntyped"} | ${"the older text goes above"}
    ${{ kind: "busy" }}                                                           | ${""}      | ${"question"}          | ${"another send was running"}
  `(
    "$outcome.kind, meanwhile “$typed” → “$left”: $because",
    async ({ outcome, typed, left }: { outcome: SendOutcome; typed: string; left: string }) => {
      const drafts = new DraftStore();
      const chat = new FakeChat();
      drafts.set("c1", draft);
      const sending = sendDraft({ chat, drafts, key: "c1", activeNote: undefined });
      expect(drafts.get("c1")).toEqual(aDraft({ text: "", attachments: [note] }));
      drafts.set("c1", { ...drafts.get("c1"), text: typed });
      chat.finish(outcome);
      await sending;
      expect(drafts.get("c1")).toMatchObject({ text: left, attachments: [note] });
    },
  );

  test("a fault of ours puts the draft back and is passed on", async () => {
    const drafts = new DraftStore();
    const chat = new FakeChat();
    drafts.set("c1", draft);
    const sending = sendDraft({ chat, drafts, key: "c1", activeNote: undefined });
    chat.fail(new Error("a bug"));
    await expect(sending).rejects.toThrow("a bug");
    expect(drafts.get("c1").text).toBe("question");
  });

  test("the active note goes along, and does not come back as an attachment that stays", async () => {
    const drafts = new DraftStore();
    const chat = new FakeChat();
    drafts.set("c1", draft);
    const sending = sendDraft({ chat, drafts, key: "c1", activeNote: active });
    expect(chat.sent[0]?.attachments).toEqual([{ ...active, followed: true }, note]);
    chat.finish({ kind: "not-sent", draft: chat.sent[0] ?? draft });
    await sending;
    expect(drafts.get("c1").attachments).toEqual([note]);
  });

  test("an active note that was also attached by hand is sent once and stays attached", async () => {
    const drafts = new DraftStore();
    const chat = new FakeChat();
    drafts.set("c1", aDraft({ attachments: [active] }));
    const sending = sendDraft({ chat, drafts, key: "c1", activeNote: active });
    expect(chat.sent[0]?.attachments).toEqual([active]);
    chat.finish({ kind: "not-sent", draft: chat.sent[0] ?? draft });
    await sending;
    expect(drafts.get("c1").attachments).toEqual([active]);
  });
});

describe("editing a question", () => {
  it.each`
    outcome                                  | kept         | because
    ${{ kind: "answered", messageId: "a" }}  | ${undefined} | ${"it is in the chat"}
    ${{ kind: "not-sent", draft: aDraft() }} | ${"hello"}   | ${"nothing arrived"}
    ${{ kind: "busy" }}                      | ${"hello"}   | ${"another send was running"}
  `(
    "$outcome.kind → “$kept”: $because",
    async ({ outcome, kept }: { outcome: SendOutcome; kept: string | undefined }) => {
      const drafts = new DraftStore();
      const chat = new FakeChat();
      drafts.set("edit", aDraft());
      const sending = resendDraft({ chat, drafts, key: "edit", messageId: "q1" });
      chat.finish(outcome);
      await sending;
      expect(chat.resent).toEqual([{ messageId: "q1", draft: aDraft() }]);
      expect(drafts.has("edit") ? drafts.get("edit").text : undefined).toBe(kept);
    },
  );
});

describe("what can be sent", () => {
  const image = { name: "a.png", mimeType: "image/png", base64: "AA" };
  it.each`
    draft                                        | messages                                              | sendable | because
    ${aDraft({ text: "hi" })}                    | ${[]}                                                 | ${true}  | ${"it says something"}
    ${aDraft({ text: " \n" })}                   | ${[]}                                                 | ${false} | ${"blanks say nothing"}
    ${aDraft({ text: "", attachments: [note] })} | ${[]}                                                 | ${true}  | ${"a note alone may be the question"}
    ${aDraft({ text: "", attachments: [note] })} | ${[aUserMessage("q", null, { attachments: [note] })]} | ${false} | ${"the conversation has had it: Enter by mistake"}
    ${aDraft({ text: "", images: [image] })}     | ${[]}                                                 | ${true}  | ${"an image alone may be the question"}
  `(
    "$draft.text with $draft.attachments.length notes → $sendable: $because",
    ({
      draft,
      messages,
      sendable,
    }: {
      draft: ReturnType<typeof aDraft>;
      messages: ReturnType<typeof aUserMessage>[];
      sendable: boolean;
    }) => {
      expect(isSendable(draft, messages)).toBe(sendable);
    },
  );
});
