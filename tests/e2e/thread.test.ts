/**
 * The thread, in the built plugin and a real browser: open the sidebar, attach a note, chat until a 4,000-token
 * threshold overflows, change the threshold. Asserts on what really went over the wire.
 */
import { encode } from "gpt-tokenizer";
import type { Page } from "playwright-core";
import { startHarness, type Harness } from "./harness";

jest.setTimeout(180_000);

const THRESHOLD = 4000;
const NOTES = {
  "Garden plan.md": "# Garden plan\n\nThe broad beans go into the south bed in early May, see [[Seed list]].\n",
  "Seed list.md": "# Seed list\n\n- broad beans: 40\n- peas: 60\n",
};

let harness: Harness;
afterEach(() => harness.close());

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

const bodies = (): readonly Body[] => harness.model.captured.map(({ body }) => body as Body);
const lastBody = (): Body => bodies()[bodies().length - 1] ?? { messages: [] };
const textOf = (body: Body): string => body.messages.map(({ content }) => String(content)).join("\n");
/** Message contents counted by a real tokenizer, + 4 a message. */
const realTokens = (body: Body): number =>
  body.messages.reduce(
    (sum, { content }) => sum + 4 + encode(String(content), { disallowedSpecial: new Set() }).length,
    0,
  );

const composer = (page: Page) => page.getByRole("textbox", { name: "Message" });

async function openChat(page: Page): Promise<void> {
  await page.getByLabel("Open chat").first().click();
  await composer(page).waitFor();
}

/** Sends with real keys and waits until the answer is there. */
async function ask(page: Page, question: string): Promise<void> {
  const asked = harness.model.captured.length;
  await composer(page).click();
  await page.keyboard.insertText(question);
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    (count) => document.querySelectorAll(".vault-copilot-answer:not(.is-streaming)").length >= count,
    asked + 1,
  );
}

async function attach(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add note" }).click();
  await page.keyboard.type(name);
  await page.locator(".suggestion-item.is-selected", { hasText: name }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".vault-copilot-pill", { hasText: name }).waitFor();
}

test("asks about an attached note, and the answer is Markdown with links that open notes", async () => {
  harness = await startHarness({ vault: NOTES, settings: { includeActiveNote: false } });
  const { page } = harness;
  await openChat(page);
  await attach(page, "Garden plan");
  await ask(page, "When do the broad beans go into the south bed?");
  expect(textOf(lastBody())).toContain("The broad beans go into the south bed in early May");
  expect(String(lastBody().messages[lastBody().messages.length - 1]?.content)).toMatch(/south bed\?$/);
  const link = page.locator(".vault-copilot-answer a.internal-link").first();
  await link.waitFor();
  await harness.screenshot("thread-answer-dark");
  await link.click();
  await page.locator(".cm-content", { hasText: "broad beans" }).waitFor();
});

test("chats until 4,000 tokens overflow: the newest stays, the oldest goes, every request fits", async () => {
  harness = await startHarness({
    vault: NOTES,
    settings: { includeActiveNote: false, autoCompactThreshold: THRESHOLD },
  });
  const { page, model } = harness;
  await openChat(page);
  await attach(page, "Seed list");
  for (let turn = 0; turn < 10; turn++) {
    model.script({ text: `ANSWER-${turn} ${"a sentence about beans and peas. ".repeat(40)}` });
    await ask(page, `QUESTION-${turn}: ${"how about the beans? ".repeat(25)}`);
  }
  expect(bodies()).toHaveLength(10);
  // The input budget is T less a quarter of it for the answer.
  for (const body of bodies()) expect(realTokens(body)).toBeLessThanOrEqual(THRESHOLD - THRESHOLD / 4);
  const last = textOf(lastBody());
  for (const kept of ["QUESTION-9", "QUESTION-8", "ANSWER-8", "peas: 60"]) expect(last).toContain(kept);
  for (const gone of ["QUESTION-0", "ANSWER-0"]) expect(last).not.toContain(gone);
  expect(await page.locator(".vault-copilot-gap").count()).toBe(1);
  expect(await page.locator(".vault-copilot-answer").count()).toBe(10);
  await page.getByRole("button", { name: /tokens/ }).click();
  await page.getByRole("region", { name: "Request details" }).waitFor();
  await harness.screenshot("thread-overflow-inspector");
});

test("a new threshold, entered in the settings tab, holds for the next request", async () => {
  harness = await startHarness({ vault: NOTES, settings: { includeActiveNote: false, autoCompactThreshold: 30_000 } });
  const { page, model } = harness;
  await openChat(page);
  for (let turn = 0; turn < 4; turn++) {
    model.script({ text: "a sentence about beans. ".repeat(150) });
    await ask(page, `QUESTION-${turn}`);
  }
  expect(lastBody().messages).toHaveLength(8);
  await page.keyboard.press("Control+,");
  const field = page.locator(".setting-item", { hasText: "Token budget" }).locator("input").first();
  await field.fill("2500");
  await field.press("Tab");
  await harness.screenshot("settings-dark");
  await page.keyboard.press("Escape");
  await ask(page, "and now?");
  expect(realTokens(lastBody())).toBeLessThanOrEqual(2500 - 625);
  expect(textOf(lastBody())).toContain("QUESTION-3");
  expect(textOf(lastBody())).not.toContain("QUESTION-0");
  const data = JSON.parse(await harness.readNote(".obsidian/plugins/vault-copilot/data.json")) as Record<
    string,
    unknown
  >;
  expect(data["autoCompactThreshold"]).toBe(2500);
});

test("stop keeps what had arrived and gives the composer back", async () => {
  harness = await startHarness({ vault: NOTES, settings: { includeActiveNote: false } });
  const { page, model } = harness;
  await openChat(page);
  model.script({ text: "slowly but surely ".repeat(50), delayMs: 40 });
  await composer(page).click();
  await page.keyboard.insertText("Tell me");
  await page.keyboard.press("Enter");
  await page.locator(".vault-copilot-answer", { hasText: "slowly" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator(".vault-copilot-incomplete").waitFor();
  await ask(page, "Go on");
  expect(textOf(lastBody())).toContain("slowly");
});
