import fc from "fast-check";
import type { ChatMessage } from "../../src/core/chatTypes";
import type { OutsideChanges } from "../../src/core/MessageRepository";
import { MessageRepository } from "../../src/core/MessageRepository";
import { repairRepositoryData } from "../../src/core/repositoryData";
import { anAssistantMessage, aUserMessage } from "../fixtures";

/** `message("a1<q1")` is the answer a1 to q1; ids that begin with q are questions. */
function message(notation: string, more: Partial<ChatMessage> = {}): ChatMessage {
  const [id = "", parentId = null] = notation.split("<");
  const base: ChatMessage = id.startsWith("q") ? aUserMessage(id, parentId) : anAssistantMessage(id, parentId);
  return { ...base, ...more } as ChatMessage;
}

/** Messages in order of creation: `aRepository("q1 a1<q1 b1<q1")` is a question with two answers. */
function aRepository(notation: string): MessageRepository {
  const repository = new MessageRepository();
  for (const part of words(notation)) repository.add(message(part));
  return repository;
}

const words = (text: string): string[] => text.split(" ").filter((word) => word !== "");
const ids = (messages: readonly ChatMessage[]): string => messages.map(({ id }) => id).join(" ");
const tree = (messages: readonly ChatMessage[]): string =>
  messages.map(({ id, parentId }) => (parentId === null ? id : `${id}<${parentId}`)).join(" ");

describe("the active branch", () => {
  it.each`
    created                         | branch           | because
    ${""}                           | ${""}            | ${"an empty conversation has no branch"}
    ${"q1 a1<q1 q2<a1 a2<q2"}       | ${"q1 a1 q2 a2"} | ${"a conversation without branches is one line"}
    ${"q1 a1<q1 b1<q1"}             | ${"q1 b1"}       | ${"a regenerated answer is shown in place of the old one"}
    ${"q1 a1<q1 q2<a1 a2<q2 q3<a1"} | ${"q1 a1 q3"}    | ${"an edited question opens a branch of its own"}
    ${"q1 a1<q1 q2"}                | ${"q2"}          | ${"an edited first question stands beside the first one"}
    ${"q1 a1<q1 q2<a1 b1<q1 a2<q2"} | ${"q1 a1 q2 a2"} | ${"the branch follows the newest message"}
  `("$created → [$branch]: $because", ({ created, branch }: Record<string, string>) => {
    expect(ids(aRepository(created ?? "").activeBranch())).toBe(branch);
  });

  it.each`
    created                               | to      | branch           | because
    ${"q1 a1<q1 b1<q1"}                   | ${"a1"} | ${"q1 a1"}       | ${"an older answer comes back"}
    ${"q1 a1<q1 q2<a1 a2<q2 b1<q1"}       | ${"a1"} | ${"q1 a1 q2 a2"} | ${"what followed the older answer comes back with it"}
    ${"q1 a1<q1 q2<a1 q3<a1 a3<q3 b1<q1"} | ${"a1"} | ${"q1 a1 q3 a3"} | ${"of two ways on, the one with the newest leaf"}
    ${"q1 a1<q1 q2<a1 q3<a1 a2<q2 b1<q1"} | ${"a1"} | ${"q1 a1 q2 a2"} | ${"newest is the leaf, not the child"}
    ${"q1 a1<q1 q2<a1 a2<q2 q3<a1"}       | ${"a1"} | ${"q1 a1 q3"}    | ${"a message that is shown already changes nothing"}
    ${"q1 a1<q1"}                         | ${"zz"} | ${"q1 a1"}       | ${"an unknown message changes nothing"}
  `("$created, switch to $to → [$branch]: $because", ({ created, to, branch }: Record<string, string>) => {
    const repository = aRepository(created ?? "");
    repository.switchTo(to ?? "");
    expect(ids(repository.activeBranch())).toBe(branch);
  });

  test("each message knows its siblings in order of creation, since the arrows of the UI walk along them", () => {
    const repository = aRepository("q1 a1<q1 b1<q1 q2<b1 c1<q1");
    expect(repository.branchPosition("b1")).toEqual({ index: 1, siblingIds: ["a1", "b1", "c1"] });
    expect(repository.branchPosition("q1")).toEqual({ index: 0, siblingIds: ["q1"] });
    expect(repository.branchPosition("zz")).toEqual({ index: -1, siblingIds: [] });
  });

  test("the way to any message can be asked for, since a regenerated answer needs what stood before the old one", () => {
    const repository = aRepository("q1 a1<q1 q2<a1 a2<q2 q3");
    expect(ids(repository.branchTo("q2"))).toBe("q1 a1 q2");
    expect(repository.branchTo(null)).toEqual([]);
    expect(repository.branchTo("zz")).toEqual([]);
  });
});

