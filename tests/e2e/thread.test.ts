/**
 * The thread, in the built plugin and a real browser: open the sidebar, attach a note, chat until a 4,000-token
 * threshold overflows, change the threshold. Asserts on what really went over the wire.
 */
import { encode } from "gpt-tokenizer";
import { startHarness, type Harness } from "./harness";
import { ask, attach, bodies, composer, lastBody, openChat, textOf, type ChatBody, shareBrowser } from "./steps";

jest.setTimeout(180_000);

const THRESHOLD = 4000;
const NOTES = {
  "Garden plan.md": "# Garden plan\n\nThe broad beans go into the south bed in early May, see [[Seed list]].\n",
  "Seed list.md": "# Seed list\n\n- broad beans: 40\n- peas: 60\n",
};

const browser = shareBrowser();
let harness: Harness;
afterEach(() => harness.close());

/** Message contents counted by a real tokenizer, + 4 a message. */
const realTokens = (body: ChatBody): number =>
  body.messages.reduce(
    (sum, { content }) => sum + 4 + encode(String(content), { disallowedSpecial: new Set() }).length,
    0,
  );

test("asks about an attached note, and the answer is Markdown with links that open notes", async () => {
  harness = await startHarness({ browser: browser(), vault: NOTES, settings: { includeActiveNote: false } });
  const { page } = harness;
  await openChat(page);
  await attach(page, "Garden plan");
  await ask(harness, "When do the broad beans go into the south bed?");
  expect(textOf(lastBody(harness))).toContain("The broad beans go into the south bed in early May");
  expect(String(lastBody(harness).messages[lastBody(harness).messages.length - 1]?.content)).toMatch(/south bed\?$/);
  const link = page.locator(".vault-copilot-answer a.internal-link").first();
  await link.waitFor();
  await harness.screenshot("thread-answer-dark");
  await link.click();
  await page.locator(".cm-content", { hasText: "broad beans" }).waitFor();
});

test("chats until 4,000 tokens overflow: the newest stays, the oldest goes, every request fits", async () => {
  harness = await startHarness({
    browser: browser(),
    vault: NOTES,
    settings: { includeActiveNote: false, autoCompactThreshold: THRESHOLD },
  });
  const { page, model } = harness;
  await openChat(page);
  await attach(page, "Seed list");
  for (let turn = 0; turn < 10; turn++) {
    model.script({ text: `ANSWER-${turn} ${"a sentence about beans and peas. ".repeat(40)}` });
    await ask(harness, `QUESTION-${turn}: ${"how about the beans? ".repeat(25)}`);
  }
  expect(bodies(harness)).toHaveLength(10);
  // The input budget is T less a quarter of it for the answer.
  for (const body of bodies(harness)) expect(realTokens(body)).toBeLessThanOrEqual(THRESHOLD - THRESHOLD / 4);
  const last = textOf(lastBody(harness));
  for (const kept of ["QUESTION-9", "QUESTION-8", "ANSWER-8", "peas: 60"]) expect(last).toContain(kept);
  for (const gone of ["QUESTION-0", "ANSWER-0"]) expect(last).not.toContain(gone);
  expect(await page.locator(".vault-copilot-gap").count()).toBe(1);
  expect(await page.locator(".vault-copilot-answer").count()).toBe(10);
  await page.getByRole("button", { name: /tokens/ }).click();
  await page.getByRole("region", { name: "Request details" }).waitFor();
  await harness.screenshot("thread-overflow-inspector");
});

test("a new threshold, entered in the settings tab, holds for the next request", async () => {
  harness = await startHarness({
    browser: browser(),
    vault: NOTES,
    settings: { includeActiveNote: false, autoCompactThreshold: 30_000 },
  });
  const { page, model } = harness;
  await openChat(page);
  for (let turn = 0; turn < 4; turn++) {
    model.script({ text: "a sentence about beans. ".repeat(150) });
    await ask(harness, `QUESTION-${turn}`);
  }
  expect(lastBody(harness).messages).toHaveLength(8);
  await page.keyboard.press("Control+,");
  const field = page.locator(".setting-item", { hasText: "Token budget" }).locator("input").first();
  await field.fill("2500");
  await field.press("Tab");
  await harness.screenshot("settings-dark");
  await page.keyboard.press("Escape");
  await ask(harness, "and now?");
  expect(realTokens(lastBody(harness))).toBeLessThanOrEqual(2500 - 625);
  expect(textOf(lastBody(harness))).toContain("QUESTION-3");
  expect(textOf(lastBody(harness))).not.toContain("QUESTION-0");
  const data = JSON.parse(await harness.readNote(".obsidian/plugins/vault-copilot/data.json")) as Record<
    string,
    unknown
  >;
  expect(data["autoCompactThreshold"]).toBe(2500);
});

test("stop keeps what had arrived and gives the composer back", async () => {
  harness = await startHarness({ browser: browser(), vault: NOTES, settings: { includeActiveNote: false } });
  const { page, model } = harness;
  await openChat(page);
  model.script({ text: "slowly but surely ".repeat(50), delayMs: 40 });
  await composer(page).click();
  await page.keyboard.insertText("Tell me");
  await page.keyboard.press("Enter");
  await page.locator(".vault-copilot-answer", { hasText: "slowly" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator(".vault-copilot-incomplete").waitFor();
  await ask(harness, "Go on");
  expect(textOf(lastBody(harness))).toContain("slowly");
});

// https://github.com/logancyang/obsidian-copilot/pull/2847
test("reset puts the budget back and keeps server, model and key", async () => {
  harness = await startHarness({
    browser: browser(),
    settings: { includeActiveNote: false, autoCompactThreshold: 2500, apiKeySecret: "my-key" },
  });
  const { page } = harness;
  const stored = async (): Promise<Record<string, unknown>> =>
    JSON.parse(await harness.readNote(".obsidian/plugins/vault-copilot/data.json")) as Record<string, unknown>;
  const before = await stored();
  await page.keyboard.press("Control+,");
  await page.locator(".setting-item", { hasText: "Reset settings" }).getByRole("button").click();
  await page.locator(".modal").last().getByRole("button", { name: "Reset", exact: true }).click();
  await page.waitForTimeout(500);
  const { model, baseUrl, apiKeySecret } = before;
  expect(await stored()).toMatchObject({ model, baseUrl, apiKeySecret });
  expect(await stored()).not.toHaveProperty("autoCompactThreshold");
});
