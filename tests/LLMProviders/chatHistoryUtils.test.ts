import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { createTokenMeter } from "../../src/budget/requestCost";
import { createMessageCoster } from "../../src/context/messageCost";
import type { ProcessedMessage } from "../../src/context/PromptContextTypes";
import type { HistoryTrimReport } from "../../src/context/requestReport";
import {
  appendUserMessage,
  loadAndAddChatHistory,
  newestTurn,
  type HistoryMemory,
} from "../../src/LLMProviders/chainRunner/utils/chatHistoryUtils";
import { createMemoryFactory } from "../../src/LLMProviders/memoryManager";

const meter = createTokenMeter({ family: "openai", calibration: 1 });
const quiet = { meter, warn: () => undefined };
const tokens = (messages: readonly ProcessedMessage[]): number => {
  const costOf = createMessageCoster(meter);
  return messages.reduce((sum, message) => sum + costOf(message).upperTokens, 0);
};
const memoryOf = (history: unknown): HistoryMemory => ({ loadMemoryVariables: () => Promise.resolve({ history }) });
const human = (text: string): HumanMessage => new HumanMessage(text);
const ai = (text: string): AIMessage => new AIMessage(text);
const user = (content: string): ProcessedMessage => ({ role: "user", content });
const assistant = (content: string): ProcessedMessage => ({ role: "assistant", content });
const load = async (history: unknown, budget?: number): Promise<ProcessedMessage[]> =>
  loadAndAddChatHistory(memoryOf(history), [], budget, quiet);

