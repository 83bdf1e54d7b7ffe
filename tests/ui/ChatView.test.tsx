import { MarkdownRenderer } from "obsidian-test-mocks/obsidian";
import type { RequestReport } from "../../src/context/requestReport";
import { aReport, anAssistantMessage, aUserMessage } from "../fixtures";
import { FakeChat } from "./fakeChat";
import { button, click, find, openView, press, settled, type, type OpenedView } from "./viewSupport";

let opened: OpenedView | undefined;
const open = async (chat: FakeChat, more: Parameters<typeof openView>[1] = {}): Promise<OpenedView> => {
  opened = await openView(chat, more);
  return opened;
};
afterEach(async () => {
  await opened?.close();
  opened = undefined;
  jest.restoreAllMocks();
});

/** `keyCode` is the only sign of it in Safari, deprecated or not. */
const heldByInputMethod: KeyboardEventInit = Object.fromEntries([["keyCode", 229]]);

describe("writing", () => {
  test("Enter sends what was typed and clears the field", async () => {
    const chat = new FakeChat();
    const { field } = await open(chat);
    await type(field, "  What is planned?\n");
    await press(field, "Enter");
    expect(chat.sent.map(({ text }) => text)).toEqual(["  What is planned?\n"]);
    expect(field.text).toBe("");
  });

  test("Shift and Enter is a new line", async () => {
    const chat = new FakeChat();
    const { field } = await open(chat);
    await type(field, "one");
    await press(field, "Enter", { shiftKey: true });
    expect(chat.sent).toEqual([]);
    expect(field.text).toBe("one\n");
  });

  test("an input method keeps its Enter while it composes", async () => {
    const chat = new FakeChat();
    const { field } = await open(chat);
    await type(field, "日本");
    await press(field, "Enter", { isComposing: true });
    expect(chat.sent).toEqual([]);
  });

  test("and the Enter that ended the composition, which Safari sends after its end", async () => {
    const chat = new FakeChat();
    const { field } = await open(chat);
    await type(field, "日本");
    await press(field, "Enter", heldByInputMethod);
    expect(chat.sent).toEqual([]);
  });

  test("what was not sent comes back above what was typed meanwhile", async () => {
    const chat = new FakeChat();
    const { field } = await open(chat);
    await type(field, "question");
    await press(field, "Enter");
    await type(field, "and more");
    chat.finish({ kind: "not-sent", draft: chat.sent[0] ?? { text: "", attachments: [], images: [] } });
    await settled();
    expect(field.text).toBe("question\n\nand more");
  });

  test("while an answer runs Enter sends nothing, the text stays, and the button stops", async () => {
    const chat = new FakeChat({ phase: "waiting", messages: [aUserMessage("q1")] });
    const { field, root } = await open(chat);
    await type(field, "next");
    await press(field, "Enter");
    expect(chat.sent).toEqual([]);
    expect(field.text).toBe("next");
    await click(button(root, "Stop"));
    expect(chat.calls).toEqual(["stop"]);
  });

  test("nothing but blanks cannot be sent", async () => {
    const chat = new FakeChat();
    const { field, root } = await open(chat);
    await type(field, " \n ");
    expect(button(root, "Send").disabled).toBe(true);
    await press(field, "Enter");
    expect(chat.sent).toEqual([]);
  });

  test("each conversation keeps its draft", async () => {
    const first = new FakeChat();
    const { field, view } = await open(first);
    await type(field, "for the first");
    view.showChat(new FakeChat({ conversationId: "c2" }));
    await settled();
    expect(field.text).toBe("");
    view.showChat(first);
    await settled();
    expect(field.text).toBe("for the first");
  });
});

describe("the active note", () => {
  const activate = async ({ app }: OpenedView, path: string): Promise<void> => {
    const file = app.vault.getFileByPath(path);
    jest.spyOn(app.workspace, "getActiveFile").mockReturnValue(file);
    app.workspace.trigger("file-open", file);
    await settled();
  };
  const pills = (root: HTMLElement): string[] =>
    [...root.querySelectorAll(".vault-copilot-pill-title")].map((pill) => pill.textContent ?? "");

  test("follows the editor, goes along, and stays away once removed until another note is active", async () => {
    const chat = new FakeChat();
    const view = await open(chat);
    await activate(view, "Today.md");
    expect(pills(view.root)).toEqual(["Today"]);
    await activate(view, "Plan.md");
    expect(pills(view.root)).toEqual(["Plan"]);
    await type(view.field, "hi");
    await press(view.field, "Enter");
    expect(chat.sent[0]?.attachments.map(({ id }) => id)).toEqual(["Plan.md"]);
    await click(button(view.root, "Remove Plan"));
    expect(pills(view.root)).toEqual([]);
    await activate(view, "Plan.md");
    expect(pills(view.root)).toEqual([]);
    await activate(view, "Today.md");
    expect(pills(view.root)).toEqual(["Today"]);
  });

  test("is left out when the setting says so, at once", async () => {
    const view = await open(new FakeChat());
    await activate(view, "Today.md");
    view.settings.change({ includeActiveNote: false });
    await settled();
    expect(pills(view.root)).toEqual([]);
  });

  test("that is attached by hand too is shown once", async () => {
    const view = await open(new FakeChat());
    await activate(view, "Today.md");
    view.view.attach({ id: "Today.md", kind: "note", title: "Today" });
    await settled();
    expect(pills(view.root)).toEqual(["Today"]);
  });
});

