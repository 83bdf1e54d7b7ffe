/** Tooltips: what stands in `aria-label` is shown beside an element that the pointer rests on, or on a plugin's word. */
import type { TooltipOptions, TooltipPlacement } from "obsidian";

const DELAY_MS = 500;
const GAP_PX = 6;
const EDGE_PX = 4;

/** One tooltip at a time, as in the app. */
interface Shown {
  el: HTMLElement | undefined;
  target: HTMLElement | undefined;
  timer: number | undefined;
}

const shown: Shown = { el: undefined, target: undefined, timer: undefined };

/** Shows it at once, until the pointer leaves or something is pressed. */
export function displayTooltip(
  target: HTMLElement,
  content: string | DocumentFragment,
  options?: TooltipOptions,
): void {
  hideTooltip();
  const el = createDiv({ cls: ["tooltip", ...(options?.classes ?? [])] });
  el.setText(content);
  document.body.appendChild(el);
  place(el, target, options);
  shown.el = el;
  shown.target = target;
}

/** Makes every labelled element tell its label. */
export function showLabelsOnHover(): void {
  document.addEventListener("mouseover", (event) => {
    const target = labelled(event.target);
    if (target === shown.target) return;
    hideTooltip();
    shown.target = target;
    if (target === undefined) return;
    shown.timer = window.setTimeout(() => {
      const placement = target.getAttr("data-tooltip-position") as TooltipPlacement | null;
      if (target.isConnected)
        displayTooltip(target, target.getAttr("aria-label") ?? "", placement === null ? {} : { placement });
    }, DELAY_MS);
  });
  for (const type of ["mousedown", "keydown", "wheel"] as const) document.addEventListener(type, hideTooltip, true);
}

function hideTooltip(): void {
  window.clearTimeout(shown.timer);
  shown.el?.detach();
  shown.el = undefined;
  shown.target = undefined;
}

/** Not what is typed into: its label says what it is for, and the pointer rests there often. */
function labelled(target: EventTarget | null): HTMLElement | undefined {
  const el = target instanceof Element ? target.closest<HTMLElement>("[aria-label]") : null;
  if (el === null || el.matches("input, textarea, [contenteditable], [role='dialog'], [role='log']")) return undefined;
  return el.getAttr("aria-label") === "" ? undefined : el;
}

function place(
  el: HTMLElement,
  target: HTMLElement,
  { placement = "bottom", gap = GAP_PX }: TooltipOptions = {},
): void {
  const around = target.getBoundingClientRect();
  const [width, height] = [el.offsetWidth, el.offsetHeight];
  const middleX = around.left + (around.width - width) / 2;
  const middleY = around.top + (around.height - height) / 2;
  const fitsBelow = around.bottom + gap + height <= window.innerHeight - EDGE_PX;
  const below = fitsBelow ? around.bottom + gap : around.top - gap - height;
  const [left, top] = {
    bottom: [middleX, below],
    top: [middleX, around.top - gap - height],
    left: [around.left - gap - width, middleY],
    right: [around.right + gap, middleY],
  }[placement] as [number, number];
  el.setCssStyles({
    left: `${Math.clamp(left, EDGE_PX, Math.max(EDGE_PX, window.innerWidth - width - EDGE_PX))}px`,
    top: `${Math.max(EDGE_PX, top)}px`,
  });
}
