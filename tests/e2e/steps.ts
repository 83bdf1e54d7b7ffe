/** What a person does in the sidebar, with real keys and clicks. */
import type { Browser, Locator, Page } from "playwright-core";
import { launchChromium } from "../../workbench/browser.mjs";
import type { Harness } from "./harness";

/** One browser for all tests of a file: starting one takes longer than most tests. Each test has a context of its own. */
export function shareBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  return () => {
    if (browser === undefined) throw new Error("the browser is there once the tests begin");
    return browser;
  };
}

export function composer(page: Page): Locator {
  return page.getByRole("textbox", { name: "Message" });
}

/** By the command palette: the ribbon is not there on a phone. */
export async function openChat(page: Page): Promise<void> {
  await page.getByLabel("Open command palette").click();
  await page.keyboard.type("Open chat");
  await page.keyboard.press("Enter");
  await composer(page).waitFor();
}

/** Types without sending. */
export async function type(page: Page, text: string): Promise<void> {
  await composer(page).click();
  await page.keyboard.insertText(text);
}

/** Sends and waits until the answer is whole. */
export async function ask({ page }: Harness, question: string): Promise<void> {
  const answers = page.locator(".vault-copilot-answer:not(.is-streaming)");
  const before = await answers.count();
  await type(page, question);
  await page.getByRole("button", { name: "Send" }).click();
  await answers.nth(before).waitFor();
  await page.getByRole("button", { name: "Send" }).waitFor();
}

export async function attach(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add note" }).click();
  await page.keyboard.type(name);
  await page.locator(".suggestion-item.is-selected", { hasText: name }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".vault-copilot-pill", { hasText: name }).waitFor();
}

export interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** The chat requests that went over the wire, oldest first. */
export function bodies({ model }: Harness): readonly ChatBody[] {
  return model.captured.map(({ body }) => body as ChatBody);
}

export function lastBody(harness: Harness): ChatBody {
  const all = bodies(harness);
  return all[all.length - 1] ?? { messages: [] };
}

export function textOf(body: ChatBody): string {
  return body.messages
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)))
    .join("\n");
}
