/**
 * The list of saved chats: find, open, rename, delete.
 * Owns: the list and its states. Does not own: the notes (ChatLibrary), the window around it (ChatHistoryModal).
 */
import type { VNode } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { counted } from "../format";
import type { ChatLibrary, SavedChat } from "../viewPorts";
import { ChatHistoryRow } from "./ChatHistoryRow";

/** More rows than this are not looked through but searched. */
const MOST_ROWS = 200;

interface ChatHistoryProps {
  readonly library: ChatLibrary;
  readonly openChat: (chat: SavedChat) => Promise<void>;
  /** Asks the person. @returns whether to delete. */
  readonly confirmDelete: (chat: SavedChat) => Promise<boolean>;
}

export function ChatHistory({ library, openChat, confirmDelete }: ChatHistoryProps): VNode {
  const [chats, setChats] = useState<readonly SavedChat[]>();
  const [problem, setProblem] = useState<string>();
  const [query, setQuery] = useState("");
  const isShown = useRef(true);

  /** Does something with the library, then shows what it holds now. What fails is said in the list. */
  const run = useCallback(
    async (work: () => Promise<void>) => {
      let failed: string | undefined;
      try {
        await work();
      } catch (error) {
        failed = error instanceof Error ? error.message : String(error);
      }
      try {
        const listed = await library.list();
        if (isShown.current) setChats(listed);
      } catch (error) {
        failed ??= error instanceof Error ? error.message : String(error);
      }
      if (isShown.current) setProblem(failed);
    },
    [library],
  );
  useEffect(() => {
    void run(() => Promise.resolve());
    return () => {
      isShown.current = false;
    };
  }, [run]);

  const matching = (chats ?? []).filter((chat) => matches(chat, query));
  return (
    <div class="vault-copilot-history">
      <input
        type="search"
        placeholder="Search chats"
        aria-label="Search chats"
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      {problem !== undefined && (
        <p class="vault-copilot-history-problem" role="alert">
          {problem}
        </p>
      )}
      <ul aria-label="Saved chats">
        {matching.slice(0, MOST_ROWS).map((chat) => (
          <ChatHistoryRow
            key={chat.path}
            chat={chat}
            open={() => run(() => openChat(chat))}
            rename={(title) => run(() => library.rename(chat.path, title))}
            remove={() =>
              run(async () => {
                if (await confirmDelete(chat)) await library.delete(chat.path);
              })
            }
          />
        ))}
      </ul>
      <p class="vault-copilot-note" role="status">
        {summaryWords(chats, matching.length)}
      </p>
    </div>
  );
}

function matches({ title, path }: SavedChat, query: string): boolean {
  const text = `${title}\n${path}`.toLocaleLowerCase();
  return query
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function summaryWords(chats: readonly SavedChat[] | undefined, matchingCount: number): string {
  if (chats === undefined) return "Looking for saved chats…";
  if (chats.length === 0) return "No chat has been saved yet. Each one is kept as a note from its first question on.";
  if (matchingCount === 0) return "No chat matches.";
  return matchingCount > MOST_ROWS
    ? `The newest ${MOST_ROWS} of ${counted(matchingCount, "chat")}. Search to find the others.`
    : counted(matchingCount, "chat");
}
