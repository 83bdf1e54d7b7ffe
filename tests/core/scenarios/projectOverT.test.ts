/**
 * A project far larger than T, with everything else that a request can hold: each layer gives way as its rule says.
 * Rules: docs/budget.md 3.
 */
import { anArtifact, aPlan } from "../../fixtures";
import { startFaultServer, type FaultServer } from "../../support/faultServer";
import type { Scenario } from "./scenarios";
import { createRandom } from "./random";
import { countO200k, inSlices, realRequestTokens } from "./realTokens";
import { captured, settingOf, type Captured } from "./requests";
import { createWriter } from "./writing";

const T = 128_000;
const [PROJECT_TOKENS, EARLIER_TOKENS, HISTORY_TOKENS, QUESTION_TOKENS] = [500_000, 20_000, 200_000, 2000];
const [NOTES, NOTE_CHARS] = [10, 20_000];
const TURNS = 100;

const writer = createWriter(createRandom(21), { kinds: ["english", "german", "code", "json"], freshChars: 200_000 });
const count = inSlices(countO200k, "after-break");

/** Project context 500k tokens, earlier context 20k, ten notes of 20,000 characters, history 200k, question 2k. */
function theScenario(): Scenario {
  const part = (index: number, tokens: number) => `## Part ${index}\n\n${writer.text(tokens)}`;
  const turn = (index: number) => [
    { role: "user", content: `[q${index}] ${writer.text(200)}` },
    { role: "assistant", content: `[a${index}] ${writer.text(HISTORY_TOKENS / TURNS - 200)}` },
  ];
  return {
    name: "project over T",
    thresholdTokens: T,
    settings: { autoCompactThreshold: T },
    plan: aPlan({
      systemPrompt: writer.text(200),
      projectContext: Array.from({ length: 25 }, (_, index) =>
        anArtifact(`Project/${index}.md`, part(index, PROJECT_TOKENS / 25), { kind: "project_source" }),
      ),
      earlierContext: Array.from({ length: 20 }, (_, index) =>
        anArtifact(`Earlier/${index}.md`, writer.text(EARLIER_TOKENS / 20), {
          kind: "prior_context",
          originKind: "note",
        }),
      ),
      turnContext: Array.from({ length: NOTES }, (_, index) =>
        anArtifact(`Notes/${index}.md`, part(index, 8000).slice(0, NOTE_CHARS)),
      ),
      user: { text: `${writer.text(QUESTION_TOKENS)} That is the question.`, images: [] },
    }),
    history: {
      messages: Array.from({ length: TURNS }, (_, index) => turn(index)).flat(),
      newestMarkers: [`[q${TURNS - 1}]`, `[a${TURNS - 1}]`],
      turnCount: TURNS,
    },
  };
}

let server: FaultServer;
let scenario: Scenario;
let sent: Captured;

beforeAll(async () => {
  jest.spyOn(console, "warn").mockImplementation(() => undefined);
  server = await startFaultServer();
  scenario = theScenario();
  sent = await captured(scenario, settingOf(scenario, "gpt-4o", server.baseUrl), server);
  jest.restoreAllMocks();
}, 60_000);

afterAll(() => server.close());

describe("a project of 500k tokens, 20k of earlier context, 50k of notes, 200k of history and a question of 2k under T = 128k", () => {
  const layer = (id: string) => sent.report?.layers.find((one) => one.id === id)?.tokens ?? 0;
  const statesOf = (segments: readonly { readonly state: string }[]) =>
    [...new Set(segments.map(({ state }) => state))]
      .map((state) => `${segments.filter((one) => one.state === state).length} ${state}`)
      .join(", ");
  const texts = () => (sent.messages ?? []).map(({ content }) => (typeof content === "string" ? content : ""));

  it("is as large as it says, by the real tokenizer", () => {
    const realTokens = (list: readonly { readonly content: string }[]) =>
      list.reduce((sum, { content }) => sum + count(content), 0);
    const { plan, history } = scenario;
    expect(realTokens(plan.projectContext) / PROJECT_TOKENS).toBeGreaterThan(0.85);
    expect(realTokens(plan.earlierContext) / EARLIER_TOKENS).toBeGreaterThan(0.85);
    expect(plan.turnContext.map(({ content }) => content.length)).toEqual(Array(NOTES).fill(NOTE_CHARS));
    expect(realTokens(history.messages as { content: string }[]) / HISTORY_TOKENS).toBeGreaterThan(0.85);
    expect(count(plan.user.text) / QUESTION_TOKENS).toBeGreaterThan(0.85);
  });

  it("is sent, once, and fits by the real tokenizer", () => {
    const real = realRequestTokens(sent.messages ?? [], [], { count, family: "openai" });
    expect(sent.failure).toBeUndefined();
    expect(server.requests).toHaveLength(1);
    expect(real).toBeGreaterThan(0.6 * T);
    expect(real).toBeLessThanOrEqual(T - 4096);
    expect(sent.report?.warnings).toEqual([]);
  });

  it("gives the project at most half, earlier context an eighth, and lets the oldest turns go", () => {
    expect(layer("L1_SYSTEM")).toBeLessThanOrEqual((T - 4096) / 2 + 500);
    expect(layer("L1_SYSTEM")).toBeGreaterThan(0.4 * T);
    const previous = sent.report?.layers.find(({ id }) => id === "L2_PREVIOUS");
    expect(layer("L2_PREVIOUS")).toBeLessThanOrEqual((T - 4096) / 8);
    expect(previous?.segments.some(({ state }) => state === "left-out")).toBe(true);
    expect(sent.report?.history.droppedTurns).toBeGreaterThan(0);
    console.log(
      (sent.report?.layers ?? [])
        .map(({ id, tokens, segments }) => `${id} ${tokens} (${statesOf(segments)})`)
        .concat(`history ${sent.report?.history.keptTokens} of ${sent.report?.history.budgetTokens}`)
        .join(", "),
    );
  });

  it("shows every source of the project, shortened, and says so of each", () => {
    const project = sent.report?.layers.find(({ id }) => id === "L1_SYSTEM")?.segments ?? [];
    const sources = project.filter(({ id }) => id.startsWith("Project/"));
    expect(sources.map(({ state }) => state)).toEqual(Array(25).fill("shortened"));
    expect(texts()[0]?.match(/shortened from \d+k tokens/g)).toHaveLength(25);
  });

  it("keeps the newest turn and ends with what was typed", () => {
    for (const marker of scenario.history.newestMarkers) expect(texts().join("\n")).toContain(marker);
    expect(texts()[texts().length - 1]?.endsWith(scenario.plan.user.text)).toBe(true);
  });
});
