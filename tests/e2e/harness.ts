/**
 * Opens the workbench in a headless Chromium, for tests that drive the built plugin.
 * Owns: starting and ending everything, the list of page errors, screenshots.
 * Nothing is left behind after close(): no process, no watching, no temporary vault.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Browser, ConsoleMessage, Page } from "playwright-core";
import { launchChromium } from "../../workbench/browser.mjs";
import { STAND_IN, startModelServer } from "../../workbench/modelServer.mjs";
import { startPageServer } from "../../workbench/server.mjs";
import { ensureHost, ensurePlugin, projectDir, temporaryVault, writeSettings } from "../../workbench/session.mjs";

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
const READY_TIMEOUT_MS = 60_000;
const ACTION_TIMEOUT_MS = 30_000;

export const screenshotsDir = path.join(projectDir, "tests", "e2e", "screenshots");

export type ModelServer = Awaited<ReturnType<typeof startModelServer>>;
export type PageServer = Awaited<ReturnType<typeof startPageServer>>;

export interface HarnessOptions {
  /** Notes by vault path, or a folder that is copied. An empty vault when absent. */
  readonly vault?: Readonly<Record<string, string>> | string;
  /** Written into the plugin's data.json beside base URL and model. `null` leaves the vault without one. */
  readonly settings?: Readonly<Record<string, unknown>> | null;
  /** The window the model server enforces, and the one the plugin is told of. 32,768 when absent. */
  readonly windowTokens?: number;
  /** How the model server differs from an OpenAI-compatible one that answers at once: surface, port, delay, … */
  readonly modelServer?: Parameters<typeof startModelServer>[0];
  readonly phone?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Of the right sidebar, in pixels. */
  readonly sidebarWidth?: number;
  readonly theme?: "dark" | "light";
  /** Where the plugin's three files are; the project, built when out of date, when absent. */
  readonly pluginDir?: string;
  /** A browser to share between harnesses; the caller closes it. */
  readonly browser?: Browser;
}

export interface Harness {
  readonly page: Page;
  readonly vaultDir: string;
  readonly model: ModelServer;
  readonly server: PageServer;
  /** Everything the page called an error so far. close() fails when it is not empty. */
  readonly errors: readonly string[];
  /** Declares an error that this test causes on purpose. */
  expectError(pattern: RegExp): void;
  /** @returns the path of the picture */
  screenshot(name: string): Promise<string>;
  /** A file of the vault, as it is on disk. */
  readNote(vaultPath: string): Promise<string>;
  /** Writes behind the page's back, as another program would. */
  writeOutside(vaultPath: string, text: string): Promise<void>;
  /** Loads the page again and waits until the plugin is there. */
  reload(): Promise<void>;
  /** @throws when the page had errors nobody declared */
  close(): Promise<void>;
}

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const undo: (() => Promise<unknown>)[] = [];
  const endAll = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return await open(options, undo, endAll);
  } catch (error) {
    await endAll();
    throw error;
  }
}

async function open(
  options: HarnessOptions,
  undo: (() => Promise<unknown>)[],
  endAll: () => Promise<void>,
): Promise<Harness> {
  const windowTokens = options.windowTokens ?? 32_768;
  const [hostDir, pluginDir] = [await ensureHost(), options.pluginDir ?? (await ensurePlugin())];
  const vaultDir = await temporaryVault(
    typeof options.vault === "string" ? { folder: options.vault } : { files: options.vault ?? {} },
  );
  undo.push(() => rm(vaultDir, { recursive: true, force: true, maxRetries: 5 }));
  const model = await startModelServer({ windowTokens, ...options.modelServer });
  undo.push(() => model.close());
  if (options.settings !== null) {
    const usual = { baseUrl: model.url, model: STAND_IN, contextWindowTokens: windowTokens };
    await writeSettings(vaultDir, pluginDir, { ...usual, ...options.settings });
  }
  const server = await startPageServer({ vaultDir, pluginDir, hostDir, vaultName: "Test vault" });
  undo.push(() => server.close());
  const browser = options.browser ?? (await launchChromium());
  if (options.browser === undefined) undo.push(() => browser.close());

  const viewport = options.viewport ?? (options.phone === true ? PHONE : DESKTOP);
  const context = await browser.newContext({
    viewport,
    colorScheme: options.theme ?? "dark",
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
    ...(options.phone === true ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2 } : {}),
  });
  undo.push(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const expected: RegExp[] = [];
  const errors = collectErrors(page, model.origin);
  await page.goto(addressOf(server.url, options));
  await waitUntilReady(page, errors);

  return {
    page,
    vaultDir,
    model,
    server,
    errors,
    expectError: (pattern) => void expected.push(pattern),
    screenshot: async (name) => {
      await mkdir(screenshotsDir, { recursive: true });
      const file = path.join(screenshotsDir, `${name}.png`);
      await page.screenshot({ path: file });
      return file;
    },
    readNote: (vaultPath) => readFile(path.join(vaultDir, vaultPath), "utf8"),
    writeOutside: (vaultPath, text) => writeFile(path.join(vaultDir, vaultPath), text),
    reload: async () => {
      await page.reload();
      await waitUntilReady(page, errors);
    },
    close: async () => {
      await endAll();
      const surprises = errors.filter((error) => !expected.some((pattern) => pattern.test(error)));
      if (surprises.length > 0)
        throw new Error(`The page had ${surprises.length} error(s):\n${surprises.join("\n\n")}`);
    },
  };
}

function addressOf(url: string, { phone, sidebarWidth, theme }: HarnessOptions): string {
  const address = new URL(url);
  if (phone === true) address.searchParams.set("mobile", "phone");
  if (sidebarWidth !== undefined) address.searchParams.set("sidebar", String(sidebarWidth));
  address.searchParams.set("theme", theme ?? "dark");
  return address.href;
}

function collectErrors(page: Page, modelOrigin: string): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.stack ?? error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !isAnsweredFailure(message, modelOrigin)) errors.push(describe(message));
  });
  return errors;
}

function describe(message: ConsoleMessage): string {
  const { url } = message.location();
  return url === "" ? message.text() : `${message.text()} (${url})`;
}

/** The browser itself logs each refused request; what the plugin makes of it is for the test to say. */
function isAnsweredFailure(message: ConsoleMessage, modelOrigin: string): boolean {
  return message.location().url.startsWith(modelOrigin) && message.text().startsWith("Failed to load resource");
}

async function waitUntilReady(page: Page, errors: readonly string[]): Promise<void> {
  await page.waitForSelector("body[data-workbench]", { timeout: READY_TIMEOUT_MS });
  if ((await page.getAttribute("body", "data-workbench")) !== "ready") {
    throw new Error(`The workbench did not start:\n${errors.join("\n") || (await page.innerText("body"))}`);
  }
}
