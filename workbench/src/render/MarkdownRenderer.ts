/**
 * Markdown as elements. Owns: what a plugin gets from MarkdownRenderer.render, post-processors and code block processors.
 * Not modelled: math, diagrams, queries, syntax colours.
 */
import type * as Obsidian from "obsidian";
import { MarkdownRenderChild, getFrontMatterInfo, parseYaml } from "../mocks";
import { sectionOf } from "../vault/noteSections";
import { setIcon, setTooltip } from "./icons";
import { formCallouts, makeMarkdownParser } from "./markdownParser";
import { sanitizeHTMLToDom } from "./sanitize";
import type { Beyond } from "../obsidianTypes";

const MAX_EMBED_DEPTH = 3;
const CALLOUT_ICONS: Record<string, string> = {
  note: "pencil",
  abstract: "clipboard-list",
  summary: "clipboard-list",
  info: "info",
  todo: "circle-check",
  tip: "flame",
  hint: "flame",
  important: "flame",
  success: "check",
  question: "circle-help",
  warning: "triangle-alert",
  caution: "triangle-alert",
  failure: "x",
  danger: "zap",
  bug: "bug",
  example: "list",
  quote: "quote",
};

type CodeBlockHandler = (source: string, el: HTMLElement, context: Obsidian.MarkdownPostProcessorContext) => unknown;

interface Processors {
  readonly post: Obsidian.MarkdownPostProcessor[];
  readonly code: Map<string, CodeBlockHandler>;
}

/** The page has one renderer, as the app has; plugins add to it and take away at unload. */
const processors: Processors = { post: [], code: new Map() };
const toHtml = makeMarkdownParser();

export interface MarkdownRenderer extends Beyond<Obsidian.MarkdownRenderer, MarkdownRenderChild> {}

export abstract class MarkdownRenderer extends MarkdownRenderChild {
  /** Appends to `el`. */
  static async render(
    app: Obsidian.App,
    markdown: string,
    el: HTMLElement,
    sourcePath: string,
    component: Obsidian.Component,
  ): Promise<void> {
    await renderInto({ app, el, sourcePath, component, depth: 0 }, markdown);
  }
}

export class MarkdownPreviewRenderer {
  static registerPostProcessor(postProcessor: Obsidian.MarkdownPostProcessor, sortOrder?: number): void {
    if (sortOrder !== undefined) postProcessor.sortOrder = sortOrder;
    processors.post.push(postProcessor);
    processors.post.sort((a, b) => (a.sortOrder ?? 0) - (b.sortOrder ?? 0));
  }

  static unregisterPostProcessor(postProcessor: Obsidian.MarkdownPostProcessor): void {
    processors.post.remove(postProcessor);
  }
}

export function registerCodeBlock__(language: string, handler: CodeBlockHandler): () => void {
  processors.code.set(language, handler);
  return () => void processors.code.delete(language);
}

interface Rendering {
  readonly app: Obsidian.App;
  readonly el: HTMLElement;
  readonly sourcePath: string;
  readonly component: Obsidian.Component;
  readonly depth: number;
}

async function renderInto(rendering: Rendering, markdown: string): Promise<void> {
  const info = getFrontMatterInfo(markdown);
  const content = sanitizeHTMLToDom(toHtml(info.exists ? markdown.slice(info.contentStart) : markdown));
  markLinks(content, rendering);
  formCallouts(content, (el, kind) => setIcon(el, CALLOUT_ICONS[kind] ?? "pencil"));
  wrapTables(content);
  addCopyButtons(content);
  const added = [...content.children].filter((child): child is HTMLElement => child instanceof HTMLElement);
  rendering.el.appendChild(content);
  for (const block of added) await fillEmbeds(block, rendering);
  const context = contextOf(rendering, info);
  for (const block of added) await process(block, context);
}

function markLinks(content: DocumentFragment, { app, sourcePath }: Rendering): void {
  for (const link of content.querySelectorAll<HTMLAnchorElement>("a.internal-link")) {
    const target = (link.dataset.href ?? "").split("#")[0] ?? "";
    const isKnown = target === "" || app.metadataCache.getFirstLinkpathDest(target, sourcePath) !== null;
    link.toggleClass("is-unresolved", !isKnown);
    link.dataset.source = sourcePath;
  }
  for (const link of content.querySelectorAll<HTMLAnchorElement>("a[href]:not(.internal-link):not(.tag)")) {
    const href = link.getAttribute("href") ?? "";
    if (/^[a-z][a-z\d+.-]*:/i.test(href)) {
      link.addClass("external-link");
      link.setAttrs({ target: "_blank", rel: "noopener nofollow" });
    } else {
      // An ordinary Markdown link to a note.
      link.addClass("internal-link");
      link.dataset.href = decodeURIComponent(href);
      link.dataset.source = sourcePath;
    }
  }
}

