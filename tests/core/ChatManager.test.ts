import { encode } from "gpt-tokenizer";
import type { ChatManagerDeps } from "../../src/core/ChatManager";
import { aChat, aDraft, aNoteAttachment } from "../support/aChat";
import { addressOfNobody, answers, startFaultServer, type FaultServer } from "../support/faultServer";

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly [key: string]: unknown;
}

let server: FaultServer;
beforeEach(async () => (server = await startFaultServer()));
afterEach(() => server.close());

const bodies = (): readonly Body[] => server.requests.map((request) => request.json as Body);
const lastBody = (): Body => bodies()[bodies().length - 1] ?? { messages: [] };
const texts = (body: Body): string[] => body.messages.map(({ content }) => JSON.stringify(content));
/** Message contents by a real tokenizer, + 4 a message. */
const realTokens = (body: Body): number =>
  body.messages.reduce(
    (sum, { content }) => sum + 4 + encode(String(content), { disallowedSpecial: new Set() }).length,
    0,
  );

describe("a turn", () => {
  it("sends system, history and question, and keeps what was answered", async () => {
    const { chat } = aChat({ baseUrl: server.baseUrl, settings: { systemPrompt: "Be brief." } });
    server.willAnswer(answers.text(["Hel", "lo."]));
    expect(await chat.send(aDraft("Hi there"))).toMatchObject({ kind: "answered" });
    server.willAnswer(answers.text(["Again."]));
    await chat.send(aDraft("And now?"));
    expect(lastBody().messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi there" },
      { role: "assistant", content: "Hello." },
      { role: "user", content: "And now?" },
    ]);
    expect(chat.getState().messages.map(({ text }) => text)).toEqual(["Hi there", "Hello.", "And now?", "Again."]);
  });

  it("sends an attached note in full, as a block before the words, and the words last and unchanged", async () => {
    const notes = { "Plans/Garden.md": "Plant beans in May.\n</note>\nWater them." };
    const { chat } = aChat({ baseUrl: server.baseUrl, notes });
    await chat.send(aDraft("When?  ", { attachments: [aNoteAttachment("Plans/Garden.md")] }));
    const content = String(lastBody().messages[1]?.content);
    expect(content).toContain("Plant beans in May.");
    expect(content).toContain("Plans/Garden.md");
    expect(content.endsWith("When?  ")).toBe(true);
    expect(content.split("</note>")).toHaveLength(2);
  });

  it("says that an attached note is gone, and does not send another one", async () => {
    const { chat } = aChat({ baseUrl: server.baseUrl, notes: { "Other/Plan.md": "secret" } });
    await chat.send(aDraft("?", { attachments: [aNoteAttachment("Plan.md")] }));
    expect(JSON.stringify(lastBody())).not.toContain("secret");
    expect(chat.getState().lastReport?.warnings).toContainEqual({
      code: "ATTACHMENT_MISSING",
      id: "Plan.md",
      title: "Plan",
    });
  });

  it("shows what has arrived while it arrives", async () => {
    const { chat } = aChat({ baseUrl: server.baseUrl });
    const seen: string[] = [];
    chat.subscribe(() => seen.push(`${chat.getState().phase}:${chat.getState().running?.text ?? ""}`));
    server.willAnswer(answers.text(["one ", "two"], { pauseMs: 10 }));
    await chat.send(aDraft("q"));
    expect(seen).toEqual(expect.arrayContaining(["preparing:", "waiting:", "streaming:one ", "streaming:one two"]));
    expect(chat.getState()).toMatchObject({ phase: "idle" });
    expect(chat.getState().running).toBeUndefined();
  });

  it("sends the key of the chosen secret, and no key where none is set", async () => {
    await aChat({ baseUrl: server.baseUrl, settings: { apiKeySecret: "my-key" } }).chat.send(aDraft("q"));
    expect(server.requests[0]?.headers.authorization).toBe("Bearer secret-of-the-test");
  });

  it("can show the exact request, without the key", async () => {
    const { chat } = aChat({ baseUrl: server.baseUrl, settings: { apiKeySecret: "my-key" } });
    expect(chat.lastRequest()).toBeUndefined();
    await chat.send(aDraft("q"));
    expect(chat.lastRequest()).toBe(server.requests[0]?.text);
    expect(chat.lastRequest()).not.toContain("secret-of-the-test");
  });

  it("keeps thinking out of the answer and out of the next request", async () => {
    const { chat } = aChat({ baseUrl: server.baseUrl });
    server.willAnswer(answers.reasoning(["HM-", "HMM"], ["Done."]));
    await chat.send(aDraft("q1"));
    expect(chat.getState().messages[1]).toMatchObject({ text: "Done.", reasoning: "HM-HMM" });
    await chat.send(aDraft("q2"));
    expect(JSON.stringify(lastBody())).not.toContain("HMM");
  });
});

