/**
 * The fault matrix: how a provider fails × where in the answer × what the vault does meanwhile. For each: what the person
 * gets back, what is on disk, and that the next send works. A real HTTP server; the vault is in memory and can fail.
 */
import { ChatPersistenceManager } from "../../src/core/ChatPersistenceManager";
import { aChat, aDraft } from "../support/aChat";
import { answers, startFaultServer, type FaultServer, type ScriptedAnswer } from "../support/faultServer";
import { FakeChatNoteStore, type PlannedFailure } from "./fakeChatNoteStore";

jest.setTimeout(120_000);

let server: FaultServer;
beforeEach(async () => (server = await startFaultServer()));
afterEach(() => server.close());

const HALF = "HALF-OF-AN-ANSWER";
const full = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });

interface Fault {
  readonly name: string;
  readonly answer: ScriptedAnswer;
  /** Had words come before it? */
  readonly where: "start" | "middle" | "end";
  /** The setting with which the test waits no longer than it must. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly failure: object | undefined;
}

const provider = (kind: string) => ({ source: "provider", failure: { kind } });
const stream = (reason: string) => ({ source: "stream", reason });
const quick = { idleTimeoutSeconds: 1 };

const faults: readonly Fault[] = [
  { name: "refuses the connection", where: "start", answer: answers.refuse(), failure: provider("network") },
  {
    name: "hangs before the first byte",
    where: "start",
    answer: answers.hangBeforeFirstByte(),
    settings: quick,
    failure: stream("idle-timeout"),
  },
  {
    name: "hangs after the headers",
    where: "start",
    answer: answers.hangAfterHeaders(),
    settings: quick,
    failure: stream("idle-timeout"),
  },
  { name: "401", where: "start", answer: answers.error(401, "bad key"), failure: provider("auth") },
  { name: "404", where: "start", answer: answers.error(404, "no model"), failure: provider("not-found") },
  {
    name: "429 with retry-after",
    where: "start",
    answer: answers.rateLimit("3"),
    failure: { source: "provider", failure: { kind: "rate-limit", retryAfterMs: 3000 } },
  },
  { name: "429 without", where: "start", answer: answers.rateLimit(), failure: provider("rate-limit") },
  { name: "500", where: "start", answer: answers.error(500, "oops"), failure: provider("server") },
  { name: "answers with a page", where: "start", answer: answers.html(), failure: stream("malformed") },
  { name: "sends no JSON", where: "start", answer: answers.notJson(), failure: stream("malformed") },
  { name: "sends choices: []", where: "start", answer: answers.noChoices(), failure: { source: "empty-answer" } },
  { name: "sends nothing", where: "start", answer: answers.nothing(), failure: { source: "empty-answer" } },
  { name: "ends empty", where: "end", answer: answers.empty(), failure: { source: "empty-answer" } },
  { name: "cuts", where: "middle", answer: answers.cutInTheMiddle([HALF]), failure: stream("cut") },
  {
    name: "hangs",
    where: "middle",
    answer: answers.hangInTheMiddle([HALF]),
    settings: quick,
    failure: stream("idle-timeout"),
  },
  {
    name: "sends a malformed event",
    where: "middle",
    answer: answers.malformedEvent([HALF]),
    failure: stream("malformed"),
  },
  {
    name: "breaks off with an error",
    where: "middle",
    answer: answers.errorInStream({ message: "boom" }, [HALF]),
    failure: stream("provider-error"),
  },
  { name: "ends without an ending", where: "end", answer: answers.endsEarly([HALF]), failure: stream("cut") },
  {
    name: "reaches the output limit",
    where: "end",
    answer: answers.text([HALF], { finishReason: "length" }),
    failure: undefined,
  },
];

/** What the vault does while the question and the answer are saved: each plan is for the call of that kind. */
const vaults: readonly {
  readonly name: string;
  readonly plan: (store: FakeChatNoteStore) => readonly PlannedFailure[];
}[] = [
  { name: "is well", plan: () => [] },
  { name: "refuses the first write", plan: () => [{ call: "create", error: new Error("EACCES: permission denied") }] },
  {
    name: "is full",
    plan: () => [
      { call: "create", error: full },
      { call: "process", error: full },
    ],
  },
  { name: "is full and leaves half of the note", plan: () => [{ call: "create", error: full, leavesChars: 40 }] },
  {
    name: "changes the note outside meanwhile",
    plan: (store) => [
      {
        call: "process",
        fails: false,
        meanwhile: () => {
          for (const path of store.paths()) store.put(path, `${store.text(path)}\nA LINE FROM OUTSIDE\n`);
        },
      },
    ],
  },
];

const rows = faults.flatMap((fault) =>
  vaults.map((vault) => ({ fault, vault, name: `${fault.name} (${fault.where})`, disk: vault.name })),
);

test.each(rows)("the provider $name, the vault $disk", async ({ fault, vault }) => {
  const store = new FakeChatNoteStore();
  const persistence = new ChatPersistenceManager({ store, folder: () => "Chats" });
  const { chat } = aChat({
    baseUrl: server.baseUrl,
    settings: { ...fault.settings },
    deps: { save: (conversation) => persistence.save(conversation) },
  });
  store.plan(...vault.plan(store));
  // Node's own fetch may try a dropped connection again.
  server.willAnswer(fault.answer);
  const outcome = await chat.send(aDraft("WHAT I TYPED"));

  if (fault.where === "start" || fault.name === "ends empty") {
    expect(outcome).toMatchObject({ kind: "not-sent", draft: { text: "WHAT I TYPED" }, failure: fault.failure });
    expect(chat.getState().messages).toEqual([]);
  } else {
    expect(outcome).toMatchObject({ kind: "incomplete" });
    expect(chat.getState().messages.map(({ text }) => text)).toEqual(["WHAT I TYPED", HALF]);
    expect(chat.getState().messages[1]).toMatchObject({
      incomplete: fault.failure ? { reason: "failed", failure: fault.failure } : { reason: "output-limit" },
    });
  }

  store.recover();
  server.willAnswer(answers.text(["THE NEXT ANSWER"]));
  expect(await chat.send(aDraft("THE NEXT QUESTION"))).toMatchObject({ kind: "answered" });
  // What is on disk: one note, whole, with everything that was said and kept; and whatever was written from outside.
  const notes = store.paths().filter((path) => !/ \(.*copy.*\)/i.test(path));
  const text = notes.map((path) => store.text(path)).join("\n");
  const said = chat.getState().messages.map((message) => message.text);
  for (const part of said) expect(text).toContain(part);
  expect(notes.filter((path) => store.text(path).includes("THE NEXT ANSWER"))).toHaveLength(1);
});

test("usage that is wrong or missing changes nothing of the answer", async () => {
  const { chat, calibration } = aChat({ baseUrl: server.baseUrl });
  for (const usage of [
    undefined,
    { promptTokens: 0, completionTokens: 0 },
    { promptTokens: -5, completionTokens: 1 },
  ]) {
    server.willAnswer(answers.text(["fine"], usage ? { usage } : {}));
    expect(await chat.send(aDraft("q"))).toMatchObject({ kind: "answered" });
  }
  expect(calibration.ratioOf(`openai-compatible ${server.baseUrl} gpt-4o`)).toBe(1);
});

test("an answer of 5 MB arrives whole", async () => {
  const { chat } = aChat({ baseUrl: server.baseUrl });
  server.willAnswer(answers.long(5_000_000));
  expect(await chat.send(aDraft("everything"))).toMatchObject({ kind: "answered" });
  expect(chat.getState().messages[1]?.text.length).toBe(5_000_000);
  server.willAnswer(answers.text(["fine"]));
  expect(await chat.send(aDraft("and?"))).toMatchObject({ kind: "answered" });
});
