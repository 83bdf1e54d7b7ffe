/**
 * What the components inside the chat view may ask of Obsidian, handed down through Preact's context.
 * Owns: the shape of that hand-down. Does not own: its making (ChatView) or any state.
 */
import type { App, Component } from "obsidian";
import { createContext } from "preact";
import { useContext } from "preact/hooks";

export interface ViewHost {
  readonly app: App;
  readonly isPhone: boolean;
  /** Renders Markdown as Obsidian does, including embeds, whose life ends with `component`. */
  readonly renderMarkdown: (markdown: string, into: HTMLElement, component: Component) => Promise<void>;
  /** Follows a link between notes. @param event decides where it opens: a modifier opens a new tab. */
  readonly openLink: (linkText: string, event: MouseEvent) => void;
  /** Offers Obsidian's page preview for a link under the pointer. */
  readonly previewLink: (linkText: string, target: HTMLElement, event: MouseEvent) => void;
  readonly openSettings: () => void;
  /** Puts text on the clipboard and says so. */
  readonly copy: (text: string) => void;
}

export const ViewContext = createContext<ViewHost | undefined>(undefined);

/** @throws Error outside a view: a component was mounted without its host. */
export function useViewHost(): ViewHost {
  const host = useContext(ViewContext);
  if (host === undefined) throw new Error("no view host above this component");
  return host;
}
