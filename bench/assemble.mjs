/**
 * Assembling a conversation of 2.7M tokens for T = 128k: cold and warm, and how the time grows with the number of
 * messages; beside LangChain's trimMessages with a chars / 4 counter on the same data.
 */
import { loadSources } from "./load.mjs";
import { median, table, timed } from "./report.mjs";

const SOURCES = `
  export { assembleRequest } from "./src/LLMProviders/chainRunner/utils/assembleRequest";
  export { plainMemory } from "./src/LLMProviders/memoryManager";
  export { createMeterFactory } from "./src/budget/memoMeter";
  export { createHistoryCache } from "./src/LLMProviders/chainRunner/utils/chatHistoryUtils";
`;
const INPUT_TOKENS = 123_904;
const TOKENS_A_MESSAGE = 270;
const RUNS = 5;

export async function run() {
  const sources = await loadSources(SOURCES);
  const { trimMessages, HumanMessage, AIMessage } = await import("@langchain/core/messages");
  const messages = conversation(10_000);
  const langChain = messages.map(({ role, content }) =>
    role === "user" ? new HumanMessage(content) : new AIMessage(content),
  );
  const chars = messages.reduce((sum, { content }) => sum + content.length, 0);
  const trimmed = await repeat(() =>
    trimMessages(langChain, {
      maxTokens: INPUT_TOKENS,
      strategy: "last",
      startOn: "human",
      tokenCounter: (list) => list.reduce((sum, message) => sum + Math.ceil(message.content.length / 4), 0),
    }),
  );
  const cold = await repeat(() => assemble(sources, fresh(sources), messages));
  const kept = fresh(sources);
  await assemble(sources, kept, messages);
  const warm = await repeat(() => assemble(sources, kept, messages));
  const { report } = await assemble(sources, kept, messages);
  const { keptTokens, droppedTokens, droppedTurns } = report.history;
  console.log(
    `10,000 messages, ${chars} characters, ${keptTokens + droppedTokens} tokens by our count; ` +
      `kept ${keptTokens} of them, dropped ${droppedTurns} turns.\n`,
  );
  table(
    ["10,000 messages", "ms (median)", "trimMessages chars/4 ÷ this"],
    [
      ["trimMessages, chars/4", trimmed],
      ["ours, cold", cold],
      ["ours, warm", warm],
    ].map(([name, ms]) => [name, ms.toFixed(1), (trimmed / ms).toFixed(1)]),
  );
  await growth(sources);
}

async function growth(sources) {
  const points = [];
  for (const count of [1_000, 5_000, 10_000, 30_000, 100_000]) {
    const messages = conversation(count);
    const kept = fresh(sources);
    await assemble(sources, kept, messages);
    points.push([count, await repeat(() => assemble(sources, kept, messages))]);
  }
  console.log(`\nWarm, by number of messages (R² of a straight line: ${rSquared(points).toFixed(4)})\n`);
  table(
    ["messages", "ms (median)"],
    points.map(([count, ms]) => [count, ms.toFixed(1)]),
  );
}

function fresh({ createMeterFactory, createHistoryCache }) {
  return { meters: createMeterFactory(), cache: createHistoryCache() };
}

function assemble({ assembleRequest, plainMemory }, { meters, cache }, messages) {
  const plan = {
    conversationId: "c",
    messageId: "m",
    systemPrompt: "Answer briefly.",
    projectContext: [],
    library: [],
    earlierContext: [],
    turnContext: [],
    user: { text: "And what did we decide?", images: [] },
    tools: [],
  };
  const meter = meters.meter({ family: "openai", calibration: 1 });
  const budget = {
    thresholdTokens: 128_000,
    softInputTokens: INPUT_TOKENS,
    outputReserveTokens: 4096,
    inputBudgetTokens: INPUT_TOKENS,
    capacitySource: "not known",
  };
  const warn = console.warn;
  console.warn = () => undefined;
  return assembleRequest({ plan, memory: plainMemory(messages), meter, budget, cache }, INPUT_TOKENS).finally(() => {
    console.warn = warn;
  });
}

/** Words in a fixed pseudo-random order: the same conversation at every run. */
function conversation(count) {
  const words =
    "the plan for garden and kitchen needs seven beans water before noon while rain falls over old stone walls".split(
      " ",
    );
  let state = 1;
  const next = () => (state = (state * 48271) % 2147483647);
  return Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    role: index % 2 === 0 ? "user" : "assistant",
    content: Array.from({ length: TOKENS_A_MESSAGE }, () => words[next() % words.length]).join(" "),
  }));
}

async function repeat(work) {
  const times = [];
  for (let round = 0; round < RUNS; round++) times.push(await timed(work));
  return median(times);
}

function rSquared(points) {
  const n = points.length;
  const mean = (pick) => points.reduce((sum, point) => sum + pick(point), 0) / n;
  const [mx, my] = [mean(([x]) => x), mean(([, y]) => y)];
  const sxy = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  const sxx = points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  const syy = points.reduce((sum, [, y]) => sum + (y - my) ** 2, 0);
  return (sxy * sxy) / (sxx * syy);
}
