/** How Markdown looks while it is edited: Obsidian's source mode, by its own class names. */
import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import type { MarkdownConfig } from "@lezer/markdown";

/** Front matter is its own block; without this its end would make a heading of its last line. */
const frontmatter: MarkdownConfig = {
  defineNodes: [{ name: "Frontmatter", block: true, style: tags.meta }],
  parseBlock: [
    {
      name: "Frontmatter",
      before: "HorizontalRule",
      parse(context, line) {
        if (context.lineStart !== 0 || line.text.trimEnd() !== "---") return false;
        while (context.nextLine() && line.text.trimEnd() !== "---");
        context.nextLine();
        context.addElement(context.elt("Frontmatter", 0, context.prevLineEnd()));
        return true;
      },
    },
  ],
};

const style = HighlightStyle.define([
  { tag: tags.meta, class: "cm-hmd-frontmatter" },
  { tag: tags.heading1, class: "cm-header cm-header-1" },
  { tag: tags.heading2, class: "cm-header cm-header-2" },
  { tag: tags.heading3, class: "cm-header cm-header-3" },
  { tag: [tags.heading4, tags.heading5, tags.heading6], class: "cm-header cm-header-4" },
  { tag: tags.strong, class: "cm-strong" },
  { tag: tags.emphasis, class: "cm-em" },
  { tag: tags.strikethrough, class: "cm-strikethrough" },
  { tag: tags.link, class: "cm-link" },
  { tag: tags.url, class: "cm-url" },
  { tag: tags.monospace, class: "cm-inline-code" },
  { tag: tags.quote, class: "cm-quote" },
  { tag: [tags.processingInstruction, tags.contentSeparator], class: "cm-formatting" },
  { tag: tags.comment, class: "cm-comment" },
]);

export function markdownStyle(): Extension {
  return [markdown({ base: markdownLanguage, extensions: [frontmatter] }), syntaxHighlighting(style)];
}
