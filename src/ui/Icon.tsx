/** Obsidian's icons inside Preact. Owns: the icon element and the icon button. Does not own: what a click does. */
import { setIcon } from "obsidian";
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** @param name a Lucide name, as setIcon takes it. */
export function Icon({ name }: { readonly name: string }): VNode {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (element.current !== null) setIcon(element.current, name);
  }, [name]);
  return <span class="vault-copilot-icon" aria-hidden="true" ref={element} />;
}

interface IconButtonProps {
  readonly icon: string;
  /** Read by screen readers, and shown by Obsidian as the tooltip. */
  readonly label: string;
  readonly onClick: (event: MouseEvent) => void;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
}

export function IconButton({ icon, label, onClick, disabled, pressed }: IconButtonProps): VNode {
  return (
    <button
      type="button"
      class="clickable-icon vault-copilot-icon-button"
      aria-label={label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