describe("deleting one message", () => {
  it.each`
    created                         | gone    | branch        | because
    ${"q1 a1<q1 q2<a1 a2<q2"}       | ${"a1"} | ${"q1 q2 a2"} | ${"what followed it follows its parent"}
    ${"q1 a1<q1 q2<a1 a2<q2"}       | ${"q1"} | ${"a1 q2 a2"} | ${"the first message has no parent to hand on but none"}
    ${"q1 a1<q1 q2<a1 a2<q2"}       | ${"a2"} | ${"q1 a1 q2"} | ${"the last one leaves the one before"}
    ${"q1 a1<q1 q2<a1 b1<q1 q3<b1"} | ${"b1"} | ${"q1 q3"}    | ${"the branch goes on through the child that was shown"}
    ${"q1 a1<q1 q2<a1 b1<q1"}       | ${"b1"} | ${"q1 a1 q2"} | ${"a version that ends a branch gives way to the other version"}
    ${"q1 a1<q1 q2<a1 b1<q1"}       | ${"a1"} | ${"q1 b1"}    | ${"a message of another branch changes nothing that is shown"}
    ${"q1"}                         | ${"q1"} | ${""}         | ${"an empty conversation is left"}
    ${"q1 a1<q1"}                   | ${"zz"} | ${"q1 a1"}    | ${"an unknown id is no reason to remove another"}
  `("$created, delete $gone → [$branch]: $because", ({ created, gone, branch }: Record<string, string>) => {
    const repository = aRepository(created ?? "");
    repository.remove(gone ?? "");
    expect(ids(repository.activeBranch())).toBe(branch);
    expect(repository.get(gone ?? "")).toBeUndefined();
  });

  // https://github.com/longy2k/obsidian-bmo-chatbot/issues/71
  test("hits the right message among empty replies of the same millisecond", () => {
    const repository = new MessageRepository();
    for (const part of ["q1", "a1<q1", "q2<a1", "a2<q2", "q3<a2"]) {
      repository.add(message(part, { text: part.startsWith("a") ? "" : part, createdAtMs: 7 }));
    }
    repository.remove("q2");
    expect(ids(repository.all())).toBe("q1 a1 a2 q3");
    expect(ids(repository.activeBranch())).toBe("q1 a1 a2 q3");
  });

  test("order is the order of creation, though a clock may jump back", () => {
    const repository = new MessageRepository();
    for (const [part, createdAtMs] of [
      ["q1", 900],
      ["a1<q1", 100],
      ["b1<q1", 50],
    ] as const) {
      repository.add(message(part, { createdAtMs }));
    }
    expect(ids(repository.all())).toBe("q1 a1 b1");
    expect(repository.branchPosition("b1").index).toBe(1);
  });

  test("an answer whose question was deleted meanwhile follows what the question followed", () => {
    const repository = aRepository("q1 a1<q1 q2<a1");
    repository.remove("q2");
    repository.remove("a1");
    repository.add(message("a2<q2"));
    expect(tree(repository.activeBranch())).toBe("q1 a2<q1");
  });
});

describe("withdrawing a question that got no answer", () => {
  it.each`
    created                               | shown   | asked      | branch           | because
    ${"q1 a1<q1"}                         | ${"a1"} | ${"q2<a1"} | ${"q1 a1"}       | ${"the conversation is as before"}
    ${""}                                 | ${""}   | ${"q1"}    | ${""}            | ${"the first question leaves an empty conversation"}
    ${"q1 a1<q1 q2<a1 a2<q2 q3<a1 a3<q3"} | ${"q2"} | ${"q4<a1"} | ${"q1 a1 q2 a2"} | ${"the branch that was shown comes back, not the newest one"}
  `("$created with $shown shown, $asked withdrawn → [$branch]: $because", (row: Record<string, string>) => {
    const repository = aRepository(row.created ?? "");
    if (row.shown !== "") repository.switchTo(row.shown ?? "");
    const question = message(row.asked ?? "");
    repository.add(question);
    expect(repository.withdraw(question.id)).toBe(true);
    expect(ids(repository.activeBranch())).toBe(row.branch);
    expect(ids(repository.all())).toBe(ids(aRepository(row.created ?? "").all()));
  });

  test("is refused once an answer follows it", () => {
    const repository = aRepository("q1 a1<q1");
    const before = repository.version;
    expect(repository.withdraw("q1")).toBe(false);
    expect(repository.withdraw("zz")).toBe(false);
    expect([ids(repository.all()), repository.version]).toEqual(["q1 a1", before]);
  });
});