describe("answers", () => {
  const question = aUserMessage("q1");
  const blocks = (root: HTMLElement): Element[] => [...root.querySelectorAll(".vault-copilot-rendered")];

  test("a finished block keeps its element while the answer grows, and when it is finished", async () => {
    const chat = new FakeChat({
      phase: "streaming",
      messages: [question],
      running: { text: "One.\n\nTw", reasoning: "" },
    });
    const { root } = await open(chat);
    await settled();
    const [first, second] = blocks(root);
    expect([first?.textContent, second?.textContent]).toEqual(["One.\n\n", "Tw"]);
    chat.become({ running: { text: "One.\n\nTwo.\n\nThree", reasoning: "" } });
    await settled(200);
    expect(blocks(root).map((block) => block.textContent)).toEqual(["One.\n\n", "Two.\n\n", "Three"]);
    expect(blocks(root)[0]).toBe(first);
    const third = blocks(root)[2];
    chat.become({
      phase: "idle",
      running: undefined,
      messages: [question, anAssistantMessage("a1", "q1", { text: "One.\n\nTwo.\n\nThree" })],
    });
    await settled(200);
    expect(blocks(root)[0]).toBe(first);
    expect(blocks(root)[2]).toBe(third);
  });

  test("a block that cannot be rendered is shown as plain text", async () => {
    jest.spyOn(console, "warn").mockImplementation(() => undefined);
    const chat = new FakeChat();
    const { root } = await open(chat);
    jest.spyOn(MarkdownRenderer, "render").mockRejectedValue(new Error("a plugin threw"));
    chat.become({ messages: [question, anAssistantMessage("a1", "q1", { text: "**bold**" })] });
    await settled(100);
    expect(find(root, ".vault-copilot-plain").textContent).toBe("**bold**");
  });

  test("an incomplete answer says why, and what had arrived is there", async () => {
    const chat = new FakeChat({
      messages: [question, anAssistantMessage("a1", "q1", { text: "Half", incomplete: { reason: "stopped" } })],
    });
    const { root } = await open(chat);
    expect(find(root, ".vault-copilot-answer").textContent).toContain("Half");
    expect(find(root, ".vault-copilot-incomplete").textContent).toBe("You stopped this answer.");
  });

  test("a finished answer is announced once, its words while streaming are not", async () => {
    const chat = new FakeChat({ phase: "streaming", messages: [question], running: { text: "Hel", reasoning: "" } });
    const { root } = await open(chat);
    const announcer = find(root, "[role=status][aria-live=polite]");
    expect(announcer.textContent).toBe("");
    chat.become({
      phase: "idle",
      running: undefined,
      messages: [question, anAssistantMessage("a1", "q1", { text: "Hello" })],
    });
    await settled();
    expect(announcer.textContent).toBe("Hello");
    expect(find(root, "[role=log]").getAttribute("aria-live")).toBe("off");
  });

  test("a question is shown as it was typed, markup and all", async () => {
    const text = "  <b>no</b> **stars**\n\n[[link]]";
    const { root } = await open(new FakeChat({ messages: [aUserMessage("q1", null, { text })] }));
    expect(find(root, ".vault-copilot-question-text").textContent).toBe(text);
    expect(find(root, ".vault-copilot-question-text").children).toHaveLength(0);
  });

  test("a link between notes opens the note", async () => {
    const { root, app } = await open(new FakeChat());
    const openLinkText = jest.spyOn(app.workspace, "openLinkText").mockResolvedValue();
    const link = root.createEl("a", { cls: "internal-link", attr: { "data-href": "R&D (a) #1 100%" } });
    const event = new MouseEvent("click", { bubbles: true, cancelable: true });
    link.dispatchEvent(event);
    expect(openLinkText).toHaveBeenCalledWith("R&D (a) #1 100%", "", false);
    expect(event.defaultPrevented).toBe(true);
  });
});

