/**
 * The saved chats, as the history list wants them.
 * Owns: turning what went wrong into words. Does not own: the chats (core/Conversations).
 */
import { Notice } from "obsidian";
import type { Conversations } from "../../core/Conversations";
import type { TurnFailure } from "../../LLMProviders/turnFailure";
import { failureWords } from "../failureText";
import { tellUnreadableChats } from "../notices";
import type { ChatLibrary } from "../viewPorts";

export function savedChats(conversations: Conversations): ChatLibrary {
  return {
    list: async () => {
      const listed = await conversations.list();
      if (listed.kind === "failed") throw asError(listed.failure);
      if (listed.unreadable.length > 0) tellUnreadableChats(listed.unreadable.length);
      return listed.chats.map(({ path, title, updatedMs }) => ({ path, title, updatedAtMs: updatedMs }));
    },
    open: async (path) => {
      const opened = await conversations.openNote(path);
      if (opened.kind === "failed") throw asError(opened.failure);
      if (opened.kind === "missing") throw new Error(`There is no note at ${path} any more.`);
      if (opened.problems.length > 0)
        new Notice(
          "This chat note was changed by hand. It is opened as far as it can be read, and stays as it is until you send.",
        );
      return opened.chat;
    },
    rename: async (path, title) => throwIfFailed(await conversations.rename(path, title)),
    delete: async (path) => throwIfFailed(await conversations.delete(path)),
  };
}

function throwIfFailed(failure: TurnFailure | undefined): void {
  if (failure) throw asError(failure);
}

function asError(failure: TurnFailure): Error {
  const { title, text } = failureWords(failure);
  return new Error(`${title} ${text}`);
}
