/**
 * The sidebar as people see it: wide and narrow, phone, light and dark, over the sample vault.
 * The pictures are for eyes; what a test can tell of them (nothing sticks out, touch targets are large enough) is asserted.
 */
import type { Page } from "playwright-core";
import { sampleVaultDir } from "../../workbench/session.mjs";
import { openChat, type, shareBrowser } from "./steps";
import { startHarness, type Harness, type HarnessOptions } from "./harness";

jest.setTimeout(180_000);

const browser = shareBrowser();
let harness: Harness;
afterEach(() => harness.close());

const ANSWER = [
  "The **broad beans** go out first; the [[Garden/Seed plan|seed plan]] keeps forty for the south bed.",
  "",
  "| crop | when | how many |",
  "| --- | --- | --- |",
  "| broad beans | early May | 40 |",
  "| peas | mid April | 60 |",
  "",
  "1. Soak them overnight.",
  "2. Set them 20 cm apart.",
  "",
  "```ts",
  "const rows = Math.ceil(40 / 12);",
  "```",
].join("\n");

async function talk(page: Page): Promise<void> {
  await openChat(page);
  harness.model.script({ text: ANSWER });
  await type(page, "What goes into the garden in spring, and how much of it?");
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator(".vault-copilot-answer:not(.is-streaming) table").waitFor();
  await type(page, "And what did we say about water?");
  await page.waitForTimeout(600);
}

/** What of the sidebar is wider than the place it has. */
const stickingOut = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.querySelector(".vault-copilot-pane");
    if (!root) return ["no pane"];
    const right = root.getBoundingClientRect().right + 1;
    return [...root.querySelectorAll<HTMLElement>("*")]
      .filter((element) => element.getClientRects().length > 0 && element.getBoundingClientRect().right > right)
      .filter((element) => !element.closest("table, pre, .vault-copilot-announcer"))
      .map((element) => element.className);
  });

const looks: readonly (HarnessOptions & { readonly name: string })[] = [
  { name: "sidebar-300-dark", sidebarWidth: 300, theme: "dark" },
  { name: "sidebar-300-light", sidebarWidth: 300, theme: "light" },
  { name: "sidebar-800-dark", sidebarWidth: 800, theme: "dark" },
  { name: "sidebar-800-light", sidebarWidth: 800, theme: "light" },
  { name: "phone-dark", phone: true, theme: "dark" },
  { name: "phone-light", phone: true, theme: "light" },
];

test.each(looks)("$name", async ({ name, ...options }) => {
  harness = await startHarness({
    browser: browser(),
    vault: sampleVaultDir,
    viewport: options.phone ? undefined : { width: 1440, height: 900 },
    ...options,
  } as HarnessOptions);
  const { page } = harness;
  await talk(page);
  await harness.screenshot(name);
  expect(await stickingOut(page)).toEqual([]);
});

test("on a phone every control is large enough for a finger", async () => {
  harness = await startHarness({ browser: browser(), vault: sampleVaultDir, phone: true });
  const { page } = harness;
  await talk(page);
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".vault-copilot-pane button, .vault-copilot-header button")]
      // What stands in an answer is drawn by Obsidian.
      .filter((button) => button.getClientRects().length > 0 && !button.closest(".markdown-rendered"))
      .map((button) => ({ label: button.ariaLabel ?? button.textContent, ...button.getBoundingClientRect().toJSON() }))
      .filter(({ height, width }) => height < 44 || width < 44)
      .map(({ label, width, height }) => `${label} ${width}×${height}`),
  );
  expect(small).toEqual([]);
});

test("the first picture: a note, its question, its answer", async () => {
  harness = await startHarness({
    browser: browser(),
    vault: sampleVaultDir,
    theme: "light",
    viewport: { width: 1280, height: 800 },
    sidebarWidth: 420,
  });
  const { page } = harness;
  await page.locator(".nav-file-title", { hasText: "Welcome" }).click();
  await talk(page);
  await harness.screenshot("sidebar");
});
