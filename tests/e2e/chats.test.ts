/**
 * Chats kept as notes, in the built plugin: what is on disk after each answer, after a restart, after a change by hand.
 */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { startHarness, type Harness, type HarnessOptions } from "./harness";
import { ask, lastBody, openChat, textOf, type, shareBrowser } from "./steps";

jest.setTimeout(180_000);

const FOLDER = "Copilot chats";
const browser = shareBrowser();
let harness: Harness;
afterEach(() => harness.close());

async function start(more: HarnessOptions = {}): Promise<void> {
  harness = await startHarness({
    browser: browser(),
    ...more,
    settings: { includeActiveNote: false, systemPrompt: "", ...more.settings },
  });
  await openChat(harness.page);
}

const notesIn = async (folder = FOLDER): Promise<string[]> =>
  (await readdir(path.join(harness.vaultDir, folder)).catch(() => [])).filter((name) => name.endsWith(".md"));

/** The only chat note there is. */
async function chatNote(folder = FOLDER): Promise<{ name: string; text: string }> {
  const names = await notesIn(folder);
  expect(names).toHaveLength(1);
  const name = `${folder}/${names[0] ?? ""}`;
  return { name, text: await harness.readNote(name) };
}

/** The chat note, once it holds this: the answer is shown before it is on disk. */
async function saved(part: string, folder = FOLDER): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const [name] = await notesIn(folder);
    const text = name === undefined ? "" : await harness.readNote(`${folder}/${name}`);
    if (text.includes(part)) return text;
    await harness.page.waitForTimeout(100);
  }
  throw new Error(`no chat note in ${folder} holds ${part}`);
}

async function answer(text: string, question: string): Promise<void> {
  harness.model.script({ text });
  await ask(harness, question);
}

// https://github.com/logancyang/obsidian-copilot/pull/1582
test("after each answer the note holds the whole chat; after a restart the model still knows it", async () => {
  await start();
  await answer("Blue is BLUE-1.", "What is blue?");
  expect(await saved("BLUE-1")).toMatch(/What is blue\?[^]*Blue is BLUE-1\./);
  await answer("Red is RED-2.", "And red?");
  const messages = (await saved("RED-2")).replace(/^---[^]*?\n---\n/, "");
  // https://github.com/logancyang/obsidian-copilot/issues/398
  for (const said of ["What is blue?", "BLUE-1", "And red?", "RED-2"]) expect(messages.split(said)).toHaveLength(2);

  await harness.reload();
  await harness.page.locator(".vault-copilot-answer", { hasText: "RED-2" }).waitFor();
  await answer("Yes.", "Do you remember?");
  expect(lastBody(harness).messages.map(({ content }) => content)).toEqual([
    "What is blue?",
    "Blue is BLUE-1.",
    "And red?",
    "Red is RED-2.",
    "Do you remember?",
  ]);
  await chatNote();
});

test("the question is on disk before the answer begins, so that a crash costs nothing", async () => {
  await start();
  harness.model.script({ hang: "before" });
  await type(harness.page, "A question nobody answered");
  await harness.page.getByRole("button", { name: "Send" }).click();
  await harness.page.getByRole("button", { name: "Stop" }).waitFor();
  await saved("A question nobody answered");
  harness.expectError(/ERR_|Failed to load/);
});

test("whatever a message contains comes back as it was", async () => {
  await start();
  const nasty = "# Heading\n---\n%% comment %%\n```\nfence\n```\n## You\n> [!info]\n\\%\\% end";
  await answer(`${nasty}\n\nlast line`, `Question\n${nasty}`);
  await harness.reload();
  await harness.page.locator(".vault-copilot-answer", { hasText: "last line" }).waitFor();
  await answer("ok", "next");
  expect(lastBody(harness).messages.map(({ content }) => content)).toEqual([
    `Question\n${nasty}`,
    `${nasty}\n\nlast line`,
    "next",
  ]);
});

