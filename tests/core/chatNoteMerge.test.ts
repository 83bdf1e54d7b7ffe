import fc from "fast-check";
import { NO_SURROUNDINGS } from "../../src/core/chatNote";
import { mergeNotes } from "../../src/core/chatNoteMerge";
import { readChatNote } from "../../src/core/chatNoteReader";
import { writeChatNote } from "../../src/core/chatNoteWriter";
import type { ConversationToSave } from "../../src/core/ChatPersistenceManager";
import { ChatPersistenceManager } from "../../src/core/ChatPersistenceManager";
import { MessageRepository } from "../../src/core/MessageRepository";
import { anAssistantMessage, aUserMessage } from "../fixtures";
import { FakeChatNoteStore } from "./fakeChatNoteStore";

type Step =
  | { readonly kind: "add"; readonly at: number }
  | { readonly kind: "edit"; readonly at: number }
  | { readonly kind: "delete"; readonly at: number }
  | { readonly kind: "switch"; readonly at: number };

const anySteps = fc.array(
  fc.record({
    kind: fc.constantFrom("add" as const, "edit" as const, "delete" as const, "switch" as const),
    at: fc.nat(9),
  }),
  { maxLength: 6 },
);

/** Does the steps to one side; returns the texts that this side wrote and still has. */
function act(repository: MessageRepository, steps: readonly Step[], side: string): readonly string[] {
  const written = new Map<string, string>();
  for (const [number, step] of steps.entries()) {
    const target = repository.all()[step.at % Math.max(repository.all().length, 1)];
    const text = `${side}-${number}`;
    if (step.kind === "add") {
      repository.add(aUserMessage(text, target?.id ?? null, { text, createdAtMs: 500 }));
      written.set(text, text);
    } else if (target === undefined) continue;
    else if (step.kind === "edit") {
      repository.replace({ ...target, text });
      written.set(target.id, text);
    } else if (step.kind === "delete") {
      repository.remove(target.id);
      written.delete(target.id);
    } else repository.switchTo(target.id);
  }
  return [...written.values()];
}

function aTalk(): MessageRepository {
  const repository = new MessageRepository();
  for (const turn of [1, 2, 3]) {
    repository.add(aUserMessage(`q${turn}`, repository.leafId));
    repository.add(anAssistantMessage(`a${turn}`, `q${turn}`));
  }
  return repository;
}

describe("a chat and its note, both changed at random", () => {
  test("what either side wrote is in the note, or in a copy; the chat and the note agree; nothing untouched is lost", async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, anySteps, async (here, there) => {
        const store = new FakeChatNoteStore();
        const manager = new ChatPersistenceManager({ store, folder: () => "" });
        const chat: ConversationToSave = { conversationId: "c1", title: "T", repository: aTalk() };
        await manager.save(chat);

        const note = readChatNote(store.text("T.md"));
        const elsewhere = MessageRepository.fromData(note);
        const theirs = act(elsewhere, there, "there");
        store.put("T.md", writeChatNote({ ...note, ...elsewhere.toData() }));
        const ours = act(chat.repository, [{ kind: "add", at: 9 }, ...here], "here");
        const touched = new Set([...here, ...there].filter(({ kind }) => kind !== "add" && kind !== "switch"));
        const saved = await manager.save(chat);

        const merged = readChatNote(store.text("T.md"));
        const texts = merged.messages.map(({ text }) => text);
        const onDisk = store.paths().flatMap((path) => readChatNote(store.text(path)).messages.map(({ text }) => text));
        expect(saved.kind).toBe("saved");
        expect(merged.problems).toEqual([]);
        expect(texts).toEqual(expect.arrayContaining([...ours]));
        expect(onDisk).toEqual(expect.arrayContaining([...theirs]));
        const listed = merged.messages.map(({ id, text }) => `${id} ${text}`);
        expect(chat.repository.all().map(({ id, text }) => `${id} ${text}`)).toEqual(listed);
        if (touched.size === 0)
          expect(texts).toEqual(
            expect.arrayContaining(
              aTalk()
                .all()
                .map(({ text }) => text),
            ),
          );
      }),
      { numRuns: 1000 },
    );
  });

  test("what did not change on one side comes out as the other side has it", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const header = { conversationId: "c1", title: "T", updatedMs: 5, tags: [] };
        const write = (repository: MessageRepository): string =>
          writeChatNote({ ...repository.toData(), header, surroundings: NO_SURROUNDINGS });
        const base = readChatNote(write(aTalk()));
        const changed = aTalk();
        act(changed, steps, "x");
        fc.pre(changed.all().some(({ id }) => base.messages.some((message) => message.id === id)));
        const other = readChatNote(write(changed));
        const fromThere = mergeNotes({ base, theirs: other, ours: base });
        const fromHere = mergeNotes({ base, theirs: base, ours: other });
        expect(fromThere.note.messages).toEqual(other.messages);
        expect(fromThere.needsCopy).toBe(false);
        expect([fromHere.note.messages, fromHere.note.leafId]).toEqual([other.messages, other.leafId]);
        expect(fromHere.changes).toEqual({ added: [], changed: [], removedIds: [] });
      }),
      { numRuns: 1000 },
    );
  });
});
