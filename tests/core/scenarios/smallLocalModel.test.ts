/**
 * A model on the user's own machine, with a small window and nothing set but that: it works as installed.
 * Rules: docs/budget.md 1 (defaults that follow the window), 3.
 */
import type { RequestReport } from "../../../src/context/requestReport";
import { aChat, aDraft, aNoteAttachment } from "../../support/aChat";
import { answers, startFaultServer, type FaultServer } from "../../support/faultServer";
import { average } from "./fills";
import { createRandom } from "./random";
import { countO200k, inSlices, realRequestTokens } from "./realTokens";
import { messagesOf } from "./requests";
import { createWriter } from "./writing";

const WINDOW_TOKENS = 8192;
const TURNS = 30;
const NOTE_CHARS = 30_000;
/** A local model with a vocabulary that can be counted here. */
const MODEL = "gpt-oss:20b";

interface Sent {
  readonly question: string;
  readonly texts: readonly string[];
  readonly realTokens: number;
  readonly report: RequestReport;
}

const sent: Sent[] = [];
const note = `NOTE BEGINS. ${createWriter(createRandom(11), { kinds: ["english"], freshChars: NOTE_CHARS }).text(8000)}`;
let server: FaultServer;

beforeAll(async () => {
  jest.spyOn(console, "warn").mockImplementation(() => undefined);
  server = await startFaultServer();
  const random = createRandom(12);
  const writer = createWriter(random, { kinds: ["english", "german", "code"], freshChars: 60_000 });
  const count = inSlices(countO200k, "after-break");
  const { chat } = aChat({
    baseUrl: server.baseUrl,
    settings: { model: MODEL, contextWindowTokens: WINDOW_TOKENS },
    notes: { "Garden.md": note.slice(0, NOTE_CHARS) },
  });
  for (let turn = 0; turn < TURNS; turn++) {
    server.willAnswer(answers.text([`[a${turn}] ${writer.text(random.int(40, 500))}`]));
    const question = `[q${turn}] ${writer.text(random.int(10, 120))}`;
    const outcome = await chat.send(aDraft(question, { attachments: [aNoteAttachment("Garden.md")] }));
    const report = chat.getState().lastReport;
    if (outcome.kind !== "answered" || report === undefined)
      throw new Error(`turn ${turn}: ${JSON.stringify(outcome)}`);
    const messages = messagesOf(server.requests[turn]?.json);
    const texts = messages.map(({ content }) => JSON.stringify(content));
    const realTokens = realRequestTokens(messages, [], { count, family: "openai" });
    sent.push({ question, texts, realTokens, report });
  }
  jest.restoreAllMocks();
}, 120_000);

afterAll(() => server.close());

describe(`a window of ${WINDOW_TOKENS}, everything default, a note of ${NOTE_CHARS} characters attached`, () => {
  it("reserves and asks for a quarter of the window as the answer, and a sixteenth of it as safety", () => {
    expect(server.requests[0]?.json).toMatchObject({ model: MODEL, max_tokens: 2048 });
    expect(sent[0]?.report.budget).toMatchObject({ hardTokens: 5632, pressureTokens: 5068, safetyTokens: 512 });
  });

  it("sends a body that fits in each of 30 turns, by the real tokenizer", () => {
    const over = sent.filter(({ realTokens, report }) => realTokens > report.budget.inputBudgetTokens);
    expect(over).toEqual([]);
    expect(sent.every(({ report }) => report.warnings.length === 0)).toBe(true);
    expect(server.requests).toHaveLength(TURNS);
  });

  it("holds the newest turn, the start of the note and the question in each", () => {
    sent.forEach(({ texts, question }, turn) => {
      const whole = texts.join("\n");
      if (turn > 0) expect(whole).toContain(`[q${turn - 1}]`);
      if (turn > 0) expect(whole).toContain(`[a${turn - 1}]`);
      expect(whole).toContain(note.slice(0, 500).split("\n")[0]);
      expect(texts[texts.length - 1]?.endsWith(JSON.stringify(question).slice(1))).toBe(true);
    });
  });

  it("fills what is left for the history to 70 % and more where turns had to go", () => {
    const cut = sent.map(({ report }) => report.history).filter(({ droppedTurns }) => droppedTurns > 0);
    expect(cut.length).toBeGreaterThan(TURNS / 2);
    const fills = cut.map(({ keptTokens, budgetTokens }) => keptTokens / budgetTokens);
    const fill = average(fills);
    console.log(
      `Window of ${WINDOW_TOKENS}: in ${cut.length} of ${TURNS} turns the history was cut; it fills ` +
        `${(100 * fill).toFixed(1)} % of its budget on average (${(100 * Math.min(...fills)).toFixed(1)} % at least; ` +
        `${average(cut.map(({ budgetTokens }) => budgetTokens)).toFixed(0)} tokens), bodies ` +
        `${(100 * average(sent.map(({ realTokens, report }) => realTokens / report.budget.inputBudgetTokens))).toFixed(1)} % of theirs (o200k).`,
    );
    expect(fill).toBeGreaterThanOrEqual(0.7);
  });
});