describe("the budget", () => {
  const T = 4000;
  it("holds over a long chat: the newest turn and the question are there, the oldest are gone", async () => {
    const { chat } = aChat({ baseUrl: server.baseUrl, settings: { autoCompactThreshold: T } });
    for (let turn = 0; turn < 12; turn++) {
      server.willAnswer(answers.text([`ANSWER-${turn} `, "words and more words ".repeat(60)]));
      await chat.send(aDraft(`QUESTION-${turn} ${"asking about things ".repeat(40)}`));
    }
    for (const body of bodies()) expect(realTokens(body)).toBeLessThanOrEqual(T - 1000);
    const last = texts(lastBody()).join("\n");
    expect(last).toContain("QUESTION-11 ");
    expect(last).toContain("QUESTION-10 ");
    expect(last).toContain("ANSWER-10 ");
    expect(last).not.toContain("QUESTION-0 ");
    expect(chat.getState().lastReport?.history.droppedTurns).toBeGreaterThan(0);
    expect(chat.getState().messages).toHaveLength(24);
  });

  it("follows a changed threshold at the next request", async () => {
    const { chat, stored } = aChat({ baseUrl: server.baseUrl, settings: { autoCompactThreshold: 100_000 } });
    for (let turn = 0; turn < 6; turn++) {
      server.willAnswer(answers.text(["word ".repeat(400)]));
      await chat.send(aDraft(`Q${turn}`));
    }
    expect(lastBody().messages).toHaveLength(12);
    stored["autoCompactThreshold"] = 2000;
    await chat.send(aDraft("small now"));
    expect(realTokens(lastBody())).toBeLessThanOrEqual(1500);
    stored["autoCompactThreshold"] = 100_000;
    await chat.send(aDraft("large again"));
    expect(lastBody().messages).toHaveLength(16);
  });

  it("shortens a note that is too large, visibly, and says so", async () => {
    const notes = { "Big.md": `# Start\n${"a long line of a very long note\n".repeat(5000)}` };
    const { chat } = aChat({ baseUrl: server.baseUrl, settings: { autoCompactThreshold: T }, notes });
    await chat.send(aDraft("Summarise", { attachments: [aNoteAttachment("Big.md")] }));
    expect(realTokens(lastBody())).toBeLessThanOrEqual(T - 1000);
    expect(texts(lastBody()).join("")).toContain("# Start");
    expect(texts(lastBody()).join("")).toMatch(/shortened from/);
    const turnLayer = chat.getState().lastReport?.layers.find(({ id }) => id === "L3_TURN");
    expect(turnLayer?.segments).toEqual([expect.objectContaining({ id: "Big.md", state: "shortened" })]);
  });

  it("sends the output cap that it reserves", async () => {
    const settings = { contextWindowTokens: 8192 };
    await aChat({ baseUrl: server.baseUrl, settings }).chat.send(aDraft("q"));
    expect(lastBody()["max_tokens"]).toBe(2048);
  });

  it("sends no cap where nothing is known of the model", async () => {
    await aChat({ baseUrl: server.baseUrl }).chat.send(aDraft("q"));
    expect(lastBody()).not.toHaveProperty("max_tokens");
  });

  it("refuses an impossible combination before anything is sent, with the figures, and gives the words back", async () => {
    const settings = { contextWindowTokens: 4000, requestBudgetSafetyTokens: 5000 };
    const { chat } = aChat({ baseUrl: server.baseUrl, settings });
    const outcome = await chat.send(aDraft("my words"));
    expect(outcome).toMatchObject({
      kind: "not-sent",
      draft: { text: "my words" },
      failure: {
        source: "budget",
        code: "NO_INPUT_HEADROOM",
        windowTokens: 4000,
        outputTokens: 1000,
        safetyTokens: 5000,
      },
    });
    expect(server.requests).toHaveLength(0);
  });

  it("assembles once more, smaller, when the provider says the window is smaller", async () => {
    const { chat } = aChat({ baseUrl: server.baseUrl, notes: { "N.md": "word ".repeat(20_000) } });
    server.willAnswer(answers.overflow(8000, 21_000), answers.text(["fits"]));
    const outcome = await chat.send(aDraft("q", { attachments: [aNoteAttachment("N.md")] }));
    expect(outcome).toMatchObject({ kind: "answered" });
    const [first, second] = bodies();
    expect(realTokens(second ?? lastBody())).toBeLessThan(8000);
    expect(realTokens(first ?? lastBody())).toBeGreaterThan(8000);
    expect(bodies()).toHaveLength(2);
  });

  it("calls the provider at most twice", async () => {
    const { chat } = aChat({ baseUrl: server.baseUrl, notes: { "N.md": "word ".repeat(20_000) } });
    server.willAnswer(answers.overflow(8000, 21_000), answers.overflow(8000, 9000));
    const outcome = await chat.send(aDraft("q", { attachments: [aNoteAttachment("N.md")] }));
    expect(outcome).toMatchObject({ kind: "not-sent", failure: { source: "provider", failure: { kind: "overflow" } } });
    expect(bodies()).toHaveLength(2);
  });
});

