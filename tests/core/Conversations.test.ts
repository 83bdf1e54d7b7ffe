import { ChatPersistenceManager } from "../../src/core/ChatPersistenceManager";
import type { ChatManager, LoadedConversation } from "../../src/core/ChatManager";
import { Conversations } from "../../src/core/Conversations";
import { aChat, aDraft } from "../support/aChat";
import { answers, startFaultServer, type FaultServer } from "../support/faultServer";
import { FakeChatNoteStore } from "./fakeChatNoteStore";

let server: FaultServer;
beforeEach(async () => (server = await startFaultServer()));
afterEach(() => server.close());

const PICTURE = { name: "bed.png", mimeType: "image/png", base64: "AAAA" };

function someConversations(deps: Parameters<typeof aChat>[0]["deps"] = {}) {
  const store = new FakeChatNoteStore();
  const persistence = new ChatPersistenceManager({ store, folder: () => "Chats" });
  let ids = 0;
  const newId = (): string => `id${(ids += 1)}`;
  const newChat = (loaded?: LoadedConversation): ChatManager =>
    aChat({
      baseUrl: server.baseUrl,
      settings: { systemPrompt: "" },
      ...(loaded ? { loaded } : {}),
      deps: { newId, save: (conversation) => persistence.save(conversation), ...deps },
    }).chat;
  return { store, conversations: new Conversations({ persistence, newChat }) };
}

const lastMessages = (): readonly { readonly content: unknown }[] =>
  (server.requests[server.requests.length - 1]?.json as { messages: { content: unknown }[] }).messages;

it("gives back the empty chat there is, with what was being written in it", async () => {
  const { conversations } = someConversations();
  const first = conversations.create();
  expect(conversations.create()).toBe(first);
  await first.send(aDraft("q"));
  expect(conversations.create()).not.toBe(first);
});

it("opens a chat with what another device wrote into its note meanwhile", async () => {
  const { store, conversations } = someConversations();
  server.willAnswer(answers.text(["the OLD answer"]));
  await conversations.create().send(aDraft("q"));
  const path = store.paths()[0] ?? "";
  store.put(path, store.text(path).replace("the OLD answer", "the NEW answer"));
  const opened = await conversations.openNote(path);
  expect(opened.kind === "opened" && opened.chat.getState().messages[1]?.text).toBe("the NEW answer");
});

it("leaves a running answer with its chat, however often that is opened", async () => {
  const { store, conversations } = someConversations();
  const chat = conversations.create();
  await chat.send(aDraft("q"));
  server.willAnswer(answers.hangInTheMiddle(["half"]));
  const sending = chat.send(aDraft("q2"));
  await until(() => chat.getState().running?.text === "half");
  const opened = await conversations.openNote(store.paths()[0] ?? "");
  expect(opened).toMatchObject({ kind: "opened", chat });
  conversations.stopAll();
  expect(await sending).toMatchObject({ kind: "incomplete", incomplete: { reason: "stopped" } });
});

it("keeps the branch that was chosen, over a restart", async () => {
  const { store, conversations } = someConversations();
  const chat = conversations.create();
  server.willAnswer(answers.text(["version 1"]));
  await chat.send(aDraft("q"));
  const first = chat.getState().messages[1]?.id ?? "";
  server.willAnswer(answers.text(["version 2"]));
  await chat.regenerate(first);
  chat.switchTo(first);
  await until(() => store.writes.length >= 4);
  const opened = await conversations.openNote(store.paths()[0] ?? "");
  expect(opened.kind === "opened" && opened.chat.getState().messages[1]?.text).toBe("version 1");
});

it("asks with the history that the note holds now: an answer deleted elsewhere is not missed without a word", async () => {
  const { store, conversations } = someConversations();
  const chat = conversations.create();
  for (const turn of [1, 2]) {
    server.willAnswer(answers.text([`ANSWER-${turn}`]));
    await chat.send(aDraft(`QUESTION-${turn}`));
  }
  const path = store.paths()[0] ?? "";
  store.put(path, store.text(path).replace(/\n## Copilot\n+ANSWER-2[^]*$/, "\n"));
  server.willAnswer(answers.text(["ok"]));
  await chat.send(aDraft("QUESTION-3"));
  const sent = lastMessages().map(({ content }) => String(content));
  expect(sent.slice(0, 2)).toEqual(["QUESTION-1", "ANSWER-1"]);
  expect(sent.join("\n")).toContain("QUESTION-3");
});

it("sends the pictures of a saved chat again, and the name of one that is gone", async () => {
  const saveImage = (): Promise<string> => Promise.resolve("Files/bed.png");
  const files: Record<string, string> = { "Files/bed.png": "AAAA" };
  const loadImage = (path: string): Promise<string | undefined> => Promise.resolve(files[path]);
  const { store, conversations } = someConversations({ saveImage, loadImage });
  await conversations.create().send(aDraft("see", { images: [PICTURE] }));
  const open = async () => {
    const opened = await conversations.openNote(store.paths()[0] ?? "");
    if (opened.kind !== "opened") throw new Error(opened.kind);
    return opened.chat;
  };
  const chat = await open();
  await chat.regenerate(chat.getState().messages[1]?.id ?? "");
  expect(JSON.stringify(lastMessages())).toContain("data:image/png;base64,AAAA");
  delete files["Files/bed.png"];
  const again = await open();
  await again.send(aDraft("and now?"));
  expect(JSON.stringify(lastMessages())).toContain("[image: bed.png]");
  expect(JSON.stringify(lastMessages())).not.toContain("base64,");
});

it("writes a pasted picture once, however often the send fails", async () => {
  const saveImage = jest.fn(() => Promise.resolve("Files/bed.png"));
  const { conversations } = someConversations({ saveImage });
  const chat = conversations.create();
  server.willAnswer(answers.error(500, "no"));
  const outcome = await chat.send(aDraft("see", { images: [PICTURE] }));
  if (outcome.kind !== "not-sent") throw new Error(outcome.kind);
  await chat.send(outcome.draft);
  expect(saveImage).toHaveBeenCalledTimes(1);
});

it("asks an edited question at the end where the old one was deleted meanwhile", async () => {
  const { conversations } = someConversations();
  const chat = conversations.create();
  for (const turn of [1, 2]) await chat.send(aDraft(`QUESTION-${turn}`));
  const edited = chat.getState().messages[2]?.id ?? "";
  await chat.deleteMessage(edited);
  await chat.editAndResend(edited, aDraft("QUESTION-2 again"));
  expect(lastMessages().map(({ content }) => content)).toEqual(
    expect.arrayContaining(["QUESTION-1", expect.stringContaining("QUESTION-2 again")]),
  );
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
