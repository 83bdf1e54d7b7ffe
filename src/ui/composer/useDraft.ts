/** A draft of the store as a Preact hook. Owns: following it. Does not own: the drafts. */
import { useEffect, useState } from "preact/hooks";
import type { Draft } from "../../core/chatTypes";
import type { DraftStore } from "./DraftStore";

export function useDraft(drafts: DraftStore, key: string): Draft {
  const [, drawAgain] = useState<Draft>();
  useEffect(() => drafts.subscribe(() => drawAgain(drafts.get(key))), [drafts, key]);
  // Read while drawing, so that a new key never shows the draft of the old one.
  return drafts.get(key);
}