describe("one send at a time", () => {
  it("leaves a second draft where it is", async () => {
    const { chat } = aChat({ baseUrl: server.baseUrl });
    server.willAnswer(answers.text(["slow"], { pauseMs: 30 }));
    const first = chat.send(aDraft("one"));
    expect(await chat.send(aDraft("two"))).toEqual({ kind: "busy" });
    await first;
    expect(chat.getState().messages.map(({ text }) => text)).toEqual(["one", "slow"]);
  });

  it("lets the next question be asked while the answer before it is still being saved", async () => {
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    let saves = 0;
    const save = async () => {
      saves += 1;
      if (saves === 2) await slow;
      return { kind: "empty" } as const;
    };
    const { chat } = aChat({ baseUrl: server.baseUrl, deps: { save } });
    const first = chat.send(aDraft("one"));
    await until(() => saves === 2);
    server.willAnswer(answers.hangInTheMiddle(["begun"]));
    const second = chat.send(aDraft("two"));
    await until(() => chat.getState().running?.text === "begun");
    release();
    await first;
    expect(chat.getState()).toMatchObject({ phase: "streaming", running: { text: "begun" } });
    chat.stop();
    expect(await second).toMatchObject({ kind: "incomplete" });
  });

  it("lets twenty chats send at once, each its own", async () => {
    const chats = Array.from({ length: 20 }, (_, index) => ({ index, ...aChat({ baseUrl: server.baseUrl }) }));
    for (let round = 0; round < 2; round++)
      await Promise.all(chats.map(({ chat, index }) => chat.send(aDraft(`chat ${index} round ${round}.`))));
    for (const { chat, index } of chats)
      expect(
        chat
          .getState()
          .messages.filter(({ role }) => role === "user")
          .map(({ text }) => text),
      ).toEqual([`chat ${index} round 0.`, `chat ${index} round 1.`]);
    for (const body of bodies().slice(20)) {
      const asked =
        texts(body)
          .join("")
          .match(/chat \d+ /g) ?? [];
      expect(new Set(asked).size).toBe(1);
      expect(asked).toHaveLength(2);
    }
  });
});

