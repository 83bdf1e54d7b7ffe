/**
 * First run without settings: what runs on this machine is found, chosen with a click, and chatted with: Ollama by its own
 * protocol and with a constant num_ctx, LM Studio by OpenAI's. The usual addresses lead to the workbench's model server.
 */
import type { Page } from "playwright-core";
import { startHarness, type Harness } from "./harness";
import { ask, openChat, shareBrowser } from "./steps";

jest.setTimeout(180_000);

const browser = shareBrowser();
let harness: Harness;
afterEach(() => harness.close());

/** Sends a usual address to the model server of this test. */
async function lead(page: Page, from: string): Promise<void> {
  await page.route(`${from}/**`, (route) =>
    route.continue({ url: route.request().url().replace(from, harness.model.origin) }),
  );
}

const OLLAMA = "http://127.0.0.1:11434";
const LM_STUDIO = "http://127.0.0.1:1234";

const readSettings = async (): Promise<Record<string, unknown>> =>
  JSON.parse(await harness.readNote(".obsidian/plugins/vault-copilot/data.json")) as Record<string, unknown>;

async function firstRun(server: string, surface: "openai" | "ollama" | "lmstudio" = "openai"): Promise<Page> {
  harness = await startHarness({ browser: browser(), settings: null });
  harness.model.set({ surface });
  harness.expectError(/Failed to load resource|ERR_CONNECTION_REFUSED/);
  await lead(harness.page, server);
  await openChat(harness.page);
  await harness.page.getByRole("button", { name: "Find local models" }).click();
  return harness.page;
}

test("Ollama: found, chosen, and asked with the same num_ctx every time", async () => {
  const page = await firstRun(OLLAMA, "ollama");
  const found = page.getByRole("list", { name: "Models on this computer" }).getByText("Ollama").first();
  await found.waitFor();
  await harness.screenshot("first-run-local-models");
  await found.click();
  await ask(harness, "Hello there");
  await ask(harness, "And again");
  const chats = harness.model.captured.map(({ path, body }) => ({
    path,
    options: (body as { options?: { num_ctx?: number } }).options,
  }));
  expect(chats.map(({ path }) => path)).toEqual(["/api/chat", "/api/chat"]);
  const { provider, baseUrl, ollamaNumCtx } = await readSettings();
  expect({ provider, baseUrl }).toEqual({ provider: "ollama", baseUrl: OLLAMA });
  expect(ollamaNumCtx).toBeGreaterThan(0);
  expect(chats.map(({ options }) => options?.num_ctx)).toEqual([ollamaNumCtx, ollamaNumCtx]);
});

test("LM Studio: found, chosen, and asked by OpenAI's protocol", async () => {
  const page = await firstRun(LM_STUDIO, "lmstudio");
  await page.getByRole("list", { name: "Models on this computer" }).getByText("LM Studio").first().click();
  await ask(harness, "Hello there");
  expect(harness.model.captured.map(({ path }) => path)).toEqual(["/v1/chat/completions"]);
  expect(await readSettings()).toMatchObject({ provider: "lmstudio", baseUrl: `${LM_STUDIO}/v1` });
});

test("nothing runs: it is said, and what to do", async () => {
  const page = await firstRun("http://127.0.0.1:9");
  await page.getByText(/No model server answers/).waitFor();
});
