/**
 * The request report that the budget bar shows.
 * Owns: when it is asked for anew, and that an old reply never replaces a newer one. Does not own: counting (Chat.preview).
 */
import { debounce } from "obsidian";
import { useEffect, useState } from "preact/hooks";
import type { RequestReport } from "../../context/requestReport";
import type { Chat, ChatState, Draft } from "../../core/chatTypes";

export interface ShownReport {
  /** "next": what a request of this draft would hold. "last": what the newest request held. */
  readonly of: "next" | "last";
  readonly report: RequestReport;
}

/** Long enough for a run of key presses, short enough to feel live. */
const PREVIEW_DELAY_MS = 200;

/**
 * @param draft what would be sent now; a new object asks for a new preview.
 * @param policyKey changes when the settings change what a request may hold.
 * @param editingId the question that is being edited.
 * @returns the newest request right after it, the preview as soon as the draft changes; undefined before the first one.
 */
export function useReport(
  chat: Chat,
  state: ChatState,
  draft: Draft,
  { policyKey, editingId }: { readonly policyKey: string; readonly editingId: string | undefined },
): ShownReport | undefined {
  const [shown, setShown] = useState<ShownReport | undefined>(() => lastReportOf(state));
  const { lastReport, phase } = state;
  useEffect(() => {
    if (lastReport !== undefined) setShown({ of: "last", report: lastReport });
  }, [lastReport]);

  const isIdle = phase === "idle";
  const isUntouched = isEmpty(draft) && lastReport !== undefined;
  useEffect(() => {
    if (!isIdle || isUntouched) return;
    let isCurrent = true;
    const ask = debounce(
      () => {
        chat.preview(draft, editingId).then(
          (report) => isCurrent && setShown({ of: "next", report }),
          (error: unknown) => console.error("Vault Copilot: the size of the request is unknown", error),
        );
      },
      PREVIEW_DELAY_MS,
      true,
    );
    ask();
    return () => {
      isCurrent = false;
      ask.cancel();
    };
  }, [chat, draft, policyKey, editingId, isIdle, isUntouched]);
  return shown;
}

function lastReportOf({ lastReport }: ChatState): ShownReport | undefined {
  return lastReport === undefined ? undefined : { of: "last", report: lastReport };
}

function isEmpty(draft: Draft): boolean {
  return draft.text === "" && draft.images.length === 0;
}
