/**
 * Keeps a growing list at its end, until the reader scrolls up.
 * Owns: when following yields and when it takes over again. Does not own: what is in the list.
 */
import type { RefObject } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** Closer than this to the end counts as being there: sub-pixel layout never ends exactly. */
const NEAR_END_PIXELS = 32;

export interface StickToBottom {
  readonly isFollowing: boolean;
  readonly follow: () => void;
}

/** @param scroller the element that scrolls. @param content the element inside it that grows. */
export function useStickToBottom(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): StickToBottom {
  const [isFollowing, setFollowing] = useState(true);
  const following = useRef(true);
  const setBoth = useCallback((value: boolean) => {
    following.current = value;
    setFollowing(value);
  }, []);

  useEffect(() => {
    const box = scroller.current;
    const inside = content.current;
    if (box === null || inside === null) return;
    let lastTop = box.scrollTop;
    const onScroll = (): void => {
      const movedUp = box.scrollTop < lastTop;
      lastTop = box.scrollTop;
      // Only an upward move is the reader's: text that arrives makes the list longer, never scrolls it up.
      if (isNearEnd(box)) setBoth(true);
      else if (movedUp) setBoth(false);
    };
    const toEnd = (): void => {
      if (following.current) box.scrollTop = box.scrollHeight;
    };
    box.addEventListener("scroll", onScroll, { passive: true });
    const observer = new ResizeObserver(toEnd);
    observer.observe(inside);
    observer.observe(box);
    toEnd();
    return () => {
      box.removeEventListener("scroll", onScroll);
      observer.disconnect();
    };
  }, [scroller, content, setBoth]);

  const follow = useCallback(() => {
    setBoth(true);
    const box = scroller.current;
    if (box !== null) box.scrollTop = box.scrollHeight;
  }, [scroller, setBoth]);
  return { isFollowing, follow };
}

function isNearEnd(box: HTMLElement): boolean {
  return box.scrollHeight - box.scrollTop - box.clientHeight <= NEAR_END_PIXELS;
}
