/** HTML from notes and answers: only harmless elements and attributes come through, and no script ever runs. */

const ELEMENTS = new Set(
  (
    "a abbr b blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 " +
    "hr i img input ins kbd li mark ol p pre q rp rt ruby s samp section small span strong sub summary sup table tbody td " +
    "tfoot th thead time tr u ul var wbr audio video source"
  ).split(" "),
);
/** Not even their text is shown. */
const DROPPED_WHOLE = new Set(
  "script style iframe object embed template noscript svg math form link meta base".split(" "),
);
const ATTRIBUTES = new Set(
  (
    "href src alt title class id width height colspan rowspan align start type checked disabled open dir lang datetime " +
    "controls data-href data-path data-task data-line data-callout data-heading target rel role aria-label tabindex"
  ).split(" "),
);
const HARMLESS_ADDRESS = /^(?:https?:|mailto:|obsidian:|tel:|data:image\/(?:png|jpe?g|gif|webp|avif);|[^:]*$|[/#.?])/i;

/**
 * @param html parsed without being attached, so nothing in it loads or runs
 * @returns a fragment of what is allowed
 */
export function sanitizeHTMLToDom(html: string): DocumentFragment {
  const parsed = new DOMParser().parseFromString(`<body>${html}</body>`, "text/html");
  const fragment = document.createDocumentFragment();
  for (const child of [...parsed.body.childNodes]) fragment.append(...cleaned(child));
  return fragment;
}

function cleaned(node: Node): Node[] {
  if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(node.textContent ?? "")];
  if (!isElement(node)) return [];
  const tag = node.localName;
  if (DROPPED_WHOLE.has(tag)) return [];
  const children = [...node.childNodes].flatMap(cleaned);
  if (!ELEMENTS.has(tag)) return children;
  const copy = document.createElement(tag);
  for (const { name, value } of [...node.attributes]) {
    if (isAllowed(name.toLowerCase(), value)) copy.setAttribute(name.toLowerCase(), value);
  }
  copy.append(...children);
  return [copy];
}

function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE;
}

function isAllowed(name: string, value: string): boolean {
  if (!ATTRIBUTES.has(name)) return false;
  return (name !== "href" && name !== "src") || HARMLESS_ADDRESS.test(value.trim());
}
