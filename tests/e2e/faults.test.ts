/**
 * What a person sees when something fails, and that nothing is lost: the main rows of the fault matrix, in the built
 * plugin. The whole matrix runs against a real server in tests/core/faultMatrix.test.ts.
 */
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { ScriptedStep } from "../../workbench/modelServer.mjs";
import { startHarness, type Harness } from "./harness";
import { ask, composer, lastBody, openChat, type, shareBrowser } from "./steps";

jest.setTimeout(180_000);

const browser = shareBrowser();
let harness: Harness;
afterEach(() => harness.close());

async function start(settings: Record<string, unknown> = {}): Promise<void> {
  harness = await startHarness({ browser: browser(), settings: { includeActiveNote: false, ...settings } });
  harness.expectError(/Failed to load resource|ERR_/);
  await openChat(harness.page);
}

const notes = async (): Promise<string[]> =>
  (await readdir(path.join(harness.vaultDir, "Copilot chats")).catch(() => [])).filter((name) => name.endsWith(".md"));

/** The chat note, once it holds this: the answer is shown before it is on disk. */
async function saved(part: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const [name] = await notes();
    const text = name === undefined ? "" : await harness.readNote(`Copilot chats/${name}`);
    if (text.includes(part)) return text;
    await harness.page.waitForTimeout(100);
  }
  throw new Error(`no chat note holds ${part}`);
}

const send = (): Promise<void> => harness.page.getByRole("button", { name: "Send" }).click();

test.each`
  step                                                                     | words                                  | because
  ${{ status: 401, body: { error: { message: "Incorrect API key" } } }}    | ${/key/i}                              | ${"the key is refused"}
  ${{ status: 404, body: { error: { message: "no such model" } } }}        | ${/not found|no model|does not know/i} | ${"the model is not there"}
  ${{ status: 429, headers: { "retry-after": "7" }, body: { error: {} } }} | ${/7 s/i}                              | ${"too many requests, with a time"}
  ${{ status: 500, body: { error: { message: "oops" } } }}                 | ${/500/}                               | ${"the server has a fault"}
  ${{ status: 200, body: "upstream is having a moment" }}                  | ${/not|could not/i}                    | ${"the answer is no JSON"}
  ${{ text: "" }}                                                          | ${/empty|no text|nothing/i}            | ${"the answer is empty"}
  ${{ cut: "before" }}                                                     | ${/reach|connect/i}                    | ${"the connection is dropped"}
`(
  "nothing came, since $because: it is said, the words go back, the next send works",
  async ({ step, words }: { step: ScriptedStep; words: RegExp }) => {
    await start();
    const { page, model } = harness;
    // Again and again: a browser repeats a dropped request by itself, and then the host's own is tried once.
    model.script(...Array.from({ length: 8 }, () => step));
    await type(page, "words I do not want to lose");
    await send();
    const card = page.locator(".vault-copilot-failure");
    await card.waitFor();
    expect(await card.innerText()).toMatch(words);
    if (step.status !== 401) expect(await card.innerText()).not.toMatch(/API key/i);
    expect(await composer(page).innerText()).toBe("words I do not want to lose");
    expect(await page.locator(".vault-copilot-question").count()).toBe(0);
    model.reset();
    model.script({ text: "Here I am." });
    await send();
    await page.locator(".vault-copilot-answer", { hasText: "Here I am." }).waitFor();
    expect(await card.count()).toBe(0);
    expect(await composer(page).innerText()).not.toContain("lose");
  },
);

test.each`
  step                                                                               | because
  ${{ text: "the first half of an answer ".repeat(20), cut: "middle", delayMs: 30 }} | ${"the connection is cut"}
  ${{ text: "the first half of an answer", malformed: "middle" }}                    | ${"an event is no JSON"}
  ${{ text: "the first half of an answer", finishReason: "length" }}                 | ${"the output limit is reached"}
`(
  "half an answer came, since $because: it is kept, marked, saved, and the chat goes on",
  async ({ step }: { step: ScriptedStep }) => {
    await start();
    const { page, model } = harness;
    model.script(step);
    await type(page, "tell me");
    await send();
    await page.locator(".vault-copilot-incomplete").waitFor();
    const kept = await page.locator(".vault-copilot-answer").innerText();
    expect(kept).toContain("the first");
    await saved("the first");
    await ask(harness, "go on");
    expect(JSON.stringify(lastBody(harness))).toContain("the first");
  },
);

test("an answer of 5 MB arrives, and the page stays usable", async () => {
  await start();
  harness.model.script({ text: "A long line about beans and peas in the south bed.\n\n".repeat(100_000) });
  harness.page.setDefaultTimeout(120_000);
  await ask(harness, "everything, please");
  await type(harness.page, "still here");
  expect(await composer(harness.page).innerText()).toContain("still here");
});

test("a vault that refuses the note: it is said, the chat goes on, and the note is whole once it can be written", async () => {
  await start();
  harness.server.vault.failNextWrites({ path: "Copilot chats/first.md", code: "ENOSPC", times: 10 });
  harness.model.script({ text: "An answer." });
  await ask(harness, "first");
  await harness.page.locator(".vault-copilot-failure").waitFor();
  harness.server.vault.clearFaults();
  harness.model.script({ text: "Another." });
  await ask(harness, "second");
  const text = await saved("Another.");
  expect(await notes()).toHaveLength(1);
  for (const said of ["first", "An answer.", "second", "Another."]) expect(text).toContain(said);
});

test("a broken data.json: defaults, the old file kept beside, and a word about it", async () => {
  harness = await startHarness({ browser: browser(), settings: null });
  const folder = ".obsidian/plugins/vault-copilot";
  await harness.page.evaluate(async () => {
    const { app } = window.workbench ?? {};
    await app?.vault.adapter.write(".obsidian/plugins/vault-copilot/data.json", '{ "model": "mine", ');
  });
  harness.expectError(/JSON/);
  await harness.reload();
  await harness.page.locator(".notice", { hasText: "data.broken-1.json" }).waitFor();
  expect(await harness.readNote(`${folder}/data.broken-1.json`)).toContain('"model": "mine"');
  await openChat(harness.page);
});