describe("changing a message", () => {
  test("replace keeps its place and its parent, whatever the new state says", () => {
    const repository = aRepository("q1 a1<q1 q2<a1");
    expect(repository.replace(message("a1<zz", { text: "whole" }))).toBe(true);
    expect(tree(repository.all())).toBe("q1 a1<q1 q2<a1");
    expect(repository.get("a1")?.text).toBe("whole");
    expect(repository.replace(message("a9<q1"))).toBe(false);
  });

  test("a pin is a field of the message", () => {
    const repository = aRepository("q1");
    expect(repository.setPinned("q1", true)).toBe(true);
    expect(repository.get("q1")?.pinned).toBe(true);
    expect(repository.setPinned("zz", true)).toBe(false);
  });

  it.each<[string, boolean, (repository: MessageRepository) => void]>([
    ["a message came", true, (repository) => repository.add(message("q2<a1"))],
    ["a message was deleted", true, (repository) => repository.remove("a1")],
    ["a question was withdrawn", true, (repository) => repository.withdraw("b1")],
    ["an answer was completed", true, (repository) => repository.replace(message("a1<q1"))],
    ["another branch is shown", true, (repository) => repository.switchTo("a1")],
    ["the branch that is shown was asked for", false, (repository) => repository.switchTo("b1")],
    ["an unknown message was deleted", false, (repository) => repository.remove("zz")],
    ["the branch was read", false, (repository) => repository.activeBranch()],
  ])("%s: the UI is told %s", (_name, isChange, act) => {
    const repository = aRepository("q1 a1<q1 b1<q1");
    const [version, branch] = [repository.version, repository.activeBranch()];
    act(repository);
    expect(repository.version > version).toBe(isChange);
    expect(repository.activeBranch() !== branch).toBe(isChange);
  });

  test("an id that is taken and a parent that never was are faults of the caller", () => {
    const repository = aRepository("q1");
    expect(() => repository.add(message("q1"))).toThrow("taken");
    expect(() => repository.add(message("a1<zz"))).toThrow("no such parent");
  });
});

describe("what happened to the conversation elsewhere is taken in", () => {
  const adopted = (created: string, changes: Partial<OutsideChanges>): MessageRepository => {
    const repository = aRepository(created);
    repository.adopt({ added: [], changed: [], removedIds: [], ...changes });
    return repository;
  };

  it.each`
    created             | added            | all                             | branch           | because
    ${"q1 a1<q1"}       | ${"q2<a1 a2<q2"} | ${"q1 a1<q1 q2<a1 a2<q2"}       | ${"q1 a1 q2 a2"} | ${"the shown branch goes on at its end"}
    ${"q1 a1<q1 q3<a1"} | ${"q2<a1 a2<q2"} | ${"q1 a1<q1 q3<a1 q2<a1 a2<q2"} | ${"q1 a1 q3"}    | ${"a branch that stands beside the shown one is not jumped to"}
    ${"q1 a1<q1"}       | ${"a1<q1"}       | ${"q1 a1<q1"}                   | ${"q1 a1"}       | ${"what is here already is left as it is"}
    ${"q1 a1<q1"}       | ${"q2<zz"}       | ${"q1 a1<q1 q2<a1"}             | ${"q1 a1 q2"}    | ${"what follows nothing we know follows what is shown"}
  `("$created and $added → [$branch]: $because", ({ created, added, all, branch }: Record<string, string>) => {
    const repository = adopted(created ?? "", { added: words(added ?? "").map((part) => message(part)) });
    expect([tree(repository.all()), ids(repository.activeBranch())]).toEqual([all, branch]);
  });

  test("a message that was changed or removed elsewhere is changed or removed here, if it is here", () => {
    const changed = [message("a1<q1", { text: "edited" }), message("zz")];
    const repository = adopted("q1 a1<q1 q2<a1", { changed, removedIds: ["q1", "yy"] });
    expect(tree(repository.all())).toBe("a1 q2<a1");
    expect(repository.get("a1")?.text).toBe("edited");
  });

  test("what followed a message that was removed here follows its parent", () => {
    const repository = aRepository("q1 a1<q1");
    repository.remove("a1");
    repository.adopt({ added: [message("q2<a1")], changed: [], removedIds: [] });
    expect(tree(repository.all())).toBe("q1 q2<q1");
  });
});

