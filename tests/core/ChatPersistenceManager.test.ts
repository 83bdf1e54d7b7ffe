import type { ChatMessage } from "../../src/core/chatTypes";
import { chatFileName } from "../../src/core/chatFileName";
import { readChatNote } from "../../src/core/chatNoteReader";
import type { ConversationToSave, SaveOutcome } from "../../src/core/ChatPersistenceManager";
import { ChatPersistenceManager } from "../../src/core/ChatPersistenceManager";
import { MessageRepository } from "../../src/core/MessageRepository";
import { anAssistantMessage, aUserMessage } from "../fixtures";
import type { PlannedFailure } from "./fakeChatNoteStore";
import { diskFull, FakeChatNoteStore } from "./fakeChatNoteStore";

interface Desk {
  readonly store: FakeChatNoteStore;
  readonly manager: ChatPersistenceManager;
}

function aDesk(folder = "Chats"): Desk {
  const store = new FakeChatNoteStore();
  return { store, manager: new ChatPersistenceManager({ store, folder: () => folder }) };
}

/** After a restart: the same vault, nothing remembered. */
const restarted = ({ store }: Desk, folder = "Chats"): Desk => ({
  store,
  manager: new ChatPersistenceManager({ store, folder: () => folder }),
});

function aChat(id = "c1", title = "Trip", messages: readonly ChatMessage[] = []): ConversationToSave {
  const repository = new MessageRepository();
  for (const message of messages) repository.add(message);
  return { conversationId: id, title, repository, model: "small" };
}

/** Adds a question and its answer at the end of the shown branch. */
function askAndAnswer({ repository }: ConversationToSave, number: number): void {
  repository.add(aUserMessage(`q${number}`, repository.leafId, { createdAtMs: number * 10 }));
  repository.add(anAssistantMessage(`a${number}`, `q${number}`, { createdAtMs: number * 10 + 1 }));
}

const aTalk = (id = "c1", title = "Trip", turns = 1): ConversationToSave => {
  const chat = aChat(id, title);
  for (let turn = 1; turn <= turns; turn += 1) askAndAnswer(chat, turn);
  return chat;
};

const textsIn = (text: string): string =>
  readChatNote(text)
    .messages.map((message) => message.text)
    .join(" | ");
const textsOf = ({ repository }: ConversationToSave): string =>
  repository
    .all()
    .map(({ text }) => text)
    .join(" | ");

async function opened({ manager }: Desk, path: string): Promise<ConversationToSave & { problems: string }> {
  const outcome = await manager.open(path);
  if (outcome.kind !== "opened") throw new Error(outcome.kind);
  const { conversationId, title, repository } = outcome;
  return { conversationId, title, repository, problems: outcome.problems.map(({ code }) => code).join(" ") };
}

const failureOf = (outcome: SaveOutcome): unknown => (outcome.kind === "failed" ? outcome.failure : outcome.kind);