describe("what can be done with a message", () => {
  const messages = [aUserMessage("q1", null, { text: "old question" }), anAssistantMessage("a1", "q1")];

  test("a changed question is sent beside the old one, and a half-written new one is left alone", async () => {
    const chat = new FakeChat({ messages });
    const { root, field } = await open(chat);
    await type(field, "half-written");
    await click(button(root, "Edit"));
    expect(field.text).toBe("old question");
    await type(field, "new question");
    await press(field, "Enter");
    expect(chat.resent).toEqual([{ messageId: "q1", draft: { text: "new question", attachments: [], images: [] } }]);
    expect(field.text).toBe("half-written");
    chat.finish({ kind: "not-sent", draft: { text: "new question", attachments: [], images: [] } });
    await settled();
    expect(field.text).toBe("new question");
    await click(button(root, "Cancel editing"));
    expect(field.text).toBe("half-written");
  });

  test("regenerate, delete and versions reach the chat", async () => {
    const chat = new FakeChat({ messages });
    chat.positions = { a1: { index: 1, siblingIds: ["a0", "a1", "a2"] } };
    const { root } = await open(chat);
    expect(find(root, ".vault-copilot-branches").textContent).toBe("2 / 3");
    await click(button(root, "Previous version"));
    await click(button(root, "Next version"));
    await click(button(root, "Regenerate"));
    expect(chat.calls).toEqual(["switch to a0", "switch to a2", "regenerate a1"]);
  });
});

describe("what went wrong", () => {
  test("is a card in the chat that can be dismissed", async () => {
    const chat = new FakeChat({ failure: { source: "empty-answer" } });
    const { root } = await open(chat);
    expect(find(root, "[role=alert]").textContent).toContain("The answer was empty");
    await click(button(root, "Dismiss"));
    expect(root.querySelector("[role=alert]")).toBeNull();
  });
});

describe("the budget", () => {
  const reported = (report: Partial<RequestReport>): FakeChat => {
    const chat = new FakeChat();
    chat.report = aReport(report);
    return chat;
  };

  test("is previewed while typing, with the active note, after the last key press only", async () => {
    const chat = reported({});
    const { field, root } = await open(chat);
    await settled(300);
    const before = chat.previewed.length;
    await type(field, "a");
    await type(field, "ab");
    await settled(300);
    expect(chat.previewed.slice(before).map(({ text }) => text)).toEqual(["ab"]);
    expect(find(root, ".vault-copilot-legend").textContent).toContain("Attached 500");
  });

  test("shows the last request right after it, with what the provider counted", async () => {
    const chat = reported({});
    const { root } = await open(chat);
    await settled(300);
    chat.become({
      messages: [aUserMessage("q1"), anAssistantMessage("a1", "q1")],
      lastReport: aReport({ usage: { inputTokens: 1030, outputTokens: 12 } }),
    });
    await settled();
    await click(find<HTMLButtonElement>(root, ".vault-copilot-budget"));
    const inspector = find(root, ".vault-copilot-inspector").textContent;
    expect(inspector).toContain("The last request");
    expect(inspector).toContain("3% more than estimated");
  });

  test("the exact last request can be copied once there is one", async () => {
    const chat = reported({});
    const { root } = await open(chat);
    await click(find<HTMLButtonElement>(root, ".vault-copilot-budget"));
    expect(root.querySelector(".vault-copilot-inspector button")).toBeNull();
    chat.request = '{"model":"m"}';
    chat.become({ lastReport: aReport() });
    await settled();
    const writeText = jest.fn().mockResolvedValue(undefined);
    Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
    await click(find<HTMLButtonElement>(root, ".vault-copilot-inspector button"));
    expect(writeText).toHaveBeenCalledWith('{"model":"m"}');
  });

  test("a new threshold asks for a new preview", async () => {
    const chat = reported({});
    const { settings } = await open(chat);
    await settled(300);
    const before = chat.previewed.length;
    settings.change({ autoCompactThreshold: 8000 });
    await settled(300);
    expect(chat.previewed.length).toBe(before + 1);
  });

  test("the chat says above which line nothing was sent", async () => {
    const history = { droppedTurns: 1, droppedTokens: 900, shortenedMessages: 0, keptTokens: 1, budgetTokens: 10 };
    const messages = [
      aUserMessage("q1"),
      anAssistantMessage("a1", "q1"),
      aUserMessage("q2", "a1"),
      anAssistantMessage("a2", "q2"),
    ];
    const { root } = await open(new FakeChat({ messages, lastReport: aReport({ history }) }));
    const rows = [...root.querySelectorAll(".vault-copilot-row")];
    expect(rows.map((row) => row.querySelector(".vault-copilot-gap") !== null)).toEqual([false, false, true, false]);
    expect(find(root, ".vault-copilot-gap").textContent).toContain("1 exchange, 900 tokens");
  });
});

test("a closed view leaves nobody listening", async () => {
  const chat = new FakeChat({ messages: [aUserMessage("q1")] });
  const view = await open(chat);
  const forgotten = new Set<unknown>();
  const offref = view.app.workspace.offref.bind(view.app.workspace);
  jest.spyOn(view.app.workspace, "offref").mockImplementation((reference) => {
    forgotten.add(reference);
    offref(reference);
  });
  expect(chat.listeners.size).toBeGreaterThan(0);
  await view.close();
  opened = undefined;
  // Preact runs the clean-up of effects after the next frame.
  await settled(100);
  expect(chat.listeners.size).toBe(0);
  expect(view.settings.listeners.size).toBe(0);
  expect(Reflect.get(view.drafts, "listeners")).toEqual(new Set());
  expect(forgotten.size).toBe(2);
  expect(view.root.textContent).toBe("");
});
