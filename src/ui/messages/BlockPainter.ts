/**
 * Paints one Markdown block into an element, again and again while it grows.
 * Owns: one rendering at a time, the pace, and the life of what was rendered. Does not own: what Markdown means (the host).
 */
import { Component } from "obsidian";

export interface MarkdownHost {
  renderMarkdown(markdown: string, into: HTMLElement, component: Component): Promise<void>;
}

/** Fast enough to read along; a block that takes long to render is rendered less often, so that the window stays usable. */
const SHORTEST_PAUSE_MS = 60;
const PAUSE_PER_RENDERING = 4;

export class BlockPainter {
  private wanted: string | undefined;
  private painted: string | undefined;
  private shown: Component | undefined;
  private isPainting = false;
  private isClosed = false;

  constructor(
    private readonly target: HTMLElement,
    private readonly host: MarkdownHost,
  ) {}

  paint(markdown: string): void {
    this.wanted = markdown;
    if (!this.isPainting) void this.paintUntilCurrent();
  }

  close(): void {
    this.isClosed = true;
    this.shown?.unload();
    this.shown = undefined;
  }

  private async paintUntilCurrent(): Promise<void> {
    this.isPainting = true;
    while (!this.isClosed && this.wanted !== undefined && this.wanted !== this.painted) {
      const startedAtMs = performance.now();
      await this.paintOnce(this.wanted);
      const tookMs = performance.now() - startedAtMs;
      if (this.wanted !== this.painted) await pause(Math.max(SHORTEST_PAUSE_MS, tookMs * PAUSE_PER_RENDERING));
    }
    this.isPainting = false;
  }

  /** Rendered beside what is shown and then swapped in, so that nothing flickers while embeds load. */
  private async paintOnce(markdown: string): Promise<void> {
    const fresh = createDiv({ cls: "vault-copilot-rendered" });
    const component = new Component();
    component.load();
    try {
      await this.host.renderMarkdown(markdown, fresh, component);
    } catch (error) {
      // A post-processor of another plugin may throw. The words matter more than their looks.
      console.warn("Vault Copilot: a block is shown as plain text", error);
      fresh.empty();
      fresh.addClass("vault-copilot-plain");
      fresh.setText(markdown);
    }
    this.painted = markdown;
    if (this.isClosed) {
      component.unload();
      return;
    }
    this.target.replaceChildren(fresh);
    this.shown?.unload();
    this.shown = component;
  }
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    window.setTimeout(resolve, durationMs);
  });
}
