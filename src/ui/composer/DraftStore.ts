/**
 * What the user has typed and not yet sent, per conversation.
 * Owns: that a draft outlives its view, and that nothing is lost when a send comes back.
 * Does not own: sending (ChatPane), the text field (Composer), the active note (it follows the editor and is no draft).
 */
import type { AttachedImage, Attachment, Draft } from "../../core/chatTypes";

export const EMPTY_DRAFT: Draft = { text: "", attachments: [], images: [] };

export class DraftStore {
  private readonly drafts = new Map<string, Draft>();
  private readonly listeners = new Set<() => void>();

  get(key: string): Draft {
    return this.drafts.get(key) ?? EMPTY_DRAFT;
  }

  /** Every draft that holds something, by conversation; edits of older questions are not among them. */
  all(): readonly (readonly [string, Draft])[] {
    return [...this.drafts].filter(([, draft]) => !isBlank(draft));
  }

  has(key: string): boolean {
    return this.drafts.has(key);
  }

  set(key: string, draft: Draft): void {
    if (this.drafts.get(key) === draft) return;
    this.drafts.set(key, draft);
    this.tellListeners();
  }

  remove(key: string): void {
    if (this.drafts.delete(key)) this.tellListeners();
  }

  /** Puts back what was not sent; what was typed meanwhile stays, below it. */
  giveBack(key: string, returned: Draft): void {
    this.set(key, joinDrafts(returned, this.get(key)));
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  private tellListeners(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

/** The older draft above the newer one. The same attachment or image is kept once. */
export function joinDrafts(older: Draft, newer: Draft): Draft {
  return {
    text: [older.text, newer.text].filter((text) => text.trim() !== "").join("\n\n"),
    attachments: withoutRepeats([...older.attachments, ...newer.attachments], (attachment) => attachment.id),
    images: withoutRepeats([...older.images, ...newer.images], (image) => `${image.name}\n${image.base64}`),
  };
}

/** What stays in the composer after a send: notes stay attached until they are removed; pastes and images were said once. */
export function draftAfterSending(sent: Draft): Draft {
  return { text: "", attachments: sent.attachments.filter(isFetchedAgain), images: [] };
}

export function isBlank(draft: Draft): boolean {
  return draft.text.trim() === "" && draft.images.length === 0 && draft.attachments.every(isFetchedAgain);
}

export function withAttachment(draft: Draft, attachment: Attachment): Draft {
  return { ...draft, attachments: withoutRepeats([...draft.attachments, attachment], ({ id }) => id) };
}

export function withoutAttachment(draft: Draft, id: string): Draft {
  return { ...draft, attachments: draft.attachments.filter((attachment) => attachment.id !== id) };
}

export function withImage(draft: Draft, image: AttachedImage): Draft {
  return { ...draft, images: [...draft.images, image] };
}

export function withoutImage(draft: Draft, image: AttachedImage): Draft {
  return { ...draft, images: draft.images.filter((other) => other !== image) };
}

/** What carries its own text (a selection, a paste) belongs to the one message it was attached to. */
function isFetchedAgain(attachment: Attachment): boolean {
  return attachment.artifact === undefined;
}

function withoutRepeats<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