function wrapTables(content: DocumentFragment): void {
  for (const table of content.querySelectorAll("table")) {
    const wrapper = createDiv({ cls: "table-wrapper" });
    table.replaceWith(wrapper);
    wrapper.appendChild(table);
  }
}

function addCopyButtons(content: DocumentFragment): void {
  for (const pre of content.querySelectorAll<HTMLElement>("pre")) {
    const button = pre.createEl("button", { cls: "copy-code-button clickable-icon" });
    setIcon(button, "copy");
    setTooltip(button, "Copy");
    button.addEventListener(
      "click",
      () => void navigator.clipboard.writeText(pre.querySelector("code")?.textContent ?? ""),
    );
  }
}

async function fillEmbeds(block: HTMLElement, rendering: Rendering): Promise<void> {
  for (const embed of block.findAllSelf(".internal-embed")) {
    const [path = "", subpath] = (embed.getAttribute("src") ?? "").split("#", 2);
    const file = rendering.app.metadataCache.getFirstLinkpathDest(path, rendering.sourcePath);
    if (file === null) {
      embed.addClass("is-unresolved", "file-embed");
      embed.setText(`${path} is not in this vault`);
    } else if (file.extension === "md") {
      await embedNote(embed, file, subpath, rendering);
    } else {
      embedAttachment(embed, file, rendering.app);
    }
  }
  for (const image of block.findAllSelf("img")) {
    const src = image.getAttribute("src") ?? "";
    if (/^[a-z]+:/i.test(src)) continue;
    const file = rendering.app.metadataCache.getFirstLinkpathDest(decodeURIComponent(src), rendering.sourcePath);
    if (file !== null) image.setAttr("src", rendering.app.vault.getResourcePath(file));
  }
}

async function embedNote(
  embed: HTMLElement,
  file: Obsidian.TFile,
  subpath: string | undefined,
  { app, component, depth }: Rendering,
): Promise<void> {
  embed.addClass("markdown-embed", "inline-embed", "is-loaded");
  if (depth >= MAX_EMBED_DEPTH) return embed.setText(`${file.basename} (embedded too deep to show)`);
  embed.createDiv({ cls: "markdown-embed-title", text: file.basename });
  const el = embed
    .createDiv({ cls: "markdown-embed-content" })
    .createDiv({ cls: "markdown-preview-view markdown-rendered" });
  const text = await app.vault.cachedRead(file);
  const part = subpath === undefined ? text : sectionOf(text, app.metadataCache.getFileCache(file), `#${subpath}`);
  await renderInto({ app, el, sourcePath: file.path, component, depth: depth + 1 }, part);
}

function embedAttachment(embed: HTMLElement, file: Obsidian.TFile, app: Obsidian.App): void {
  const src = app.vault.getResourcePath(file);
  embed.addClass("media-embed", "is-loaded");
  const alt = embed.getAttribute("alt") ?? file.name;
  if (/^(png|jpe?g|gif|webp|svg|bmp|avif)$/i.test(file.extension)) {
    embed.addClass("image-embed");
    const width = /^\d+$/.exec(alt)?.[0];
    embed.createEl("img", { attr: { src, alt, ...(width === undefined ? {} : { width }) } });
  } else if (/^(mp3|wav|ogg|m4a|flac)$/i.test(file.extension)) embed.createEl("audio", { attr: { src, controls: "" } });
  else if (/^(mp4|webm|mov)$/i.test(file.extension)) embed.createEl("video", { attr: { src, controls: "" } });
  else {
    embed.addClass("file-embed");
    embed.createEl("a", { cls: "internal-link", text: file.name, attr: { "data-href": file.path, href: file.path } });
  }
}

function contextOf(
  { sourcePath, component }: Rendering,
  info: Obsidian.FrontMatterInfo,
): Obsidian.MarkdownPostProcessorContext {
  return {
    docId: sourcePath,
    sourcePath,
    frontmatter: info.exists ? (parseYaml(info.frontmatter) as unknown) : undefined,
    addChild: (child) => void component.addChild(child),
    getSectionInfo: () => null,
  };
}

async function process(block: HTMLElement, context: Obsidian.MarkdownPostProcessorContext): Promise<void> {
  for (const [language, handler] of processors.code) {
    for (const code of block.findAllSelf(`code.language-${language}`)) {
      const el = createDiv({ cls: `block-language-${language}` });
      code.parentElement?.replaceWith(el);
      await handler(code.textContent ?? "", el, context);
    }
  }
  for (const postProcess of processors.post) await postProcess(block, context);
}
