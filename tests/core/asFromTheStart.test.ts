/**
 * One truth: whatever was edited, deleted, asked again, switched or reloaded, the next request is the one that a fresh
 * conversation of the same active branch would send.
 */
import fc from "fast-check";
import { ChatPersistenceManager } from "../../src/core/ChatPersistenceManager";
import { MessageRepository } from "../../src/core/MessageRepository";
import type { ChatManager } from "../../src/core/ChatManager";
import { aChat, aDraft } from "../support/aChat";
import { answers, startFaultServer, type FaultServer } from "../support/faultServer";
import { FakeChatNoteStore } from "./fakeChatNoteStore";

jest.setTimeout(180_000);

let server: FaultServer;
beforeAll(async () => (server = await startFaultServer()));
afterAll(() => server.close());

type Step =
  | { readonly do: "send"; readonly text: string }
  | { readonly do: "edit" | "delete" | "regenerate" | "switch"; readonly at: number }
  | { readonly do: "reload" };

const anyText = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30 }),
  fc.constantFrom("## You", "---", "%%", "日本語", "a\n\nb"),
);
const anySteps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: anyText.map((text): Step => ({ do: "send", text })) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom("edit", "delete", "regenerate", "switch"),
        at: fc.nat(30),
      }) as fc.Arbitrary<Step>,
    },
    { weight: 1, arbitrary: fc.constant<Step>({ do: "reload" }) },
  ),
  { minLength: 3, maxLength: 10 },
);

/** The messages of the last request. */
const lastSent = (): unknown => {
  const { json } = server.requests[server.requests.length - 1] ?? { json: {} };
  return (json as { messages?: unknown }).messages;
};

test("the next request is that of a fresh conversation of the same branch", async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      const store = new FakeChatNoteStore();
      const persistence = new ChatPersistenceManager({ store, folder: () => "Chats" });
      const open = (loaded?: Parameters<typeof aChat>[0]["loaded"]): ChatManager =>
        aChat({
          baseUrl: server.baseUrl,
          ...(loaded ? { loaded } : {}),
          deps: { newId, save: (conversation) => persistence.save(conversation) },
        }).chat;
      let ids = 0;
      const newId = (): string => `m${(ids += 1)}`;
      let chat = open();
      for (const step of steps) {
        server.willAnswer(answers.text([`answer ${ids}`]));
        chat = await play(step, chat, { open, persistence, store });
      }
      const branch = chat.getState().messages;
      await chat.send(aDraft("the last question"));
      const sent = lastSent();

      const fresh = new MessageRepository();
      branch.forEach((message, index) => fresh.add({ ...message, parentId: branch[index - 1]?.id ?? null }));
      await aChat({
        baseUrl: server.baseUrl,
        loaded: { conversationId: "fresh", repository: fresh },
        deps: { newId },
      }).chat.send(aDraft("the last question"));
      expect(sent).toEqual(lastSent());
    }),
    { numRuns: 60 },
  );
});

interface Ground {
  readonly open: (loaded?: Parameters<typeof aChat>[0]["loaded"]) => ChatManager;
  readonly persistence: ChatPersistenceManager;
  readonly store: FakeChatNoteStore;
}

async function play(step: Step, chat: ChatManager, { open, persistence, store }: Ground): Promise<ChatManager> {
  if (step.do === "send") {
    await chat.send(aDraft(step.text));
    return chat;
  }
  if (step.do === "reload") {
    const [path] = store.paths();
    const opened = path === undefined ? undefined : await persistence.open(path);
    if (opened?.kind !== "opened") return chat;
    return open({ conversationId: opened.conversationId, title: opened.title, repository: opened.repository });
  }
  const { messages } = chat.getState();
  const message = messages[step.at % Math.max(1, messages.length)];
  if (!message) return chat;
  switch (step.do) {
    case "edit":
      if (message.role === "user") await chat.editAndResend(message.id, aDraft(`${message.text} (edited)`));
      return chat;
    case "regenerate":
      if (message.role === "assistant") await chat.regenerate(message.id);
      return chat;
    case "delete":
      await chat.deleteMessage(message.id);
      return chat;
    case "switch": {
      const { siblingIds } = chat.branchPosition(message.id);
      chat.switchTo(siblingIds[step.at % siblingIds.length] ?? message.id);
      return chat;
    }
  }
}