describe("stop", () => {
  it("keeps what had arrived, marked as stopped", async () => {
    const { chat } = aChat({ baseUrl: server.baseUrl });
    server.willAnswer(answers.hangInTheMiddle(["half an "]));
    const sending = chat.send(aDraft("q"));
    await until(() => chat.getState().running?.text === "half an ");
    chat.stop();
    expect(await sending).toMatchObject({ kind: "incomplete", incomplete: { reason: "stopped" } });
    expect(chat.getState().messages[1]).toMatchObject({ text: "half an ", incomplete: { reason: "stopped" } });
  });

  it("gives the words back when nothing had arrived, and blames nobody", async () => {
    const { chat } = aChat({ baseUrl: server.baseUrl });
    server.willAnswer(answers.hangBeforeFirstByte());
    const sending = chat.send(aDraft("q"));
    await until(() => server.requests.length === 1);
    chat.stop();
    expect(await sending).toEqual({ kind: "not-sent", draft: aDraft("q") });
    expect(chat.getState().messages).toEqual([]);
  });
});

describe("whatever fails before the first word: the words go back, the next send works", () => {
  const provider = (kind: string) => ({ source: "provider", failure: { kind } });
  it.each`
    answer                                     | failure                                      | because
    ${answers.error(401, "Incorrect API key")} | ${provider("auth")}                          | ${"the key is refused"}
    ${answers.error(404, "no such model")}     | ${provider("not-found")}                     | ${"there is no such model"}
    ${answers.rateLimit("7")}                  | ${provider("rate-limit")}                    | ${"too many requests"}
    ${answers.rateLimit()}                     | ${provider("rate-limit")}                    | ${"too many requests, without a time"}
    ${answers.error(500, "oops")}              | ${provider("server")}                        | ${"the server has a fault"}
    ${answers.refuse()}                        | ${provider("network")}                       | ${"the connection is dropped"}
    ${answers.html()}                          | ${{ source: "stream", reason: "malformed" }} | ${"a sign-in page answers"}
    ${answers.notJson()}                       | ${{ source: "stream", reason: "malformed" }} | ${"the text is not JSON"}
    ${answers.empty()}                         | ${{ source: "empty-answer" }}                | ${"the answer is empty"}
    ${answers.noChoices()}                     | ${{ source: "empty-answer" }}                | ${"the events hold no choice"}
    ${answers.nothing()}                       | ${{ source: "empty-answer" }}                | ${"there is no body at all"}
  `("$because", async ({ answer, failure }) => {
    const { chat } = aChat({ baseUrl: server.baseUrl });
    server.willAnswer(answer);
    expect(await chat.send(aDraft("my words"))).toMatchObject({
      kind: "not-sent",
      draft: { text: "my words" },
      failure,
    });
    expect(chat.getState().messages).toEqual([]);
    expect(chat.getState().failure).toMatchObject(failure);
    server.willAnswer(answers.text(["fine"]));
    expect(await chat.send(aDraft("my words"))).toMatchObject({ kind: "answered" });
    expect(chat.getState().failure).toBeUndefined();
    expect(lastBody().messages.filter(({ role }) => role === "user")).toHaveLength(1);
  });

  it("a server that is down", async () => {
    const { chat } = aChat({ baseUrl: await addressOfNobody() });
    expect(await chat.send(aDraft("w"))).toMatchObject({ kind: "not-sent", failure: provider("network") });
  });

  it("no model is set", async () => {
    const { chat } = aChat({ baseUrl: server.baseUrl, settings: { model: "" } });
    expect(await chat.send(aDraft("w"))).toMatchObject({ failure: { source: "not-configured", missing: "model" } });
  });

  it("a silent server, after the time that is set", async () => {
    const { chat } = aChat({ baseUrl: server.baseUrl, deps: immediateTimers() });
    server.willAnswer(answers.hangAfterHeaders());
    expect(await chat.send(aDraft("w"))).toMatchObject({ failure: { source: "stream", reason: "idle-timeout" } });
  });

  it("a fault of our own", async () => {
    const deps = { loadRuntime: () => Promise.reject(new Error("boom")) };
    const { chat } = aChat({ baseUrl: server.baseUrl, deps });
    expect(await chat.send(aDraft("w"))).toMatchObject({
      draft: { text: "w" },
      failure: { source: "internal", detail: "boom" },
    });
  });
});