describe("data that was damaged becomes a tree again", () => {
  it.each`
    damaged                | leaf    | repaired            | repairedLeaf | because
    ${"q1 a1<q1 q2<a1"}    | ${"q2"} | ${"q1 a1<q1 q2<a1"} | ${"q2"}      | ${"whole data stays as it is"}
    ${"q1 b1<q1 a2<q2"}    | ${"a2"} | ${"q1 b1<q1 a2<b1"} | ${"a2"}      | ${"a missing parent: the message before is the likeliest"}
    ${"a1<zz q2<a1"}       | ${"q2"} | ${"a1 q2<a1"}       | ${"q2"}      | ${"nothing stands before the first"}
    ${"q2<a1 a1<q1 q1"}    | ${"q2"} | ${"q1 a1<q1 q2<a1"} | ${"q2"}      | ${"wrong order, right links: the links count"}
    ${"q1<q1"}             | ${"q1"} | ${"q1"}             | ${"q1"}      | ${"a message cannot follow itself"}
    ${"q0 q1<a1 a1<q1"}    | ${"a1"} | ${"q0 q1<q0 a1<q1"} | ${"a1"}      | ${"a circle is opened at its oldest message"}
    ${"q3<q2 q1<q2 q2<q1"} | ${"q3"} | ${"q1 q2<q1 q3<q2"} | ${"q3"}      | ${"so is one that is entered from its side"}
    ${"q1 a1<q1 a1<q1"}    | ${"a1"} | ${"q1 a1<q1"}       | ${"a1"}      | ${"an exact copy adds nothing"}
    ${"q1 a1<q1 a1"}       | ${"a1"} | ${"q1 a1<q1 a1~2"}  | ${"a1"}      | ${"another message with the same id gets its own"}
    ${"q1 a1<q1 b1<q1"}    | ${"q1"} | ${"q1 a1<q1 b1<q1"} | ${"b1"}      | ${"a branch does not end in the middle"}
    ${"q1 a1<q1 b1<q1"}    | ${"zz"} | ${"q1 a1<q1 b1<q1"} | ${"b1"}      | ${"an unknown end: the newest message"}
    ${""}                  | ${"zz"} | ${""}               | ${null}      | ${"an empty conversation ends nowhere"}
  `("$damaged → $repaired: $because", (row: Record<string, string>) => {
    const messages = words(row.damaged ?? "").map((part) => message(part));
    const repaired = repairRepositoryData({ messages, leafId: row.leaf ?? null });
    expect(tree(repaired.messages)).toBe(row.repaired);
    expect(repaired.leafId).toBe(row.repairedLeaf);
  });

  const anyId = fc.constantFrom("a", "b", "c", "d", "e", "f");
  const anyDamage = fc.array(fc.record({ id: anyId, parentId: fc.option(anyId), text: fc.constantFrom("x", "y") }), {
    maxLength: 9,
  });

  test("whatever came in: ids are unique, parents stand before children, the end is a leaf, no text is lost", () => {
    fc.assert(
      fc.property(anyDamage, fc.option(anyId), (damage, leafId) => {
        const damaged = damage.map(({ id, parentId, text }) => message(id, { parentId, text }));
        const { messages, leafId: end } = repairRepositoryData({ messages: damaged, leafId });
        const place = new Map(messages.map(({ id }, index) => [id, index]));
        expect(place.size).toBe(messages.length);
        for (const [index, { parentId }] of messages.entries()) {
          expect(parentId === null ? -1 : place.get(parentId)).toBeLessThan(index);
        }
        expect(messages.some(({ parentId }) => parentId !== null && parentId === end)).toBe(false);
        expect(end === null).toBe(messages.length === 0);
        const texts = (all: readonly ChatMessage[]): string[] =>
          [...new Set(all.map(({ id, text }) => `${id[0]}${text}`))].sort();
        expect(texts(messages)).toEqual(texts(damaged));
      }),
      { numRuns: 2000 },
    );
  });

  test("repair is a fixed point: repaired data is returned as it is", () => {
    fc.assert(
      fc.property(anyDamage, (damage) => {
        const damaged = damage.map(({ id, parentId, text }) => message(id, { parentId, text }));
        const once = repairRepositoryData({ messages: damaged, leafId: null });
        expect(repairRepositoryData(once)).toEqual(once);
      }),
      { numRuns: 1000 },
    );
  });
});

/** What the repository should be, written as plainly as possible: a list of rows and the path that is shown. */
class Oracle {
  rows: { id: string; parentId: string | null; text: string }[] = [];
  leaf: string | null = null;

  path(id: string | null): string[] {
    const row = this.rows.find((candidate) => candidate.id === id);
    return row === undefined ? [] : [...this.path(row.parentId), row.id];
  }

