/** Obsidian's Markdown to HTML text: CommonMark with tables, and links, embeds, tags, tasks, marks, comments and callouts. */
import MarkdownIt, { type StateCore, type StateInline } from "markdown-it";

const CALLOUT = /^\[!([\w-]+)\]([+-]?)[ \t]*([^\n]*)/;

/** One parser serves all notes; it keeps nothing between them. */
export function makeMarkdownParser(): (text: string) => string {
  const parser = new MarkdownIt({ html: true, linkify: true, breaks: true });
  parser.inline.ruler.before("link", "wikilink", wikilink);
  parser.inline.ruler.before("emphasis", "mark", mark);
  parser.inline.ruler.before("text", "tag", tag);
  parser.core.ruler.push("tasks", markTasks);
  return (text) => parser.render(text.replace(/%%[\s\S]*?%%/g, ""));
}

/** `[[target#part|shown]]`, and the same with `!` for an embed. */
function wikilink(state: StateInline, silent: boolean): boolean {
  const found = /^(!?)\[\[([^[\]|\n]+)(?:\|([^[\]\n]*))?\]\]/.exec(state.src.slice(state.pos, state.pos + 1000));
  if (found === null) return false;
  const [whole, bang, target = "", shown] = found;
  if (!silent) {
    const isEmbed = bang === "!";
    const open = state.push(isEmbed ? "embed_open" : "link_open", isEmbed ? "span" : "a", 1);
    open.attrs = isEmbed
      ? [
          ["class", "internal-embed"],
          ["src", target],
          ["alt", shown ?? target],
        ]
      : [
          ["class", "internal-link"],
          ["data-href", target],
          ["href", target],
          ["target", "_blank"],
          ["rel", "noopener nofollow"],
        ];
    state.push("text", "", 0).content = isEmbed ? "" : (shown ?? displayOf(target));
    state.push(isEmbed ? "embed_close" : "link_close", isEmbed ? "span" : "a", -1);
  }
  state.pos += whole.length;
  return true;
}

/** `Note#Part` is shown as `Note > Part`. */
function displayOf(target: string): string {
  return target.split("#").filter(Boolean).join(" > ");
}

/** `==marked==` */
function mark(state: StateInline, silent: boolean): boolean {
  const found = /^==(?=\S)([^=\n]+)==/.exec(state.src.slice(state.pos, state.pos + 2000));
  if (found === null) return false;
  if (!silent) {
    state.push("mark_open", "mark", 1);
    state.push("text", "", 0).content = found[1] ?? "";
    state.push("mark_close", "mark", -1);
  }
  state.pos += found[0].length;
  return true;
}

/** `#tag`, at the start of a word, with at least one character that is no digit. */
function tag(state: StateInline, silent: boolean): boolean {
  const before = state.pos === 0 ? " " : state.src.charAt(state.pos - 1);
  if (state.src.charAt(state.pos) !== "#" || !/\s/.test(before)) return false;
  const found = /^#[\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*/u.exec(state.src.slice(state.pos, state.pos + 200));
  if (found === null) return false;
  if (!silent) {
    const open = state.push("link_open", "a", 1);
    open.attrs = [
      ["class", "tag"],
      ["href", found[0]],
    ];
    state.push("text", "", 0).content = found[0];
    state.push("link_close", "a", -1);
  }
  state.pos += found[0].length;
  return true;
}

/** `- [ ] task` becomes a list item with a box. */
function markTasks(state: StateCore): void {
  state.tokens.forEach((token, index) => {
    const item = state.tokens[index - 2];
    const first = token.children?.[0];
    if (token.type !== "inline" || item?.type !== "list_item_open" || first?.type !== "text") return;
    const found = /^\[(.)\]\s/.exec(first.content);
    if (found === null) return;
    const [prefix, sign = " "] = found;
    first.content = first.content.slice(prefix.length);
    item.attrJoin("class", sign === " " ? "task-list-item" : "task-list-item is-checked");
    item.attrSet("data-task", sign === " " ? "" : sign);
    const box = new state.Token("html_inline", "", 0);
    box.content = `<input type="checkbox" class="task-list-item-checkbox"${sign === " " ? "" : " checked"}>`;
    token.children?.unshift(box);
  });
}

/** Turns block quotes that begin with `[!kind] title` into callouts. Works on the finished elements. */
export function formCallouts(root: ParentNode, drawIcon: (el: HTMLElement, kind: string) => void): void {
  for (const quote of [...root.querySelectorAll("blockquote")]) {
    const first = quote.querySelector("p");
    const found = CALLOUT.exec(first?.textContent ?? "");
    if (first === null || found === null) continue;
    const [, kind = "note", fold = "", titleText = ""] = found;
    const callout = createDiv({ cls: "callout", attr: { "data-callout": kind.toLowerCase() } });
    const title = callout.createDiv({ cls: "callout-title" });
    drawIcon(title.createDiv({ cls: "callout-icon" }), kind.toLowerCase());
    const inner = title.createDiv({ cls: "callout-title-inner" });
    removeFirstLine(first, inner);
    if (titleText.trim() === "") inner.setText(kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase());
    if (first.childNodes.length === 0) first.remove();
    const content = callout.createDiv({ cls: "callout-content" });
    content.append(...quote.childNodes);
    if (content.textContent?.trim() === "") content.detach();
    if (fold !== "") makeFoldable(callout, title, fold === "-");
    quote.replaceWith(callout);
  }
}

/** The first line, up to its break, goes into the title without its `[!kind]`. */
function removeFirstLine(paragraph: HTMLElement, into: HTMLElement): void {
  while (paragraph.firstChild !== null) {
    const node = paragraph.firstChild;
    if (node instanceof HTMLBRElement) {
      node.remove();
      break;
    }
    into.appendChild(node);
  }
  const start = into.firstChild;
  if (start !== null) start.textContent = (start.textContent ?? "").replace(/^\[![\w-]+\][+-]?[ \t]*/, "");
}

function makeFoldable(callout: HTMLElement, title: HTMLElement, isFolded: boolean): void {
  callout.addClass("is-collapsible");
  callout.toggleClass("is-collapsed", isFolded);
  title.createDiv({ cls: "callout-fold", text: "›" });
  title.addEventListener("click", () => callout.toggleClass("is-collapsed", !callout.hasClass("is-collapsed")));
}