describe("whatever fails in the middle: what had arrived is kept and marked, the next send works", () => {
  it.each`
    answer                                                  | incomplete                                                                       | because
    ${answers.cutInTheMiddle(["half"])}                     | ${{ reason: "failed", failure: { source: "stream", reason: "cut" } }}            | ${"the connection is cut"}
    ${answers.endsEarly(["half"])}                          | ${{ reason: "failed", failure: { source: "stream", reason: "cut" } }}            | ${"the stream ends without an ending"}
    ${answers.malformedEvent(["half"])}                     | ${{ reason: "failed", failure: { source: "stream", reason: "malformed" } }}      | ${"an event is not JSON"}
    ${answers.errorInStream({ message: "boom" }, ["half"])} | ${{ reason: "failed", failure: { source: "stream", reason: "provider-error" } }} | ${"the provider breaks off with an error"}
    ${answers.text(["half"], { finishReason: "length" })}   | ${{ reason: "output-limit" }}                                                    | ${"the output cap is reached"}
  `("$because", async ({ answer, incomplete }) => {
    const { chat } = aChat({ baseUrl: server.baseUrl });
    server.willAnswer(answer);
    expect(await chat.send(aDraft("q"))).toMatchObject({ kind: "incomplete", incomplete });
    expect(chat.getState().messages[1]).toMatchObject({ text: "half", incomplete });
    server.willAnswer(answers.text(["fine"]));
    expect(await chat.send(aDraft("go on"))).toMatchObject({ kind: "answered" });
    expect(texts(lastBody()).slice(1)).toEqual(['"q"', '"half"', '"go on"']);
  });

  it("a hang, after the time that is set", async () => {
    const { chat } = aChat({ baseUrl: server.baseUrl, settings: { idleTimeoutSeconds: 1 } });
    server.willAnswer(answers.hangInTheMiddle(["half"]));
    expect(await chat.send(aDraft("q"))).toMatchObject({
      kind: "incomplete",
      incomplete: { reason: "failed", failure: { source: "stream", reason: "idle-timeout" } },
    });
  });
});

describe("edit, delete, regenerate", () => {
  const talk = async () => {
    const made = aChat({ baseUrl: server.baseUrl, settings: { systemPrompt: "" } });
    for (const turn of [1, 2]) {
      server.willAnswer(answers.text([`a${turn}`]));
      await made.chat.send(aDraft(`q${turn}`));
    }
    return made.chat;
  };
  const idAt = (chat: { getState(): { messages: readonly { id: string }[] } }, index: number): string =>
    chat.getState().messages[index]?.id ?? "";

  it("regenerates with the history before the question, and keeps the old answer as a branch", async () => {
    const chat = await talk();
    server.willAnswer(answers.text(["a2 again"]));
    await chat.regenerate(idAt(chat, 3));
    expect(texts(lastBody())).toEqual(['"q1"', '"a1"', '"q2"']);
    expect(chat.getState().messages.map(({ text }) => text)).toEqual(["q1", "a1", "q2", "a2 again"]);
    expect(chat.branchPosition(idAt(chat, 3))).toMatchObject({ index: 1 });
  });

  it("keeps the old answer when asking again fails", async () => {
    const chat = await talk();
    server.willAnswer(answers.error(500, "no"));
    expect(await chat.regenerate(idAt(chat, 3))).toMatchObject({ kind: "not-sent" });
    expect(chat.getState().messages.map(({ text }) => text)).toEqual(["q1", "a1", "q2", "a2"]);
  });

  it("puts an edited question beside the old one", async () => {
    const chat = await talk();
    server.willAnswer(answers.text(["b1"]));
    await chat.editAndResend(idAt(chat, 0), aDraft("q1 edited"));
    expect(texts(lastBody())).toEqual(['"q1 edited"']);
    expect(chat.getState().messages.map(({ text }) => text)).toEqual(["q1 edited", "b1"]);
    const { siblingIds } = chat.branchPosition(idAt(chat, 0));
    chat.switchTo(siblingIds[0] ?? "");
    expect(chat.getState().messages.map(({ text }) => text)).toEqual(["q1", "a1", "q2", "a2"]);
  });

  // https://github.com/copilot-extensions/user-feedback/issues/33
  it("sends nothing of a deleted message", async () => {
    const chat = await talk();
    await chat.deleteMessage(idAt(chat, 1));
    await chat.send(aDraft("q3"));
    expect(JSON.stringify(lastBody())).not.toContain("a1");
    expect(texts(lastBody())).toEqual(['"q1\\n\\nq2"', '"a2"', '"q3"']);
  });
});