test("the history opens, renames and deletes chats", async () => {
  await start();
  const { page } = harness;
  await answer("First answer.", "First chat");
  await page.getByRole("button", { name: "New chat" }).click();
  await answer("Second answer.", "Second chat");
  expect(await notesIn()).toHaveLength(2);

  await page.getByRole("button", { name: "Chat history" }).click();
  await page.getByRole("list", { name: "Saved chats" }).getByText("First chat").waitFor();
  await harness.screenshot("chat-history");
  await page.getByRole("button", { name: "Rename First chat" }).click();
  await page.getByRole("textbox", { name: "New title" }).fill("Renamed: a/b");
  await page.keyboard.press("Enter");
  await page.getByRole("list", { name: "Saved chats" }).getByText("Renamed: a/b").waitFor();
  await page.getByRole("list", { name: "Saved chats" }).getByText("Renamed: a/b").click();
  await page.locator(".vault-copilot-answer", { hasText: "First answer." }).waitFor();
  await answer("More.", "Go on");
  expect(await notesIn()).toHaveLength(2);

  await page.getByRole("button", { name: "Chat history" }).click();
  await page.getByRole("button", { name: "Delete Second chat" }).click();
  await page.locator(".modal").last().getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Rename Second chat" }).waitFor({ state: "detached" });
  expect(await notesIn()).toHaveLength(1);
  expect((await readdir(path.join(harness.vaultDir, ".trash"))).join()).toContain("Second chat");
});

// https://github.com/logancyang/obsidian-copilot/issues/427
test.each`
  setting             | before             | folder              | because
  ${"Copilot chats/"} | ${{}}              | ${"Copilot chats"}  | ${"a slash at the end means nothing"}
  ${"copilot CHATS"}  | ${"Copilot chats"} | ${"Copilot chats"}  | ${"an existing folder of other letter case is the one"}
  ${".chats/of mine"} | ${{}}              | ${".chats/of mine"} | ${"a folder may be hidden"}
`("saves into $folder: $because", async ({ setting, before, folder }) => {
  const vault: Record<string, string> = typeof before === "string" ? { [`${before}/note.txt`]: "x" } : {};
  await start({ vault, settings: { chatFolder: setting } });
  await answer("Saved.", "Where?");
  await answer("Again.", "And now?");
  expect(await saved("Again.", folder)).toMatch(/Saved\.[^]*Again\./);
  await chatNote(folder);
});

// https://github.com/glowingjade/obsidian-smart-composer/issues/404
test("a title of 120 Japanese characters makes a file name that fits", async () => {
  await start();
  await answer("はい。", "庭の計画について".repeat(15));
  const { name } = await chatNote();
  expect(Buffer.byteLength(path.basename(name))).toBeLessThanOrEqual(255);
  expect(encodeURIComponent(path.basename(name)).length).toBeLessThanOrEqual(255);
});

test("a change by hand while the chat is open stays, and goes with the next request", async () => {
  await start();
  await answer("The beans are RED.", "Which colour?");
  const text = await saved("RED");
  const { name } = await chatNote();
  await harness.writeOutside(name, text.replace("The beans are RED.", "The beans are GREEN."));
  await harness.page.waitForTimeout(500);
  await answer("Noted.", "Sure?");
  const after = await saved("Noted.");
  expect(after).toContain("GREEN");
  expect(after).toContain("Noted.");
  expect(await notesIn()).toHaveLength(1);
  await answer("Yes.", "Once more");
  expect(textOf(lastBody(harness))).toContain("GREEN");
});

test("a note damaged by hand opens as far as it can be read, and is left alone until something is sent", async () => {
  await start();
  await answer("An answer worth keeping.", "A question worth keeping");
  const text = await saved("An answer worth keeping.");
  const { name } = await chatNote();
  await harness.page.getByRole("button", { name: "New chat" }).click();
  const damaged = text.replace(/%%\{[^]*?\}%%/, "%%{broken").replace(/^---\n/, "");
  await harness.writeOutside(name, damaged);
  await harness.reload();
  await openChat(harness.page);
  await harness.page.getByRole("button", { name: "Chat history" }).click();
  await harness.page.getByRole("list", { name: "Saved chats" }).getByText("A question worth keeping").click();
  await harness.page.getByText("An answer worth keeping.").first().waitFor();
  await harness.page.waitForTimeout(500);
  expect(await harness.readNote(name)).toBe(damaged);
});
