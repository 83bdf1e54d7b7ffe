/**
 * From the composer to the chat and, when nothing was sent, back again.
 * Owns: which part of a draft goes, what stays, and that no outcome loses a word. Does not own: the chat, the text field.
 * Nothing here belongs to a view: an answer may arrive after the view was closed.
 */
import type { Attachment, Chat, ChatMessage, Draft, SendOutcome, UserMessage } from "../core/chatTypes";
import { assertNever } from "../utils/assertNever";
import { draftAfterSending, EMPTY_DRAFT, type DraftStore } from "./composer/DraftStore";

/** What would be sent: the draft, with the active note unless it is attached already. */
export function completeDraft(draft: Draft, activeNote: Attachment | undefined): Draft {
  if (activeNote === undefined || draft.attachments.some(({ id }) => id === activeNote.id)) return draft;
  return { ...draft, attachments: [{ ...activeNote, followed: true }, ...draft.attachments] };
}

/**
 * Whether the draft says anything new. Notes stay attached between questions, so by themselves they count only
 * when the conversation has not had them yet; the active note alone never does.
 */
export function isSendable(draft: Draft, messages: readonly ChatMessage[]): boolean {
  if (draft.text.trim() !== "" || draft.images.length > 0) return true;
  const sentBefore = new Set(
    messages.flatMap((message) => (message.role === "user" ? message.attachments : [])).map(({ id }) => id),
  );
  return draft.attachments.some(({ id }) => !sentBefore.has(id));
}

export interface SendRequest {
  readonly chat: Chat;
  readonly drafts: DraftStore;
  readonly key: string;
  readonly activeNote: Attachment | undefined;
}

/** Sends what the composer holds. The outcome is settled here; a rejection is a fault of ours and is passed on after it. */
export async function sendDraft({ chat, drafts, key, activeNote }: SendRequest): Promise<SendOutcome> {
  const own = drafts.get(key);
  drafts.set(key, draftAfterSending(own));
  return settle(chat.send(completeDraft(own, activeNote)), {
    whenAnswered: () => undefined,
    whenNotSent: (returned) => drafts.giveBack(key, withoutAddition(returned, own, activeNote)),
    own,
  });
}

export interface ResendRequest {
  readonly chat: Chat;
  readonly drafts: DraftStore;
  /** Where the changed question is kept while it is being edited. */
  readonly key: string;
  readonly messageId: string;
}

/** Sends a changed question beside the old one. The changed text stays in its place until it was sent. */
export async function resendDraft({ chat, drafts, key, messageId }: ResendRequest): Promise<SendOutcome> {
  const own = drafts.get(key);
  return settle(chat.editAndResend(messageId, own), {
    whenAnswered: () => drafts.remove(key),
    whenNotSent: (returned) => drafts.set(key, returned),
    own,
  });
}

/** Apart from the draft of the conversation, so that editing a question leaves a half-written new one alone. */
export function editKey(conversationId: string, messageId: string): string {
  return `${conversationId} edit ${messageId}`;
}

export function draftOfMessage({ text, attachments, images }: UserMessage): Draft {
  return { ...EMPTY_DRAFT, text, attachments, images };
}

interface Settling {
  readonly own: Draft;
  readonly whenAnswered: () => void;
  readonly whenNotSent: (returned: Draft) => void;
}

async function settle(
  sending: Promise<SendOutcome>,
  { own, whenAnswered, whenNotSent }: Settling,
): Promise<SendOutcome> {
  let outcome: SendOutcome;
  try {
    outcome = await sending;
  } catch (error) {
    whenNotSent(own);
    throw error;
  }
  switch (outcome.kind) {
    case "answered":
    case "incomplete":
      whenAnswered();
      return outcome;
    case "not-sent":
      whenNotSent(outcome.draft);
      return outcome;
    case "busy":
      whenNotSent(own);
      return outcome;
    default:
      return assertNever(outcome);
  }
}

/** The active note was added on the way out; coming back it must not become an attachment that stays. */
function withoutAddition(returned: Draft, own: Draft, activeNote: Attachment | undefined): Draft {
  if (activeNote === undefined || own.attachments.some(({ id }) => id === activeNote.id)) return returned;
  return { ...returned, attachments: returned.attachments.filter(({ id }) => id !== activeNote.id) };
}