describe("figures before a send", () => {
  // https://github.com/logancyang/obsidian-copilot/issues/1870
  it("are within a quarter of what the request then really costs, and grow with an attached note", async () => {
    const notes = {
      "N.md": "The broad beans go into the south bed in early May, forty of them, a hand apart.\n".repeat(40),
    };
    const { chat } = aChat({ baseUrl: server.baseUrl, notes });
    const draft = aDraft("When do the beans go out?", { attachments: [aNoteAttachment("N.md")] });
    const bare = await chat.preview(aDraft("When do the beans go out?"));
    const full = await chat.preview(draft);
    await chat.send(draft);
    const real = realTokens(lastBody());
    expect(full.estimatedTokens).toBeGreaterThan(bare.estimatedTokens + 400);
    expect(Math.abs(full.estimatedTokens - real) / real).toBeLessThan(0.25);
    expect(chat.getState().lastReport?.estimatedTokens).toBe(full.estimatedTokens);
  });

  it("price the draft, its note, the history and the system prompt, and send nothing", async () => {
    const { chat } = aChat({ baseUrl: server.baseUrl, notes: { "N.md": "word ".repeat(500) } });
    await chat.send(aDraft("q"));
    const bare = await chat.preview(aDraft(""));
    const full = await chat.preview(aDraft("a question", { attachments: [aNoteAttachment("N.md")] }));
    expect(server.requests).toHaveLength(1);
    const tokensOf = (report: typeof bare, id: string) => report.layers.find((layer) => layer.id === id)?.tokens ?? 0;
    for (const id of ["L1_SYSTEM", "L4_STRIP"]) expect(tokensOf(bare, id)).toBeGreaterThan(0);
    expect(tokensOf(full, "L3_TURN")).toBeGreaterThan(400);
    expect(tokensOf(full, "L5_USER")).toBeGreaterThan(tokensOf(bare, "L5_USER"));
  });

  it("say nothing in the log, which warns of turns that were dropped from what was sent", async () => {
    const warned = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    const { chat, stored } = aChat({ baseUrl: server.baseUrl });
    for (const text of ["q1", "q2"]) await chat.send(aDraft(`${text} ${"asking about things ".repeat(300)}`));
    stored["autoCompactThreshold"] = 2000;
    const { history } = await chat.preview(aDraft("q3"));
    expect([history.droppedTurns, warned.mock.calls.length]).toEqual([1, 0]);
    await chat.send(aDraft("q3"));
    expect(warned).toHaveBeenCalledTimes(1);
    warned.mockRestore();
  });

  it("add up: layers + tools = estimate; + margin + free = the budget", async () => {
    const { chat } = aChat({ baseUrl: server.baseUrl, notes: { "N.md": "word ".repeat(500) } });
    await chat.send(aDraft("q"));
    const report = await chat.preview(aDraft("more", { attachments: [aNoteAttachment("N.md")] }));
    const layers = report.layers.reduce((sum, { tokens }) => sum + tokens, 0);
    expect(layers + report.toolTokens).toBe(report.estimatedTokens);
    expect(report.estimatedTokens + report.marginTokens + report.freeTokens).toBe(report.budget.inputBudgetTokens);
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Time passes at once for whoever waits for long. */
function immediateTimers(): Partial<ChatManagerDeps> {
  return { timers: { set: (callback) => setTimeout(callback, 30), clear: (handle) => clearTimeout(handle as never) } };
}
