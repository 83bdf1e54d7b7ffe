import { render } from "preact";
import { ChatHistory } from "../../src/ui/history/ChatHistory";
import type { ChatLibrary, SavedChat } from "../../src/ui/viewPorts";
import { FakeChat } from "./fakeChat";
import { button, click, find, settled } from "./viewSupport";

class FakeLibrary implements ChatLibrary {
  chats: readonly SavedChat[] = [
    { path: "Chats/B.md", title: "Bread", updatedAtMs: 2000 },
    { path: "Chats/A.md", title: "Apples and pears", updatedAtMs: 1000 },
  ];
  readonly calls: string[] = [];
  failure: Error | undefined;

  async list(): Promise<readonly SavedChat[]> {
    return this.chats;
  }
  async open(path: string): Promise<FakeChat> {
    this.calls.push(`open ${path}`);
    return new FakeChat();
  }
  async rename(path: string, title: string): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    this.calls.push(`rename ${path} to ${title}`);
    this.chats = this.chats.map((chat) => (chat.path === path ? { ...chat, title } : chat));
  }
  async delete(path: string): Promise<void> {
    this.calls.push(`delete ${path}`);
    this.chats = this.chats.filter((chat) => chat.path !== path);
  }
}

const show = async (library: FakeLibrary, isConfirmed = true): Promise<HTMLElement> => {
  const root = document.body.createDiv();
  render(
    <ChatHistory
      library={library}
      openChat={async ({ path }) => void (await library.open(path))}
      confirmDelete={() => Promise.resolve(isConfirmed)}
    />,
    root,
  );
  await settled();
  return root;
};
const titles = (root: Element): readonly string[] =>
  [...root.querySelectorAll(".vault-copilot-history-title")].map((title) => title.textContent ?? "");
const rename = async (root: HTMLElement, title: string, key: string): Promise<void> => {
  await click(button(root, "Rename Bread"));
  const field = find<HTMLInputElement>(root, 'input[aria-label="New title"]');
  field.value = title;
  field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  await settled();
};

describe("the list of saved chats", () => {
  test("shows what is saved and opens a chat", async () => {
    const library = new FakeLibrary();
    const root = await show(library);
    expect(titles(root)).toEqual(["Bread", "Apples and pears"]);
    await click(find<HTMLButtonElement>(root, "button.vault-copilot-history-open"));
    expect(library.calls).toEqual(["open Chats/B.md"]);
  });

  test("is searched by words in any order", async () => {
    const root = await show(new FakeLibrary());
    const field = find<HTMLInputElement>(root, "input[type=search]");
    field.value = "pears APP";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await settled();
    expect(titles(root)).toEqual(["Apples and pears"]);
  });

  it.each`
    entered        | key         | calls                                 | because
    ${"Rye bread"} | ${"Enter"}  | ${["rename Chats/B.md to Rye bread"]} | ${"it was confirmed"}
    ${"Rye bread"} | ${"Escape"} | ${[]}                                 | ${"it was given up"}
    ${"  "}        | ${"Enter"}  | ${[]}                                 | ${"a chat needs a title"}
    ${"Bread"}     | ${"Enter"}  | ${[]}                                 | ${"nothing changed"}
  `(
    "renaming to “$entered” with $key does $calls: $because",
    async ({ entered, key, calls }: { entered: string; key: string; calls: string[] }) => {
      const library = new FakeLibrary();
      const root = await show(library);
      await rename(root, entered, key);
      expect(library.calls).toEqual(calls);
      expect(titles(root)[0]).toBe(calls.length > 0 ? entered : "Bread");
    },
  );

  it.each`
    isConfirmed | calls                    | left
    ${true}     | ${["delete Chats/B.md"]} | ${["Apples and pears"]}
    ${false}    | ${[]}                    | ${["Bread", "Apples and pears"]}
  `(
    "deletes only after asking (confirmed: $isConfirmed)",
    async ({ isConfirmed, calls, left }: { isConfirmed: boolean; calls: string[]; left: string[] }) => {
      const library = new FakeLibrary();
      const root = await show(library, isConfirmed);
      await click(button(root, "Delete Bread"));
      expect(library.calls).toEqual(calls);
      expect(titles(root)).toEqual(left);
    },
  );

  test("says what failed, and keeps the list", async () => {
    const library = new FakeLibrary();
    library.failure = new Error("The name is taken.");
    const root = await show(library);
    await rename(root, "Apples", "Enter");
    expect(find(root, "[role=alert]").textContent).toBe("The name is taken.");
    expect(titles(root)).toEqual(["Bread", "Apples and pears"]);
  });
});
