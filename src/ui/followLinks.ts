/**
 * Links between notes inside rendered answers.
 * Owns: clicks, middle clicks and hovering. Does not own: where a link leads (Obsidian), links to the web (Obsidian too).
 */
import type { Component } from "obsidian";
import type { ViewHost } from "./ViewContext";

/** One set of listeners for the whole view: answers are rendered again and again while they stream. */
export function followLinks(owner: Component, container: HTMLElement, host: ViewHost): void {
  const open = (event: MouseEvent): void => {
    const link = internalLinkAt(event);
    if (link === undefined || event.button > 1) return;
    event.preventDefault();
    event.stopPropagation();
    host.openLink(link.text, event);
  };
  owner.registerDomEvent(container, "click", open);
  owner.registerDomEvent(container, "auxclick", open);
  owner.registerDomEvent(container, "mouseover", (event) => {
    const link = internalLinkAt(event);
    if (link !== undefined) host.previewLink(link.text, link.element, event);
  });
}

function internalLinkAt(event: MouseEvent): { readonly element: HTMLElement; readonly text: string } | undefined {
  const target = event.targetNode;
  if (target === null || !target.instanceOf(HTMLElement)) return undefined;
  const element = target.closest<HTMLElement>("a.internal-link");
  const text = element?.dataset.href ?? element?.getAttribute("href");
  return element === null || text === null || text === undefined || text === "" ? undefined : { element, text };
}