describe("one note for each chat", () => {
  // https://github.com/logancyang/obsidian-copilot/pull/1582
  test("the question is on disk before the answer, and the answer when it came", async () => {
    const desk = aDesk();
    const chat = aChat("c1", "Trip", [aUserMessage("q1", null, { text: "Where to?" })]);
    expect(await desk.manager.save(chat)).toEqual({ kind: "saved", path: "Chats/Trip.md" });
    expect(textsIn(desk.store.text("Chats/Trip.md"))).toBe("Where to?");
    chat.repository.add(anAssistantMessage("a1", "q1", { text: "North." }));
    await desk.manager.save(chat);
    expect(textsIn(desk.store.text("Chats/Trip.md"))).toBe("Where to? | North.");
    expect(desk.store.paths()).toEqual(["Chats/Trip.md"]);
  });

  // https://github.com/YishenTu/claudian/issues/1066
  test("after a restart the chat is what it was: branches, the shown one, properties", async () => {
    const desk = aDesk();
    const chat = aTalk("c1", "Trip: north", 2);
    chat.repository.add(anAssistantMessage("b2", "q2"));
    chat.repository.switchTo("a2");
    await desk.manager.save({ ...chat, mode: "chat", project: "Holidays" });
    const again = await restarted(desk).manager.open("Chats/Trip north.md");
    expect(again).toMatchObject({
      kind: "opened", conversationId: "c1", title: "Trip: north", problems: [],
      header: { model: "small", mode: "chat", project: "Holidays", createdMs: 10, updatedMs: 1000, tags: ["copilot-chat"] },
    }); // prettier-ignore
    expect(again.kind === "opened" && again.repository.toData()).toEqual(chat.repository.toData());
  });

  // https://github.com/logancyang/obsidian-copilot/issues/398
  test("three questions are each once in the note, however often the chat is saved", async () => {
    const desk = aDesk();
    const chat = aChat();
    for (const turn of [1, 2, 3]) {
      askAndAnswer(chat, turn);
      await Promise.all([desk.manager.save(chat), desk.manager.save(chat)]);
    }
    expect(textsIn(desk.store.text("Chats/Trip.md"))).toBe(textsOf(chat));
    expect(desk.store.text("Chats/Trip.md").match(/## You/g)).toHaveLength(3);
  });

  test("saves at the same time make one note, and what is saved already is not written again", async () => {
    const desk = aDesk();
    const chat = aTalk();
    const saves = [desk.manager.save(chat), desk.manager.save(chat), desk.manager.save(chat)];
    askAndAnswer(chat, 2);
    saves.push(desk.manager.save(chat));
    await Promise.all(saves);
    expect(desk.store.paths()).toEqual(["Chats/Trip.md"]);
    expect(textsIn(desk.store.text("Chats/Trip.md"))).toBe(textsOf(chat));
    expect(desk.store.writes.length).toBeLessThanOrEqual(2);
  });

  test("20 chats saving at once keep apart, though they have one title and the folder is not there yet", async () => {
    const desk = aDesk("Copilot/Chats");
    const chats = Array.from({ length: 20 }, (_, number) => aChat(`c${number}`, "Same"));
    for (const turn of [1, 2, 3]) {
      const saves = chats.flatMap((chat, number) => {
        chat.repository.add(
          aUserMessage(`q${turn}`, chat.repository.leafId, { text: `question ${turn} of ${number}` }),
        );
        const asked = desk.manager.save(chat);
        chat.repository.add(anAssistantMessage(`a${turn}`, `q${turn}`, { text: `answer ${turn} to ${number}` }));
        return [asked, desk.manager.save(chat)];
      });
      await Promise.all(saves);
    }
    expect(desk.store.paths()).toHaveLength(20);
    for (const chat of chats) {
      const path = desk.manager.pathOf(chat.conversationId) ?? "";
      expect(readChatNote(desk.store.text(path)).header.conversationId).toBe(chat.conversationId);
      expect(textsIn(desk.store.text(path))).toBe(textsOf(chat));
    }
  });

  test("a chat without a message leaves no note, and a first question that was taken back takes its note along", async () => {
    const desk = aDesk();
    const chat = aChat();
    expect(await desk.manager.save(chat)).toEqual({ kind: "empty" });
    chat.repository.add(aUserMessage("q1"));
    await desk.manager.save(chat);
    chat.repository.withdraw("q1");
    expect(await desk.manager.save(chat)).toEqual({ kind: "empty" });
    expect([desk.store.paths(), desk.store.trashed]).toEqual([[], ["Chats/Trip.md"]]);
    askAndAnswer(chat, 2);
    expect(await desk.manager.save(chat)).toEqual({ kind: "saved", path: "Chats/Trip.md" });
  });

  test("an old chat whose messages were all deleted keeps its note", async () => {
    const desk = aDesk();
    await desk.manager.save(aTalk());
    const chat = await opened(restarted(desk), "Chats/Trip.md");
    const later = restarted(desk);
    const again = await opened(later, "Chats/Trip.md");
    for (const { id } of again.repository.all()) again.repository.remove(id);
    await later.manager.save(again);
    expect([desk.store.paths(), desk.store.trashed, chat.problems]).toEqual([["Chats/Trip.md"], [], ""]);
    expect(textsIn(desk.store.text("Chats/Trip.md"))).toBe("");
  });
});

describe("names and folders", () => {
  // https://github.com/glowingjade/obsidian-smart-composer/issues/404
  test("120 Japanese characters make a name that every file system and every link can take", async () => {
    const desk = aDesk();
    const title = "東京旅行の計画".repeat(20).slice(0, 120);
    await desk.manager.save(aTalk("c1", title));
    await desk.manager.save(aTalk("c2", title));
    for (const path of desk.store.paths()) {
      const name = path.slice("Chats/".length);
      expect(encodeURIComponent(name).length).toBeLessThanOrEqual(255);
      expect(readChatNote(desk.store.text(path)).header.title).toBe(title);
    }
    expect(desk.store.paths()).toHaveLength(2);
  });

  // https://github.com/logancyang/obsidian-copilot/issues/427
  it.each`
    setting                     | there                        | path                               | because
    ${"copilot-conversations/"} | ${[]}                        | ${"copilot-conversations/Trip.md"} | ${"a slash at the end is no folder"}
    ${"Copilot-Conversations"}  | ${["copilot-conversations"]} | ${"copilot-conversations/Trip.md"} | ${"on most desktops that is the same folder"}
    ${"Copilot"}                | ${["copilot", "Copilot"]}    | ${"Copilot/Trip.md"}               | ${"where both exist, the one that was asked for"}
    ${"/a//B\\c/"}              | ${["A", "A/b"]}              | ${"A/b/c/Trip.md"}                 | ${"each part is looked for"}
    ${".copilot/chats"}         | ${[]}                        | ${".copilot/chats/Trip.md"}        | ${"a hidden folder is a folder"}
    ${"../x"}                   | ${[]}                        | ${"x/Trip.md"}                     | ${"nothing is written outside the vault"}
    ${""}                       | ${[]}                        | ${"Trip.md"}                       | ${"the root"}
    ${"/"}                      | ${[]}                        | ${"Trip.md"}                       | ${"the root"}
  `(
    "the folder $setting beside $there → $path: $because",
    async (row: { setting: string; there: string[]; path: string }) => {
      const { setting, there, path } = row;
      const desk = aDesk(setting);
      for (const folder of there) desk.store.folders.add(folder);
      expect(await desk.manager.save(aTalk())).toEqual({ kind: "saved", path });
      expect(await restarted(desk, setting).manager.list()).toMatchObject({ chats: [{ path, title: "Trip" }] });
    },
  );

  test("a folder that a sync makes at the same moment is used", async () => {
    const desk = aDesk();
    desk.store.plan({ call: "createFolder", meanwhile: () => desk.store.folders.add("Chats"), fails: false });
    expect(await desk.manager.save(aTalk())).toEqual({ kind: "saved", path: "Chats/Trip.md" });
  });

  test("a note that somebody makes under the chosen name at the same moment is left alone", async () => {
    const desk = aDesk();
    desk.store.plan({ call: "create", meanwhile: () => desk.store.put("Chats/Trip.md", "mine"), fails: false });
    expect(await desk.manager.save(aTalk())).toEqual({ kind: "saved", path: "Chats/Trip 2.md" });
    expect(desk.store.text("Chats/Trip.md")).toBe("mine");
  });

  test("another title gives the note another name, once", async () => {
    const desk = aDesk();
    desk.store.put("Chats/Route.md", "mine");
    const chat = aTalk();
    await desk.manager.save(chat);
    expect(await desk.manager.save({ ...chat, title: "Route" })).toEqual({ kind: "saved", path: "Chats/Route 2.md" });
    await desk.manager.save({ ...chat, title: "Route" });
    expect(desk.store.paths()).toEqual(["Chats/Route 2.md", "Chats/Route.md"]);
    expect(readChatNote(desk.store.text("Chats/Route 2.md")).header.title).toBe("Route");
  });

  test("letter case alone is another name, too", async () => {
    const desk = aDesk();
    const chat = aTalk();
    await desk.manager.save(chat);
    expect(await desk.manager.save({ ...chat, title: "TRIP" })).toEqual({ kind: "saved", path: "Chats/TRIP.md" });
  });

  test("a name the vault refuses is said, and the chat is saved all the same", async () => {
    const desk = aDesk();
    const chat = aTalk();
    await desk.manager.save(chat);
    desk.store.plan({ call: "rename" });
    const outcome = await desk.manager.save({ ...chat, title: "Route" });
    expect(failureOf(outcome)).toMatchObject({ source: "vault", reason: "write", path: "Chats/Trip.md" });
    expect(readChatNote(desk.store.text("Chats/Trip.md")).header.title).toBe("Route");
  });
});

describe("a write that fails is said, and loses nothing", () => {
  it.each`
    failure                                                                        | reason         | because
    ${{ call: "process" }}                                                         | ${"write"}     | ${"the vault refused"}
    ${{ call: "process", error: diskFull() }}                                      | ${"disk-full"} | ${"Node says so with a code"}
    ${{ call: "process", error: new Error("QuotaExceededError: quota exceeded") }} | ${"disk-full"} | ${"a phone says so in words"}
    ${{ call: "process", error: diskFull(), leavesChars: 0 }}                      | ${"disk-full"} | ${"the file was emptied before it was to be written"}
    ${{ call: "process", error: diskFull(), leavesChars: 300 }}                    | ${"disk-full"} | ${"the file was half written"}
  `(
    "$failure.call, $failure.leavesChars characters left: $because",
    async ({ failure, reason }: { failure: PlannedFailure; reason: string }) => {
      const desk = aDesk();
      const chat = aTalk();
      await desk.manager.save(chat);
      const before = desk.store.text("Chats/Trip.md");
      askAndAnswer(chat, 2);
      desk.store.plan(failure);
      const outcome = await desk.manager.save(chat);
      expect(failureOf(outcome)).toMatchObject({ source: "vault", reason, path: "Chats/Trip.md" });
      expect(desk.store.text("Chats/Trip.md")).toBe(before);
      expect(await desk.manager.save(chat)).toEqual({ kind: "saved", path: "Chats/Trip.md" });
      expect(textsIn(desk.store.text("Chats/Trip.md"))).toBe(textsOf(chat));
      expect(desk.store.paths()).toEqual(["Chats/Trip.md"]);
    },
  );

  test("where the old text cannot be put back either, the next save writes the whole note", async () => {
    const desk = aDesk();
    const chat = aTalk();
    await desk.manager.save(chat);
    askAndAnswer(chat, 2);
    const full = { call: "process", error: diskFull(), leavesChars: 300 } as const;
    desk.store.plan(full, full);
    expect(failureOf(await desk.manager.save(chat))).toMatchObject({ reason: "disk-full" });
    expect(await desk.manager.save(chat)).toEqual({ kind: "saved", path: "Chats/Trip.md" });
    expect(textsIn(desk.store.text("Chats/Trip.md"))).toBe(textsOf(chat));
    expect(desk.store.paths()).toEqual(["Chats/Trip.md"]);
  });

  test("half a message that such a write left is no message", async () => {
    const desk = aDesk();
    const chat = aTalk();
    await desk.manager.save(chat);
    const complete = aDesk();
    askAndAnswer(chat, 2);
    await complete.manager.save({ ...chat, repository: MessageRepository.fromData(chat.repository.toData()) });
    const leavesChars = complete.store.text("Chats/Trip.md").indexOf("text of a2") + 5;
    const full = { call: "process", error: diskFull() } as const;
    desk.store.plan({ ...full, leavesChars }, full);
    await desk.manager.save(chat);
    expect(desk.store.text("Chats/Trip.md")).toMatch(/text $/);
    await desk.manager.save(chat);
    expect(textsIn(desk.store.text("Chats/Trip.md"))).toBe(textsOf(chat));
    expect(textsOf(chat)).toBe("text of q1 | text of a1 | text of q2 | text of a2");
  });

  it.each([undefined, 0, 200])(
    "a new note of which %s characters arrived is completed, not made twice",
    async (leavesChars) => {
      const desk = aDesk();
      const chat = aTalk();
      desk.store.plan({ call: "create", error: diskFull(), leavesChars });
      expect(failureOf(await desk.manager.save(chat))).toMatchObject({ source: "vault", reason: "disk-full" });
      expect(await desk.manager.save(chat)).toEqual({ kind: "saved", path: "Chats/Trip.md" });
      expect(desk.store.paths()).toEqual(["Chats/Trip.md"]);
      expect(textsIn(desk.store.text("Chats/Trip.md"))).toBe(textsOf(chat));
    },
  );

  it.each(["list", "createFolder", "create"] as const)(
    "a new chat that fails at %s is saved the next time",
    async (call) => {
      const desk = aDesk();
      const chat = aTalk();
      desk.store.plan({ call });
      expect(failureOf(await desk.manager.save(chat))).toMatchObject({ source: "vault", reason: "write" });
      expect(await desk.manager.save(chat)).toEqual({ kind: "saved", path: "Chats/Trip.md" });
    },
  );

  test("a failure of one chat is none of another", async () => {
    const desk = aDesk();
    const [one, two] = [aTalk("c1", "One"), aTalk("c2", "Two")];
    desk.store.plan({ call: "create" });
    const outcomes = await Promise.all([desk.manager.save(one), desk.manager.save(two)]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(["failed", "saved"]);
  });

  test("a write that is reported as failed but arrived is none", async () => {
    const desk = aDesk();
    const chat = aTalk();
    await desk.manager.save(chat);
    askAndAnswer(chat, 2);
    desk.store.plan({ call: "process", leavesChars: 1_000_000 });
    expect(await desk.manager.save(chat)).toEqual({ kind: "saved", path: "Chats/Trip.md" });
  });
});

describe("a note that was changed outside meanwhile is merged, not written over", () => {
  async function changedOutside(change: (text: string) => string): Promise<Desk & { chat: ConversationToSave }> {
    const desk = aDesk();
    const chat = aTalk("c1", "Trip", 2);
    await desk.manager.save(chat);
    desk.store.put("Chats/Trip.md", change(desk.store.text("Chats/Trip.md")));
    askAndAnswer(chat, 3);
    return { ...desk, chat };
  }

  const ALL = "text of q1 | text of a1 | text of q2 | text of a2 | text of q3 | text of a3";
  const A1 = /## Copilot\n\ntext of a1\n\n.*\n\n/;

  it.each<[string, (text: string) => string, string, string[]]>([
    [
      "an answer was edited",
      (text) => text.replace("text of a1", "text by hand"),
      ALL.replace("text of a1", "text by hand"),
      [],
    ],
    ["an answer was deleted", (text) => text.replace(A1, ""), ALL.replace("text of a1 | ", ""), []],
    [
      "a remark was added",
      (text) => text.replace(/(text of a1\n\n.*\n)/, "$1\n## You\n\nA remark\n"),
      `${ALL} | A remark`,
      [],
    ],
    ["a marker was deleted", (text) => text.replace(/%%\{"message":"a1".*\n/, ""), ALL, []],
    [
      "a marker was deleted and its text edited",
      (text) => text.replace(/%%\{"message":"a1".*\n/, "").replace("text of a1", "text by hand"),
      ALL.replace("text of a1", "text by hand"),
      [],
    ],
    [
      "an answer is gone, and the note is damaged elsewhere: it may have gone by mistake",
      (text) => text.replace(A1, "").replace(/%%\{"message":"q1".*\n/, ""),
      ALL,
      [],
    ],
    ["a sync cut the note off", (text) => text.slice(0, 500), ALL, []],
    ["a sync emptied the note", () => "", ALL, []],
    ["a marker was broken", (text) => text.replace('"at":11,', '"at":11'), ALL, ["Chats/Trip (copy).md"]],
    ["another text was put in its place", () => "Shopping list\n", ALL, ["Chats/Trip (copy).md"]],
    ["line ends were changed", (text) => text.replace(/\n/g, "\r\n"), ALL, []],
  ])("%s", async (_name, change, expected, copies) => {
    const { store, manager, chat } = await changedOutside(change);
    const theirs = store.text("Chats/Trip.md");
    expect(await manager.save(chat)).toMatchObject({ kind: "saved", path: "Chats/Trip.md" });
    expect(textsIn(store.text("Chats/Trip.md"))).toBe(expected);
    expect(textsOf(chat)).toBe(expected);
    expect(store.paths()).toEqual([...copies, "Chats/Trip.md"]);
    for (const copy of copies) expect(store.text(copy)).toBe(theirs);
    // Settled: nothing more to merge, no second copy.
    askAndAnswer(chat, 4);
    expect(await manager.save(chat)).toEqual({ kind: "saved", path: "Chats/Trip.md" });
    expect(store.paths()).toEqual([...copies, "Chats/Trip.md"]);
  });

  test("both changed one answer: the chat's is in the note, the other in a copy", async () => {
    const { store, manager, chat } = await changedOutside((text) => text.replace("text of a1", "theirs"));
    chat.repository.replace(anAssistantMessage("a1", "q1", { text: "ours", createdAtMs: 11 }));
    await manager.save(chat);
    expect(textsIn(store.text("Chats/Trip.md"))).toBe(ALL.replace("text of a1", "ours"));
    expect(textsIn(store.text("Chats/Trip (copy).md"))).toContain("theirs");
  });

  test("tags, properties and text above the chat are the user's; a title that was changed there is told", async () => {
    const { store, manager, chat } = await changedOutside((text) =>
      text
        .replace("title: Trip", "title: North\nrating: 5")
        .replace("  - copilot-chat", "  - copilot-chat\n  - travel")
        .replace("## You", "About [[Norway]].\n\n## You"),
    );
    expect(await manager.save(chat)).toEqual({ kind: "saved", path: "Chats/Trip.md", title: "North" });
    askAndAnswer(chat, 4);
    await manager.save(chat);
    const note = readChatNote(store.text("Chats/Trip.md"));
    expect(note.header).toMatchObject({ title: "North", tags: ["copilot-chat", "travel"], updatedMs: 41 });
    expect(store.text("Chats/Trip.md")).toContain("title: North\nrating: 5\n");
    expect(note.surroundings.preamble).toBe("About [[Norway]].");
  });

  test("an older state that a sync brought back takes no message away", async () => {
    const desk = aDesk();
    const chat = aTalk("c1", "Trip", 1);
    await desk.manager.save(chat);
    const older = desk.store.text("Chats/Trip.md");
    askAndAnswer(chat, 2);
    await desk.manager.save(chat);
    desk.store.put("Chats/Trip.md", older);
    askAndAnswer(chat, 3);
    await desk.manager.save(chat);
    expect(textsIn(desk.store.text("Chats/Trip.md"))).toBe(ALL);
    expect(desk.store.paths()).toEqual(["Chats/Trip.md"]);
  });

  test("the chat goes on at the end to which another device brought it", async () => {
    const here = aDesk();
    const chat = aTalk("c1", "Trip", 1);
    await here.manager.save(chat);
    const there = restarted(here);
    const same = await opened(there, "Chats/Trip.md");
    askAndAnswer(same, 2);
    await there.manager.save(same);
    await here.manager.save({ ...chat, title: "Trip!" });
    expect(chat.repository.activeBranch().map(({ id }) => id)).toEqual(["q1", "a1", "q2", "a2"]);
  });

  test("two views of one chat do not delete each other's messages", async () => {
    const desk = aDesk();
    await desk.manager.save(aTalk("c1", "Trip", 1));
    const [one, two] = [await opened(desk, "Chats/Trip.md"), await opened(desk, "Chats/Trip.md")];
    one.repository.add(aUserMessage("left", "a1"));
    two.repository.add(aUserMessage("right", "a1"));
    await Promise.all([desk.manager.save(one), desk.manager.save(two)]);
    expect(textsIn(desk.store.text("Chats/Trip.md"))).toBe("text of q1 | text of a1 | text of right | text of left");
    expect(desk.store.paths()).toEqual(["Chats/Trip.md"]);
  });

  test("the images of an edited question keep their data in the chat", async () => {
    const desk = aDesk();
    const images = [{ name: "a.png", mimeType: "image/png", base64: "AAAA", path: "img/a.png" }];
    const chat = aChat("c1", "Trip", [aUserMessage("q1", null, { images })]);
    await desk.manager.save(chat);
    desk.store.put("Chats/Trip.md", desk.store.text("Chats/Trip.md").replace("text of q1", "edited"));
    chat.repository.add(anAssistantMessage("a1", "q1"));
    await desk.manager.save(chat);
    expect(chat.repository.get("q1")).toMatchObject({ text: "edited", images });
  });

  test("a change between looking and writing is merged as well", async () => {
    const { store, manager, chat } = await changedOutside((text) => text.replace("text of a1", "first edit"));
    const editAgain = (): void =>
      store.put("Chats/Trip.md", store.text("Chats/Trip.md").replace("text of a2", "second edit"));
    store.plan({ call: "process", fails: false }, { call: "process", meanwhile: editAgain, fails: false });
    await manager.save(chat);
    expect(textsIn(store.text("Chats/Trip.md"))).toBe(
      ALL.replace("text of a1", "first edit").replace("text of a2", "second edit"),
    );
  });

  test("a note that changes under every attempt is left to the next save, and that is said", async () => {
    const { store, manager, chat } = await changedOutside((text) => text);
    let count = 0;
    const touch = (): void =>
      store.put("Chats/Trip.md", store.text("Chats/Trip.md").replace(/text of a1\d*/, `text of a1${(count += 1)}`));
    for (let time = 0; time < 5; time += 1) store.plan({ call: "process", meanwhile: touch, fails: false });
    expect(failureOf(await manager.save(chat))).toEqual({
      source: "vault",
      reason: "changed-outside",
      path: "Chats/Trip.md",
    });
    expect(await manager.save(chat)).toMatchObject({ kind: "saved" });
    expect(textsIn(store.text("Chats/Trip.md"))).toBe(ALL.replace("text of a1", "text of a15"));
  });

  test("where no copy can be made, the note stays as it is", async () => {
    const { store, manager, chat } = await changedOutside(() => "Shopping list\n");
    store.plan({ call: "create", error: diskFull() });
    expect(failureOf(await manager.save(chat))).toMatchObject({ reason: "disk-full" });
    expect(store.text("Chats/Trip.md")).toBe("Shopping list\n");
  });

  test("a message that came while the note was being written is in the next save", async () => {
    const desk = aDesk();
    const chat = aTalk();
    await desk.manager.save(chat);
    askAndAnswer(chat, 2);
    desk.store.plan({ call: "process", meanwhile: () => askAndAnswer(chat, 3), fails: false });
    await desk.manager.save(chat);
    await desk.manager.save(chat);
    expect(textsIn(desk.store.text("Chats/Trip.md"))).toBe(ALL);
  });
});

describe("a note that is not where it was", () => {
  async function lost(act: (store: FakeChatNoteStore) => void): Promise<Desk & { chat: ConversationToSave }> {
    const desk = aDesk();
    const chat = aTalk();
    await desk.manager.save(chat);
    act(desk.store);
    askAndAnswer(chat, 2);
    return { ...desk, chat };
  }

  function move(store: FakeChatNoteStore, from: string, to: string): void {
    const text = store.text(from);
    store.files.delete(from);
    store.put(to, text);
  }

  it.each<[string, (store: FakeChatNoteStore) => void, string[]]>([
    [
      "was renamed by hand: the chat finds it",
      (store) => move(store, "Chats/Trip.md", "Chats/My trip.md"),
      ["Chats/My trip.md"],
    ],
    [
      "was moved to a folder below: the chat finds it",
      (store) => move(store, "Chats/Trip.md", "Chats/2025/Trip.md"),
      ["Chats/2025/Trip.md"],
    ],
    [
      "was deleted: what is said from here on is not lost",
      (store) => store.files.delete("Chats/Trip.md"),
      ["Chats/Trip.md"],
    ],
  ])("%s", async (_name, act, paths) => {
    const { store, manager, chat } = await lost(act);
    expect(await manager.save(chat)).toEqual({ kind: "saved", path: paths[0] });
    expect(store.paths()).toEqual(paths);
    expect(textsIn(store.text(paths[0] ?? ""))).toBe(textsOf(chat));
  });

  test("another chat took its place: that one is left alone", async () => {
    const { store, manager, chat } = await lost((desk) =>
      desk.put("Chats/Trip.md", desk.text("Chats/Trip.md").replace("conversation: c1", "conversation: c9")),
    );
    const other = store.text("Chats/Trip.md");
    expect(await manager.save(chat)).toEqual({ kind: "saved", path: "Chats/Trip 2.md" });
    expect(store.text("Chats/Trip.md")).toBe(other);
  });

  test("the vault told that it was moved, or its folder", async () => {
    const { store, manager, chat } = await lost((desk) => move(desk, "Chats/Trip.md", "Talks/Trip.md"));
    manager.noteMoved("Chats", "Talks");
    expect(await manager.save(chat)).toEqual({ kind: "saved", path: "Talks/Trip.md" });
    move(store, "Talks/Trip.md", "Talks/My trip.md");
    manager.noteMoved("Talks/Trip.md", "Talks/My trip.md");
    askAndAnswer(chat, 3);
    expect(await manager.save(chat)).toEqual({ kind: "saved", path: "Talks/My trip.md" });
  });
});

describe("a damaged note", () => {
  async function damaged(damage: (text: string) => string): Promise<Desk> {
    const desk = aDesk();
    await desk.manager.save(aTalk("c1", "Trip", 2));
    desk.store.put("Chats/Trip.md", damage(desk.store.text("Chats/Trip.md")));
    return restarted(desk);
  }

  test("is not touched by opening it, nor by a save without a change", async () => {
    const desk = await damaged((text) => text.replace('"at":11,', '"at":11').slice(0, -40));
    const before = desk.store.text("Chats/Trip.md");
    const chat = await opened(desk, "Chats/Trip.md");
    expect(chat.problems).toBe("marker-damaged marker-damaged");
    await desk.manager.save(chat);
    expect([desk.store.text("Chats/Trip.md"), desk.store.paths()]).toEqual([before, ["Chats/Trip.md"]]);
  });

  test("is kept as a copy when the user goes on and something of it would be lost", async () => {
    const desk = await damaged((text) => text.replace('"at":11,', '"at":11'));
    const before = desk.store.text("Chats/Trip.md");
    const chat = await opened(desk, "Chats/Trip.md");
    for (const turn of [3, 4]) {
      askAndAnswer(chat, turn);
      await desk.manager.save(chat);
    }
    expect(desk.store.paths()).toEqual(["Chats/Trip (copy).md", "Chats/Trip.md"]);
    expect(desk.store.text("Chats/Trip (copy).md")).toBe(before);
    expect(textsIn(desk.store.text("Chats/Trip.md"))).toBe(textsOf(chat));
  });

  test("needs no copy when all of it is in the chat", async () => {
    const desk = await damaged((text) => text.replace(/%%\{"message":"a1".*\n/, ""));
    const chat = await opened(desk, "Chats/Trip.md");
    askAndAnswer(chat, 3);
    await desk.manager.save(chat);
    expect(desk.store.paths()).toEqual(["Chats/Trip.md"]);
  });
});

describe("history", () => {
  test("lists chats by their last message, and neither other notes nor copies", async () => {
    const desk = aDesk();
    await desk.manager.save(aTalk("c1", "Old: one", 1));
    await desk.manager.save(aTalk("c2", "New one", 3));
    desk.store.put("Chats/Shopping.md", "- bread");
    desk.store.put("Chats/New one (copy).md", desk.store.text("Chats/New one.md"));
    desk.store.put("Chats/map.png", "");
    desk.store.put("Chats/2024/Bare.md", desk.store.text("Chats/New one.md").replace(/^---[^]*?\n---\n/, ""));
    const listed = await restarted(desk).manager.list();
    expect(listed).toMatchObject({
      kind: "listed",
      chats: [
        { path: "Chats/New one.md", conversationId: "c2", title: "New one", updatedMs: 31 },
        { path: "Chats/Old one.md", conversationId: "c1", title: "Old: one", updatedMs: 11 },
        { path: "Chats/2024/Bare.md", title: "Bare" },
      ],
      unreadable: [],
    });
  });

  test("a folder that is not there is an empty history, one that cannot be read is a failure", async () => {
    const desk = aDesk();
    expect(await desk.manager.list()).toEqual({ kind: "listed", chats: [], unreadable: [] });
    desk.store.plan({ call: "list" });
    expect(await desk.manager.list()).toMatchObject({ kind: "failed", failure: { source: "vault" } });
  });

  test("a note that cannot be read is named, and the others are listed", async () => {
    const desk = aDesk();
    await desk.manager.save(aTalk("c1", "One"));
    await desk.manager.save(aTalk("c2", "Two"));
    desk.store.plan({ call: "read" });
    const listed = await desk.manager.list();
    expect(listed).toMatchObject({ chats: [{ title: "Two" }], unreadable: [{ path: "Chats/One.md" }] });
  });

  test("a chat is read again only when its note changed", async () => {
    const desk = aDesk();
    await desk.manager.save(aTalk("c1", "One"));
    await desk.manager.list();
    desk.store.plan({ call: "read" });
    expect(await desk.manager.list()).toMatchObject({ chats: [{ title: "One" }], unreadable: [] });
    desk.store.put("Chats/One.md", desk.store.text("Chats/One.md").replace("title: One", "title: 1st"));
    expect(await desk.manager.list()).toMatchObject({ unreadable: [{ path: "Chats/One.md" }] });
  });

  test("rename changes the title and the name, and nothing else of the note; an open chat follows", async () => {
    const desk = aDesk();
    const chat = aTalk();
    await desk.manager.save(chat);
    desk.store.put("Chats/Trip.md", desk.store.text("Chats/Trip.md").replace("title: Trip", "title: Trip\nrating: 5"));
    const before = desk.store.text("Chats/Trip.md");
    expect(await desk.manager.rename("Chats/Trip.md", "Trip? No!")).toBeUndefined();
    expect(desk.store.paths()).toEqual(["Chats/Trip No!.md"]);
    expect(desk.store.text("Chats/Trip No!.md")).toBe(before.replace("title: Trip", 'title: "Trip? No!"'));
    askAndAnswer(chat, 2);
    expect(await desk.manager.save(chat)).toEqual({ kind: "saved", path: "Chats/Trip No!.md", title: "Trip? No!" });
    expect(desk.store.paths()).toEqual(["Chats/Trip No!.md"]);
  });

  it.each(["read", "process", "rename"] as const)(
    "a rename that fails at %s is said, and the note is there",
    async (call) => {
      const desk = aDesk();
      await desk.manager.save(aTalk());
      desk.store.plan({ call });
      expect(await desk.manager.rename("Chats/Trip.md", "Other")).toMatchObject({ source: "vault" });
      expect(desk.store.paths()).toEqual(["Chats/Trip.md"]);
    },
  );

  test("delete moves the note to the trash, after the saves that are under way", async () => {
    const desk = aDesk();
    const chat = aTalk();
    await desk.manager.save(chat);
    askAndAnswer(chat, 2);
    const [saved, failure] = await Promise.all([desk.manager.save(chat), desk.manager.delete("Chats/Trip.md")]);
    expect([saved.kind, failure, desk.store.paths(), desk.store.trashed]).toEqual([
      "saved",
      undefined,
      [],
      ["Chats/Trip.md"],
    ]);
    expect(await desk.manager.delete("Chats/Trip.md")).toMatchObject({ source: "vault", reason: "write" });
    expect(await desk.manager.open("Chats/Trip.md")).toEqual({ kind: "missing" });
  });

  test("opening what cannot be read is a failure", async () => {
    const desk = aDesk();
    desk.store.plan({ call: "read" });
    expect(await desk.manager.open("Chats/Trip.md")).toMatchObject({ kind: "failed", failure: { source: "vault" } });
  });

  test("a note that was copied by hand is a chat of its own", async () => {
    const desk = aDesk();
    const chat = aTalk();
    await desk.manager.save(chat);
    desk.store.put("Chats/Trip 1.md", desk.store.text("Chats/Trip.md"));
    const copy = await opened(desk, "Chats/Trip 1.md");
    expect(copy.conversationId).toBe("c1~2");
    askAndAnswer(copy, 7);
    askAndAnswer(chat, 2);
    await Promise.all([desk.manager.save(chat), desk.manager.save(copy)]);
    expect(textsIn(desk.store.text("Chats/Trip 1.md"))).toBe(textsOf(copy));
    expect(textsIn(desk.store.text("Chats/Trip.md"))).toBe(textsOf(chat));
  });

  test("a note that was moved by hand and opened at its new place is the same chat", async () => {
    const desk = aDesk();
    await desk.manager.save(aTalk());
    desk.store.put("Trip.md", desk.store.text("Chats/Trip.md"));
    desk.store.files.delete("Chats/Trip.md");
    const chat = await opened(desk, "Trip.md");
    expect([chat.conversationId, desk.manager.pathOf("c1")]).toEqual(["c1", "Trip.md"]);
  });

  test("a note without properties opens under its name, and gets them when the chat goes on", async () => {
    const desk = aDesk();
    desk.store.put("Chats/By hand.md", "## You\n\nHello?\n");
    const chat = await opened(desk, "Chats/By hand.md");
    expect([chat.title, textsOf(chat)]).toEqual(["By hand", "Hello?"]);
    chat.repository.add(anAssistantMessage("a1", chat.repository.leafId));
    expect(await desk.manager.save(chat)).toEqual({ kind: "saved", path: "Chats/By hand.md" });
    expect(readChatNote(desk.store.text("Chats/By hand.md")).header.conversationId).toBe(chat.conversationId);
  });
});

test("the name of a chat is that of its title", () => {
  expect(chatFileName("Trip")).toBe("Trip.md");
});
