/**
 * A chat's state as a Preact hook.
 * Owns: following a chat, and drawing at most once a frame while an answer streams. Does not own: the chat.
 */
import { useEffect, useState } from "preact/hooks";
import type { Chat, ChatState } from "../core/chatTypes";

export function useChatState(chat: Chat): ChatState {
  const [state, setState] = useState(() => chat.getState());
  useEffect(() => {
    let frame: number | undefined;
    const show = (): void => {
      if (frame !== undefined) window.cancelAnimationFrame(frame);
      frame = undefined;
      setState(chat.getState());
    };
    const follow = (): void => {
      // Words arrive faster than a screen can show them. Everything else is shown at once, also in a hidden window.
      if (chat.getState().phase !== "streaming") show();
      else frame ??= window.requestAnimationFrame(show);
    };
    show();
    const stopFollowing = chat.subscribe(follow);
    return () => {
      stopFollowing();
      if (frame !== undefined) window.cancelAnimationFrame(frame);
    };
  }, [chat]);
  return state;
}
