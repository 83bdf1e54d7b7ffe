/** The page in a real browser, with a small plugin of its own: what a person does, and what lands on disk. */
import { build } from "esbuild";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../../workbench/browser.mjs";
import { startHarness, type Harness } from "../e2e/harness";

jest.setTimeout(120_000);

const MANIFEST = {
  id: "tiny",
  name: "Tiny",
  version: "0.1.0",
  minAppVersion: "1.13.0",
  author: "",
  description: "Tiny.",
};
const VAULT = {
  "Start.md": [
    "---",
    "tags: [home]",
    "---",
    "# Start",
    "",
    "See [[Garden plan]], [[Nowhere]] and #idea, ==marked==. ![[Garden plan#Beans]]",
    "",
    "- [x] done",
    "- [ ] to do",
    "",
    "> [!tip] Water",
    "> in the morning",
    "",
    "| crop | count |",
    "| --- | --- |",
    "| beans | 40 |",
    "",
    "```js",
    "const a = 1;",
    "```",
    "",
    '<script>window.ran = 1</script><img src="x" onerror="window.ran = 2"><a href="javascript:window.ran = 3">click</a>',
    "",
  ].join("\n"),
  "Projects/Garden plan.md": "# Garden plan\n\nWater the beans.\n\n## Beans\n\nForty of them.\n\n## Peas\n\nSixty.\n",
  "Projects/Broken.md": "---\ntags: [unclosed\n---\nText.\n",
};

let browser: Browser;
let pluginDir: string;
let harness: Harness;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  pluginDir = await mkdtemp(path.join(tmpdir(), "workbench-tiny-"));
  await build({
    entryPoints: [path.join(__dirname, "tinyPlugin.ts")],
    outfile: path.join(pluginDir, "main.js"),
    bundle: true,
    format: "cjs",
    external: ["obsidian", "@codemirror/*"],
    logLevel: "warning",
  });
  await writeFile(path.join(pluginDir, "manifest.json"), JSON.stringify(MANIFEST));
  await writeFile(path.join(pluginDir, "styles.css"), ".tiny { color: rgb(1, 2, 3); }");
});

afterAll(async () => {
  await browser.close();
  await rm(pluginDir, { recursive: true, force: true });
});

const open = async (options: Partial<Parameters<typeof startHarness>[0]> = {}): Promise<void> => {
  harness = await startHarness({ browser, pluginDir, vault: VAULT, settings: null, ...options });
  page = harness.page;
};
const notice = (text: string | RegExp): Promise<void> => page.locator(".notice", { hasText: text }).first().waitFor();
const runCommand = async (name: string): Promise<void> => {
  await page.keyboard.press("Control+p");
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
};
/** Until a look at the disk shows it, or too long. */
const eventually = async (look: () => Promise<string>, wanted: string): Promise<void> => {
  for (let waited = 0; waited < 5000 && !(await look().catch(() => "")).includes(wanted); waited += 50)
    await page.waitForTimeout(50);
  expect(await look()).toContain(wanted);
};
const inExplorer = (name: string) => page.locator(".nav-file-title", { hasText: name });

