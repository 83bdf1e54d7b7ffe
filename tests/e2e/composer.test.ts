/** The composer and the messages, in the built plugin and a real browser, with real keys, an input method and a clipboard. */
import type { CDPSession, Page } from "playwright-core";
import { startHarness, type Harness } from "./harness";
import { shareBrowser } from "./steps";

jest.setTimeout(180_000);

const NOTES = {
  "Garden plan.md": "# Garden plan\n\nBeans in May.\n",
  "Seed list.md": "# Seed list\n\nPeas: 60.\n",
  "Projects/Fence.md": "# Fence\n\nOak posts.\n",
  "Projects/Shed/Roof.md": "# Roof\n\nShingles.\n",
};

const browser = shareBrowser();
let harness: Harness;
afterEach(() => harness.close());

const composer = (page: Page) => page.getByRole("textbox", { name: "Message" });
const pills = (page: Page) => page.locator(".vault-copilot-pill-title");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const lastBody = (): string => JSON.stringify(harness.model.captured[harness.model.captured.length - 1]?.body ?? {});

async function open(includeActiveNote = false): Promise<Page> {
  harness = await startHarness({ browser: browser(), vault: NOTES, settings: { includeActiveNote } });
  await harness.page.getByLabel("Open chat").first().click();
  await composer(harness.page).click();
  return harness.page;
}

async function sendAndWait(page: Page): Promise<void> {
  const answers = await page.locator(".vault-copilot-answer:not(.is-streaming)").count();
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    (count) => document.querySelectorAll(".vault-copilot-answer:not(.is-streaming)").length > count,
    answers,
  );
}

test("an input method keeps its Enter; the next Enter sends", async () => {
  const page = await open();
  const input: CDPSession = await page.context().newCDPSession(page);
  await input.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
  const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 } as const;
  await input.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter });
  await input.send("Input.dispatchKeyEvent", { type: "keyUp", ...enter });
  await input.send("Input.insertText", { text: "日本" });
  await page.waitForTimeout(300);
  expect(harness.model.captured).toHaveLength(0);
  expect(await composer(page).innerText()).toBe("日本");
  await sendAndWait(page);
  expect(lastBody()).toContain("日本");
});

test("@ and [[ suggest notes and folders; what is chosen stays in the sentence and goes along", async () => {
  const page = await open();
  const suggestion = page.locator(".vault-copilot-suggestions li[aria-selected]");
  await page.keyboard.type("Compare @seed");
  await suggestion.filter({ hasText: "Seed list" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("with [[garden");
  await suggestion.filter({ hasText: "Garden plan" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.type("and @projects");
  await suggestion.filter({ hasText: "Projects/" }).waitFor();
  await page.keyboard.press("Enter");
  await pills(page).filter({ hasText: "Roof" }).waitFor();
  expect(await pills(page).allInnerTexts()).toEqual(["Seed list", "Garden plan", "Fence", "Roof"]);
  await sendAndWait(page);
  for (const sent of [
    "Compare [[Seed list]] with [[Garden plan]] and Projects/",
    "Peas: 60",
    "Beans in May",
    "Shingles",
  ])
    expect(lastBody()).toContain(sent);
});

test("a long paste becomes a pill and is sent once; the text field stays small", async () => {
  const page = await open();
  const long = `A line of the minutes. ${"word ".repeat(1000)}END-OF-PASTE`;
  await page.evaluate((text) => navigator.clipboard.writeText(text), long);
  await page.keyboard.press("Control+v");
  await pills(page).filter({ hasText: "Pasted: A line of the minutes." }).waitFor();
  expect(await page.locator(".vault-copilot-field .cm-line").count()).toBe(1);
  await page.keyboard.type("Sum it up");
  await sendAndWait(page);
  expect(lastBody().split("END-OF-PASTE")).toHaveLength(2);
  expect(await pills(page).count()).toBe(0);
});

test("a note dragged from the explorer becomes a pill", async () => {
  const page = await open();
  await page.locator(".nav-file-title", { hasText: "Seed list" }).dragTo(page.locator(".vault-copilot-composer"));
  await pills(page).filter({ hasText: "Seed list" }).waitFor();
  expect(await page.locator(".vault-copilot-field .cm-placeholder").count()).toBe(1);
});

test("the active note follows the editor; its pill shows what it costs and can be removed", async () => {
  const page = await open(true);
  await page.locator(".nav-file-title", { hasText: "Seed list" }).click();
  await pills(page).filter({ hasText: "Seed list" }).waitFor();
  await page.locator(".nav-file-title", { hasText: "Garden plan" }).click();
  await pills(page).filter({ hasText: "Garden plan" }).waitFor();
  await page.locator(".vault-copilot-pill-cost").waitFor();
  await button(page, "Remove Garden plan").click();
  expect(await pills(page).count()).toBe(0);
});

test("editing, regenerating and switching keep every version", async () => {
  const page = await open();
  harness.model.script({ text: "First answer." });
  await page.keyboard.type("First question");
  await sendAndWait(page);
  harness.model.script({ text: "Second answer." });
  await button(page, "Regenerate").click();
  await page.locator(".vault-copilot-answer", { hasText: "Second answer." }).waitFor();
  await page.locator(".vault-copilot-branches", { hasText: "2 / 2" }).waitFor();
  await page.locator(".vault-copilot-question").hover();
  await button(page, "Edit").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Changed question");
  harness.model.script({ text: "Third answer." });
  await page.keyboard.press("Enter");
  await page.locator(".vault-copilot-answer", { hasText: "Third answer." }).waitFor();
  expect(lastBody()).toContain("Changed question");
  expect(lastBody()).not.toContain("First question");
  await page.locator(".vault-copilot-question").hover();
  await button(page, "Previous version").first().click();
  await page.locator(".vault-copilot-question", { hasText: "First question" }).waitFor();
  await page.locator(".vault-copilot-answer", { hasText: "Second answer." }).waitFor();
});
