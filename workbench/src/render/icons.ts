/** Icons by name: lucide's, and those a plugin adds. Tooltips, since both are attributes of small buttons. */
import type { TooltipOptions } from "obsidian";
import lucideJson from "virtual:lucide";

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
/** Names Obsidian still knows from before it used lucide. */
const OLD_NAMES: Record<string, string> = {
  cross: "x",
  gear: "settings",
  trash: "trash-2",
  pencil: "pencil",
  document: "file-text",
  "dots-vertical": "ellipsis-vertical",
  "more-vertical": "ellipsis-vertical",
  "more-horizontal": "ellipsis",
  "lines-of-text": "text",
  "paper-plane": "send",
  "plus-with-circle": "circle-plus",
  "alert-triangle": "triangle-alert",
  "alert-circle": "circle-alert",
  "help-circle": "circle-help",
  "check-circle": "circle-check",
  "stop-circle": "circle-stop",
  edit: "square-pen",
  sliders: "sliders-vertical",
};

type Shapes = readonly (readonly [tag: string, attributes: Record<string, string>])[];

interface IconShelf {
  readonly added: Map<string, string>;
  /** Parsed when the first icon is drawn. */
  drawn: Readonly<Record<string, Shapes>> | undefined;
}

/** The page has one set of icons, as the app has; a plugin adds to it by addIcon. */
const shelf: IconShelf = { added: new Map(), drawn: undefined };

function lucide(): Readonly<Record<string, Shapes>> {
  shelf.drawn ??= JSON.parse(lucideJson) as Record<string, Shapes>;
  return shelf.drawn;
}

export function addIcon(iconId: string, svgContent: string): void {
  shelf.added.set(iconId, svgContent);
}

export function removeIcon(iconId: string): void {
  shelf.added.delete(iconId);
}

export function getIconIds(): string[] {
  return [...Object.keys(lucide()).map((name) => `lucide-${name}`), ...shelf.added.keys()];
}

/** @returns null for a name nobody has drawn */
export function getIcon(iconId: string): SVGSVGElement | null {
  const added = shelf.added.get(iconId);
  if (added !== undefined) return addedIcon(iconId, added);
  const plain = iconId.replace(/^lucide-/, "");
  const shapes = lucide()[plain] ?? lucide()[OLD_NAMES[plain] ?? ""];
  if (shapes === undefined) return null;
  const svg = emptyIcon(plain, "0 0 24 24");
  for (const [tag, attributes] of shapes) {
    const shape = document.createElementNS(SVG_NAMESPACE, tag);
    for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
    svg.appendChild(shape);
  }
  return svg;
}

/** Replaces what is in `parent`. An unknown name leaves it empty, as in Obsidian, and says so in the console. */
export function setIcon(parent: HTMLElement, iconId: string): void {
  const icon = getIcon(iconId);
  parent.empty();
  if (icon === null) console.warn(`workbench: there is no icon "${iconId}"`);
  else parent.appendChild(icon);
}

export function setTooltip(el: HTMLElement, tooltip: string, options?: TooltipOptions): void {
  el.setAttr("aria-label", tooltip === "" ? null : tooltip);
  el.setAttr("data-tooltip-position", options?.placement ?? null);
}

function emptyIcon(name: string, viewBox: string): SVGSVGElement {
  const svg = document.createElementNS(SVG_NAMESPACE, "svg");
  const attributes = {
    xmlns: SVG_NAMESPACE,
    width: "24",
    height: "24",
    viewBox,
    fill: "none",
    stroke: "currentColor",
    "stroke-width": "2",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    class: `svg-icon lucide-${name}`,
  };
  for (const [attribute, value] of Object.entries(attributes)) svg.setAttribute(attribute, value);
  return svg;
}

function addedIcon(name: string, content: string): SVGSVGElement {
  const svg = emptyIcon(name, "0 0 100 100");
  svg.setAttribute("class", `svg-icon ${name}`);
  const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG_NAMESPACE}">${content}</svg>`, "image/svg+xml");
  for (const child of [...parsed.documentElement.childNodes]) svg.appendChild(document.importNode(child, true));
  return svg;
}