describe("on the desktop", () => {
  beforeAll(() => open());
  afterAll(() => harness.close());

  test("the plugin is loaded, enabled once, with its styles and its place in the status bar", async () => {
    await notice("Enabled");
    await page.click('[aria-label="Open tiny"]');
    await page.locator(".tiny").waitFor();
    expect(await page.textContent(".status-bar-item")).toBe("desktop");
    expect(await page.locator(".tiny").evaluate((el) => getComputedStyle(el).color)).toBe("rgb(1, 2, 3)");
    expect(await page.locator(".mod-right-split").evaluate((el) => (el as HTMLElement).offsetWidth)).toBe(340);
  });

  test("Markdown is rendered, with links, embeds, callouts, tables, tasks, and no script runs", async () => {
    const rendered = page.locator(".tiny-rendered");
    await rendered.locator(".callout").waitFor();
    expect(await rendered.locator("a.internal-link", { hasText: "Nowhere" }).getAttribute("class")).toContain(
      "is-unresolved",
    );
    expect(await rendered.locator(".markdown-embed").innerText()).toContain("Forty of them.");
    expect(await rendered.locator(".markdown-embed").innerText()).not.toContain("Sixty.");
    expect(await rendered.locator(".callout-title").innerText()).toBe("Water");
    expect(await rendered.locator("td").allInnerTexts()).toEqual(["beans", "40"]);
    expect(
      await rendered
        .locator("input[type=checkbox]")
        .evaluateAll((all) => all.map((el) => (el as HTMLInputElement).checked)),
    ).toEqual([true, false]);
    expect(await rendered.locator("a.tag").innerText()).toBe("#idea");
    expect(await rendered.locator("mark").innerText()).toBe("marked");
    expect(await rendered.locator("code").innerText()).toBe("const a = 1;\n");
    // The picture of the note is not there, which its (removed) handler would have heard of.
    harness.expectError(/404/);
    await rendered.locator("a", { hasText: "click" }).click();
    expect(await page.evaluate(() => (window as { ran?: number }).ran)).toBeUndefined();
    expect(await rendered.innerText()).not.toContain("tags: [home]");
  });

  test("a link opens its note, and the plugin hears of it", async () => {
    await page.locator(".tiny-rendered a.internal-link", { hasText: "Garden plan" }).first().click();
    await page.locator(".cm-content", { hasText: "Water the beans" }).waitFor();
    expect(await page.textContent(".tiny-active")).toBe("Projects/Garden plan.md");
    expect(await page.locator(".cm-editor").getAttribute("class")).toContain("tiny-editor");
  });

  test("an editor command changes the note on disk", async () => {
    await page.locator(".cm-line", { hasText: "Water the beans" }).click();
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+End");
    await runCommand("upper case");
    await page.locator(".cm-content", { hasText: "WATER THE BEANS." }).waitFor();
    await eventually(() => harness.readNote("Projects/Garden plan.md"), "WATER THE BEANS.");
  });

  test("menus of the editor and of the explorer carry the plugin's items", async () => {
    await page.locator(".cm-line", { hasText: "WATER THE BEANS" }).click({ button: "right" });
    await page.locator(".menu-item", { hasText: "Say it" }).click();
    await notice("nothing");
    await inExplorer("Start").click({ button: "right" });
    await page.locator(".menu-item", { hasText: "Name it" }).click();
    await notice("Start.md");
  });

  test("a note is picked by typing, and dragged from the explorer", async () => {
    await page.getByRole("button", { name: "Pick", exact: true }).click();
    await page.keyboard.type("gard");
    await page.locator(".suggestion-item.is-selected", { hasText: "Garden plan" }).waitFor();
    await page.keyboard.press("Enter");
    expect(await page.textContent(".tiny-picked")).toBe("Projects/Garden plan.md");
    await inExplorer("Start").dragTo(page.locator(".tiny"));
    expect(await page.textContent(".tiny-picked")).toBe("obsidian://open?vault=Test vault&file=Start");
  });

  test("a question is asked and answered, and Escape answers nothing", async () => {
    await runCommand("ask first");
    await page.getByRole("button", { name: "Yes" }).click();
    await notice("Yes it is");
    await runCommand("ask first");
    await page.locator(".modal", { hasText: "Sure?" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator(".modal").count()).toBe(0);
  });

  test("a write that fails on disk is an error with Node's words, the old text stays, and the next write works", async () => {
    await runCommand("write a note");
    await notice("Written");
    harness.server.vault.failNextWrites({ path: "Written.md", code: "ENOSPC" });
    await runCommand("write a note");
    await notice("Not written: ENOSPC: no space left on device");
    expect(await harness.readNote("Written.md")).toBe("first\n");
    await runCommand("write a note");
    await eventually(() => harness.readNote("Written.md"), "first\nagain\n");
    harness.expectError(/507/);
  });

  test("what others write shows in the open note, and what others delete closes it", async () => {
    await harness.writeOutside("Outside.md", "by another program");
    await inExplorer("Outside").click();
    await page.locator(".cm-content", { hasText: "by another program" }).waitFor();
    await harness.writeOutside("Outside.md", "and once more");
    await page.locator(".cm-content", { hasText: "and once more" }).waitFor();
    await rm(path.join(harness.vaultDir, "Outside.md"));
    await inExplorer("Outside").waitFor({ state: "detached" });
    expect(await page.locator(".cm-content", { hasText: "and once more" }).count()).toBe(0);
  });

  test("a deleted note is in the trash", async () => {
    await inExplorer("Broken").click({ button: "right" });
    await page.locator(".menu-item", { hasText: "Delete" }).click();
    await page.locator(".modal").getByRole("button", { name: "Delete" }).click();
    await inExplorer("Broken").waitFor({ state: "detached" });
    expect(await harness.readNote(".trash/Broken.md")).toContain("Text.");
  });

  test("declared settings are drawn, checked, kept on disk, and follow each other", async () => {
    await page.keyboard.press("Control+,");
    const row = (name: string) => page.locator(".setting-item", { hasText: name });
    await row("Budget").locator("input").fill("-1");
    await row("Budget").getByText("Use a positive number.").waitFor();
    await row("Budget").locator("input").fill("8000");
    await row("Budget").getByText("Use a positive number.").waitFor({ state: "detached" });
    await row("Mode").locator("select").selectOption("slow");
    await row("Active").locator(".checkbox-container").click();
    await page.locator(".setting-item-name", { hasText: "Budget" }).waitFor({ state: "hidden" });
    await page.getByText("No words yet").waitFor();
    await page.locator('[aria-label="Add a word"]').click();
    await page.locator('[aria-label="Add a word"]').click();
    await row("word 1").locator('[aria-label="Delete"]').click();
    await row("Advanced").click();
    await row("Endpoint").locator("input").fill(harness.model.url);
    await page.locator('[aria-label="Back"]').click();
    await row("Advanced").getByText(harness.model.url).waitFor();
    const saved = JSON.parse(await harness.readNote(".obsidian/plugins/tiny/data.json")) as object;
    expect(saved).toMatchObject({
      active: false,
      budget: 8000,
      mode: "slow",
      words: ["word 2"],
      endpoint: harness.model.url,
    });
  });

  test("a secret is kept by the app and only its name by the plugin", async () => {
    await page.locator(".setting-item", { hasText: "Key" }).getByRole("button").click();
    const modal = page.locator(".modal.mod-secret");
    await modal.locator("input").nth(0).fill("My Key");
    await modal.locator("input").nth(1).fill("s3cret");
    await modal.getByRole("button", { name: "Save" }).click();
    await modal.locator(".setting-item-error").waitFor();
    await modal.locator("input").nth(0).fill("my-key");
    await modal.getByRole("button", { name: "Save" }).click();
    await page.locator(".secret-button", { hasText: "my-key" }).waitFor();
    await page.keyboard.press("Escape");
    const saved = await harness.readNote(".obsidian/plugins/tiny/data.json");
    expect(saved).toContain("my-key");
    expect(saved).not.toContain("s3cret");
  });

  test("requestUrl reaches a server that allows no browser, and settings changed outside are told", async () => {
    harness.model.set({ cors: false });
    await runCommand("ping");
    await notice("Models: 1");
    await harness.writeOutside(".obsidian/plugins/tiny/data.json", JSON.stringify({ budget: 123 }));
    await notice("Budget is 123");
  });

  test("the reading view shows the note, and the theme can be changed", async () => {
    await inExplorer("Start").click();
    await page.locator('.workspace-leaf.mod-active [aria-label*="Click to read"]').click();
    await page.locator(".markdown-preview-sizer h1", { hasText: "Start" }).waitFor();
    await page.click('[aria-label="Toggle light and dark mode"]');
    expect(await page.getAttribute("body", "class")).toContain("theme-light");
  });

  test("the tabs come back after a reload, and the plugin is not enabled twice", async () => {
    // The layout is saved a moment after it changes; the reading view of the test above is the last change.
    await eventually(() => harness.readNote(".obsidian/workbench.json"), "tiny-view");
    await eventually(() => harness.readNote(".obsidian/workbench.json"), "preview");
    await harness.reload();
    await page.locator(".tiny").waitFor();
    await page.locator(".markdown-preview-sizer h1", { hasText: "Start" }).waitFor();
    expect(await page.locator(".notice", { hasText: "Enabled" }).count()).toBe(0);
  });
});

describe("on a phone", () => {
  beforeAll(() => open({ phone: true, theme: "light" }));
  afterAll(() => harness.close());

  test("the sidebar is a drawer over the page, opened by a command and closed by its button", async () => {
    await page.locator('.mobile-navbar [aria-label="Open command palette"]').click();
    await page.keyboard.type("tiny: open");
    await page.keyboard.press("Enter");
    harness.expectError(/404/);
    const drawer = page.locator(".workspace-drawer.mod-right-split");
    await drawer.locator(".tiny").waitFor();
    expect(await drawer.evaluate((el) => el.getBoundingClientRect().width)).toBeGreaterThan(350);
    await drawer.locator(".workspace-drawer-close").click();
    await drawer.waitFor({ state: "hidden" });
  });
});

describe("what is not modelled", () => {
  const runPlugin = async (body: string): Promise<string> => {
    const dir = await mkdtemp(path.join(tmpdir(), "workbench-strict-"));
    await writeFile(path.join(dir, "manifest.json"), JSON.stringify(MANIFEST));
    await writeFile(path.join(dir, "main.js"), `const obsidian = require("obsidian");\n${body}`);
    try {
      const started = await startHarness({ browser, pluginDir: dir, settings: null });
      const answer = await started.page.evaluate(() => (window as { answer?: string }).answer ?? "");
      await started.close();
      return answer;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  };
  const inOnload = (code: string): string =>
    `module.exports = class extends obsidian.Plugin { onload() { try { ${code}; window.answer = "nothing thrown"; } catch (error) { window.answer = error.message; } } };`;

  it.each`
    code                                                                     | message                                             | because
    ${inOnload("new obsidian.EditorSuggest(this.app)")}                      | ${"does not model EditorSuggest"}                   | ${"an export that the shim lacks"}
    ${inOnload("this.app.workspace.openPopoutLeaf()")}                       | ${"does not model Workspace.openPopoutLeaf"}        | ${"a method that the shim lacks"}
    ${inOnload("obsidian.FileSystemAdapter.readLocalFile('x')")}             | ${"does not model FileSystemAdapter.readLocalFile"} | ${"a static one"}
    ${inOnload("require('fs')")}                                             | ${"Cannot find module 'fs'"}                        | ${"no Node, as on a phone"}
    ${inOnload("if (obsidian.Nonsense !== undefined) throw new Error('?')")} | ${"nothing thrown"}                                 | ${"what Obsidian has not is undefined there too"}
    ${"module.exports = class extends obsidian.BasesView {};"}               | ${"does not model BasesView"}                       | ${"a base class that the shim lacks stops the plugin at once"}
  `("$because: $message", async ({ code, message }: { code: string; message: string }) => {
    expect(await runPlugin(code)).toContain(message);
  });
});