  /** Rows are in order of creation, so the last one whose path holds `id` is the newest leaf below it. */
  newestBelow(id: string | null): string | null {
    return this.rows.filter((row) => id === null || this.path(row.id).includes(id)).at(-1)?.id ?? id;
  }

  add(id: string, parentId: string | null, text: string): void {
    this.rows.push({ id, parentId, text });
    this.leaf = id;
  }

  remove(id: string): void {
    const gone = this.rows.find((row) => row.id === id);
    if (gone === undefined) return;
    this.rows = this.rows.filter((row) => row !== gone);
    for (const row of this.rows) if (row.parentId === id) row.parentId = gone.parentId;
    if (this.leaf === id) this.leaf = this.newestBelow(gone.parentId);
  }

  switchTo(id: string): void {
    if (!this.path(this.leaf).includes(id)) this.leaf = this.newestBelow(id);
  }

  siblings({ parentId }: { parentId: string | null }): string[] {
    return this.rows.filter((row) => row.parentId === parentId).map(({ id }) => id);
  }

  branch(): string[] {
    return this.path(this.leaf).map((id) => `${id}:${this.rows.find((row) => row.id === id)?.text}`);
  }
}

type Step =
  | { readonly kind: "ask" }
  | { readonly kind: "reload" }
  | { readonly kind: "edit" | "regenerate" | "delete" | "switch" | "complete" | "withdraw"; readonly at: number };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>({ kind: "ask" }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: "reload" }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom("edit", "regenerate", "delete", "switch", "complete", "withdraw"),
      at: fc.nat({ max: 30 }),
    }),
  },
);

/** Does one step to both; ids and texts come from `number`. */
function take(step: Step, number: number, repository: MessageRepository, oracle: Oracle): MessageRepository {
  const add = (id: string, parentId: string | null, text: string): void => {
    repository.add(message(id, { parentId, text }));
    oracle.add(id, parentId, text);
  };
  if (step.kind === "ask") {
    add(`q${number}`, repository.leafId, "asked");
    add(`a${number}`, `q${number}`, ""); // empty replies are the hard case
    return repository;
  }
  if (step.kind === "reload") return MessageRepository.fromData(repository.toData());
  const target = oracle.rows[step.at % Math.max(oracle.rows.length, 1)];
  if (target === undefined) return repository;
  if (step.kind === "edit") add(`q${number}`, target.parentId, "edited");
  if (step.kind === "regenerate") add(`a${number}`, target.parentId, "again");
  if (step.kind === "delete") {
    repository.remove(target.id);
    oracle.remove(target.id);
  }
  if (step.kind === "switch") {
    repository.switchTo(target.id);
    oracle.switchTo(target.id);
  }
  if (step.kind === "complete") {
    repository.replace(message(target.id, { text: `whole ${number}` }));
    target.text = `whole ${number}`;
  }
  if (step.kind === "withdraw") {
    const leaf = oracle.leaf;
    add(`q${number}`, target.id, "refused");
    repository.withdraw(`q${number}`);
    oracle.remove(`q${number}`);
    oracle.leaf = leaf === target.id ? target.id : leaf;
  }
  return repository;
}

describe("random sequences of ask, edit, regenerate, delete, switch, complete, withdraw, reload", () => {
  test("the active branch equals that of a naive list, and of a fresh conversation of that branch alone", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        const oracle = new Oracle();
        let repository = new MessageRepository();
        for (const [number, step] of steps.entries()) {
          repository = take(step, number, repository, oracle);
          const branch = repository.activeBranch();
          expect(branch.map(({ id, text }) => `${id}:${text}`)).toEqual(oracle.branch());
          expect(repository.all().map(({ id }) => id)).toEqual(oracle.rows.map(({ id }) => id));
          for (const each of branch)
            expect(repository.branchPosition(each.id).siblingIds).toEqual(oracle.siblings(each));

          const fresh = new MessageRepository();
          for (const each of branch) fresh.add(each);
          expect(fresh.activeBranch()).toEqual(branch);
          expect(MessageRepository.fromData({ messages: branch, leafId: null }).activeBranch()).toEqual(branch);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

test("a conversation of 20,000 messages is built, read and walked in linear time", () => {
  const repository = new MessageRepository();
  for (let n = 0; n < 20_000; n += 1) repository.add(message(`q${n}`, { parentId: n === 0 ? null : `q${n - 1}` }));
  repository.remove("q10000");
  expect(MessageRepository.fromData(repository.toData()).activeBranch()).toHaveLength(19_999);
});