describe("a history is repaired for the request, never in the store", () => {
  const call = { id: "c1", name: "search", args: { q: "x" }, type: "tool_call" as const };
  const toolAnswer = new AIMessage({ content: "", tool_calls: [call] });
  const toolResult = new ToolMessage({ content: "found", tool_call_id: "c1" });
  it.each`
    history                                                                  | sent                                        | because
    ${undefined}                                                             | ${[]}                                       | ${"a memory may be empty"}
    ${[]}                                                                    | ${[]}                                       | ${"a new conversation has no history"}
    ${[human("q"), ai("a")]}                                                 | ${[user("q"), assistant("a")]}              | ${"an ordinary turn goes as it is"}
    ${[ai("hello"), human("q"), ai("a")]}                                    | ${[user("q"), assistant("a")]}              | ${"a leading answer has no question"}
    ${[human("q1"), human("q2"), ai("a")]}                                   | ${[user("q1\n\nq2"), assistant("a")]}       | ${"two questions in a row are one message, nothing typed is lost"}
    ${[human("q1"), ai(""), human("q2"), ai("a")]}                           | ${[user("q1\n\nq2"), assistant("a")]}       | ${"an empty reply is none (https://github.com/longy2k/obsidian-bmo-chatbot/issues/71)"}
    ${[human("q"), ai("a"), ai("b")]}                                        | ${[user("q"), assistant("a\n\nb")]}         | ${"two answers in a row are one message"}
    ${[human("q1"), ai("a"), human("q2")]}                                   | ${[user("q1"), assistant("a"), user("q2")]} | ${"an unanswered question stays last"}
    ${[new SystemMessage("s"), human("q"), ai("a")]}                         | ${[user("q"), assistant("a")]}              | ${"system messages are not history"}
    ${[{ role: "observer", content: "?" }, human("q"), ai("a")]}             | ${[user("q"), assistant("a")]}              | ${"unknown roles are skipped"}
    ${[null, 7, "x", human("q"), ai("a")]}                                   | ${[user("q"), assistant("a")]}              | ${"what is no message is skipped"}
    ${[{ role: "user", content: "q" }, { role: "assistant", content: "a" }]} | ${[user("q"), assistant("a")]}              | ${"plain objects are read too"}
    ${[human(" \n"), ai("a")]}                                               | ${[user("(no text)"), assistant("a")]}      | ${"a question of attachments only (https://github.com/langchain-ai/langchain/issues/30376)"}
    ${[human("q"), toolAnswer, ai("a")]}                                     | ${[user("q"), assistant("a")]}              | ${"a call without its result leaves"}
    ${[human("q"), toolResult, ai("a")]}                                     | ${[user("q"), assistant("a")]}              | ${"a result without its call leaves"}
  `("$because", async ({ history, sent }) => {
    expect(await load(history)).toEqual(sent);
  });

  it("keeps a tool call together with its result", async () => {
    const sent = await load([human("q"), toolAnswer, toolResult, ai("a")]);
    expect(sent.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(sent[1]?.toolCalls).toEqual([{ id: "c1", name: "search", arguments: '{"q":"x"}' }]);
    expect(sent[2]?.toolCallId).toBe("c1");
  });

  it("appends in place, behind what is there", async () => {
    const messages: ProcessedMessage[] = [{ role: "system", content: "s" }];
    const added = await loadAndAddChatHistory(memoryOf([human("q"), ai("a")]), messages);
    expect(messages).toEqual([{ role: "system", content: "s" }, ...added]);
  });
});

describe("appendUserMessage", () => {
  it("opens the message with a question that was never answered", () => {
    const messages = [user("q1"), assistant("a"), user("q2")];
    appendUserMessage(messages, user("q3"));
    expect(messages).toEqual([user("q1"), assistant("a"), user("q2\n\nq3")]);
  });

  it("keeps the images of both", () => {
    const image = { type: "image", name: "i", image: { mimeType: "image/png", base64: "AA" } } as const;
    const messages: ProcessedMessage[] = [{ role: "user", content: [{ type: "text", text: "q1" }, image] }];
    appendUserMessage(messages, user("q2"));
    expect(messages[0]?.content).toEqual([{ type: "text", text: "q1" }, image, { type: "text", text: "q2" }]);
  });
});

describe("with a token budget", () => {
  const long = (word: string, times: number): string => `${word} `.repeat(times).trim();
  const turns = (count: number, words = 50): (HumanMessage | AIMessage)[] =>
    Array.from({ length: count }, (_, index) => [human(long(`q${index}`, words)), ai(long(`a${index}`, words))]).flat();

  it("without one sends everything, whatever its size", async () => {
    expect(await load(turns(500))).toHaveLength(1000);
  });

  it("drops the oldest whole turns and warns once, with figures", async () => {
    const reports: HistoryTrimReport[] = [];
    const warnings: string[] = [];
    const sent = await loadAndAddChatHistory(memoryOf(turns(20)), [], 1000, {
      meter,
      onTrim: (report) => reports.push(report),
      warn: (text) => warnings.push(text),
    });
    expect(tokens(sent)).toBeLessThanOrEqual(1000);
    expect(sent[0]?.role).toBe("user");
    expect(sent[sent.length - 1]?.content).toContain("a19");
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({ droppedTurns: 20 - sent.length / 2, shortenedMessages: 0, budgetTokens: 1000 });
    expect(reports[0]?.keptTokens).toBe(tokens(sent));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(String(reports[0]?.droppedTurns));
  });

  it("says nothing where nothing was dropped", async () => {
    const onTrim = jest.fn();
    await loadAndAddChatHistory(memoryOf(turns(2)), [], 100_000, { meter, onTrim, warn: onTrim });
    expect(onTrim).not.toHaveBeenCalled();
  });

  it("shortens a newest answer that is too long by itself, visibly, head and tail kept", async () => {
    const answer = `BEGIN ${long("middle", 3000)} END`;
    const sent = await load([human("why?"), ai(answer)], 400);
    expect(tokens(sent)).toBeLessThanOrEqual(400);
    expect(sent[0]).toEqual(user("why?"));
    expect(sent[1]?.content).toMatch(/^BEGIN [^]*tokens shortened here[^]* END$/);
  });

  it("shortens the newest question only when its answer cannot give enough", async () => {
    const question = `BEGIN ${long("middle", 3000)} END`;
    const sent = await load([human(question), ai("short answer")], 300);
    expect(tokens(sent)).toBeLessThanOrEqual(300);
    expect(sent[0]?.content).toMatch(/^BEGIN [^]*END$/);
    expect(sent[1]).toEqual(assistant("short answer"));
  });

  // https://github.com/earendil-works/pi/pull/1441
  it("gives up the images of older turns first, and counts images at all", async () => {
    const picture = (name: string) =>
      new HumanMessage({
        content: [
          { type: "text", text: `look at ${name}` },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" }, name },
        ] as never,
      });
    const history = Array.from({ length: 6 }, (_, index) => [picture(`p${index}`), ai("ok")]).flat();
    const sent = await load(history, 3500);
    expect(sent).toHaveLength(12);
    const images = sent
      .flatMap(({ content }) => (typeof content === "string" ? [] : content))
      .filter(({ type }) => type === "image");
    expect(images).toHaveLength(2);
    expect(sent[0]?.content).toContain("[image: p0]");
  });

  it("keeps a pinned turn before newer ones", async () => {
    const history = turns(20);
    history[0] = new HumanMessage({ id: "pin", content: "remember the blue door" });
    const sent = await loadAndAddChatHistory(memoryOf(history), [], 1000, { ...quiet, pinned: new Set(["pin"]) });
    expect(sent[0]?.content).toBe("remember the blue door");
    expect(tokens(sent)).toBeLessThanOrEqual(1000);
  });
});

describe("whatever the history", () => {
  const anyText = fc.oneof(
    fc.string({ maxLength: 400 }),
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.constant("漢字かな".repeat(40)),
  );
  const anyMessage = fc.oneof(
    anyText.map(human),
    anyText.map(ai),
    anyText.map((text) => new SystemMessage(text)),
    anyText.map((text) => new ToolMessage({ content: text, tool_call_id: "c1" })),
    fc.constant(
      new AIMessage({ content: "", tool_calls: [{ id: "c1", name: "n", args: {}, type: "tool_call" as const }] }),
    ),
    fc.constant({ role: "stranger", content: "x" }),
  );
  const anyHistory = fc.array(anyMessage, { maxLength: 30 });

  it("roles alternate, it starts with a question, no call or result is alone, and it fits where it can", async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, fc.option(fc.nat(4000), { nil: undefined }), async (history, budget) => {
        const sent = await load(history, budget);
        if (sent.length === 0) return;
        expect(sent[0]?.role).toBe("user");
        sent.forEach((message, index) => {
          const before = sent[index - 1];
          if (message.role !== "tool" && !before?.toolCalls) expect(before?.role).not.toBe(message.role);
          if (message.role === "tool")
            expect(sent.some(({ toolCalls }) => toolCalls?.some(({ id }) => id === message.toolCallId))).toBe(true);
        });
        if (budget === undefined) return;
        const newest = await newestTurn(memoryOf(history), meter);
        expect(tokens(sent)).toBeLessThanOrEqual(Math.max(budget, newest.fullTokens));
      }),
      { numRuns: 1000 },
    );
  });

  it("the same again gives the same again, and the store is untouched", async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, fc.nat(4000), async (history, budget) => {
        const before = JSON.stringify(history);
        expect(await load(history, budget)).toEqual(await load(history, budget));
        expect(JSON.stringify(history)).toBe(before);
      }),
      { numRuns: 200 },
    );
  });
});

describe("the window of memory", () => {
  it("gives everything back, so that only the budget cuts", async () => {
    const remembered = Array.from({ length: 600 }, (_, index) => ({
      id: `m${index}`,
      role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content: index === 4 ? "" : `text ${index}`,
    }));
    const sent = await loadAndAddChatHistory(await createMemoryFactory().createMemory(remembered), []);
    expect(sent).toHaveLength(600);
  });

  it("carries images with their names", async () => {
    const image = { mimeType: "image/png", base64: "AAAA", widthPixels: 10, heightPixels: 20 };
    const content = [{ type: "text", text: "see" } as const, { type: "image", name: "plan.png", image } as const];
    const memory = await createMemoryFactory().createMemory([{ id: "m", role: "user", content }]);
    const [message] = await loadAndAddChatHistory(memory, []);
    expect(message?.content).toEqual(content);
  });
});
