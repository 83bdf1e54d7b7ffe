/**
 * A chat that grows turn by turn until it is several times what its budget holds, and what of each request repeats the
 * beginning of the one before: that is what providers bill at a tenth.
 * Owns: the attachments of each turn, and measuring. What earlier turns left behind is planned here, since
 * ContextManager does not carry anything forward yet; what is lasting, by the rule of core/contextCarryForward.
 */
import { createMeterFactory } from "../../../src/budget/memoMeter";
import { compactForCarryForward } from "../../../src/context/L2ContextCompactor";
import type { ContextArtifact, ProcessedMessage, TurnPlan } from "../../../src/context/PromptContextTypes";
import { placeAttachments, type AttachedBefore } from "../../../src/core/contextCarryForward";
import { assembleRequest } from "../../../src/LLMProviders/chainRunner/utils/assembleRequest";
import { createHistoryCache } from "../../../src/LLMProviders/chainRunner/utils/chatHistoryUtils";
import { plainMemory, type RememberedMessage } from "../../../src/LLMProviders/memoryManager";
import { budgetReportOf, modelSpecOf } from "../../../src/LLMProviders/modelSpec";
import { resolveSettings } from "../../../src/settings/settingsTable";
import { anArtifact, aPlan } from "../../fixtures";
import { createRandom } from "./random";
import { createWriter, type Writer } from "./writing";

export const ATTACHING = [
  "nothing",
  "one lasting note",
  "a new note every fifth turn",
  "a new note every turn",
] as const;
export type Attaching = (typeof ATTACHING)[number];
export type Cut = "minimal" | "cache-stable";

export interface GrowingChat {
  readonly thresholdTokens: number;
  /** How many times T the whole conversation is. */
  readonly times: number;
  readonly attaching: Attaching;
  readonly cut: Cut;
  readonly seed: number;
}

export interface PrefixShare {
  /** Of all request bytes but the first request's: how many repeat the beginning of the request before. */
  readonly share: number;
  /** Of the budget, over the requests whose history was cut. */
  readonly fill: number;
  readonly requests: number;
}

const SYSTEM_PROMPT_TOKENS = 300;
const TURN_TOKENS = [500, 3000] as const;
const NOTE_TOKENS = [500, 3000] as const;

export async function prefixShareOf(chat: GrowingChat): Promise<PrefixShare> {
  const spec = modelSpecOf(resolveSettings({ model: "gpt-4o", autoCompactThreshold: chat.thresholdTokens }));
  const budget = budgetReportOf(spec);
  const meter = createMeterFactory().meter({ family: spec.family, calibration: 1 });
  const cache = createHistoryCache();
  const random = createRandom(chat.seed);
  const writer = createWriter(random, { kinds: ["english", "german", "code"], freshChars: 100_000 });
  const attachments = attachmentsOf(chat.attaching, writer, () => random.int(...NOTE_TOKENS));
  const systemPrompt = writer.text(SYSTEM_PROMPT_TOKENS);

  const history: RememberedMessage[] = [];
  const earlier: (readonly ContextArtifact[])[] = [];
  const fills: number[] = [];
  let [previous, repeatedBytes, sentBytes]: [readonly ProcessedMessage[], number, number] = [[], 0, 0];
  for (let turn = 0, tokens = 0; tokens < chat.thresholdTokens * chat.times; turn++) {
    const turnTokens = random.int(...TURN_TOKENS);
    const question = `${writer.text(turnTokens * 0.15)} (${turn})`;
    const attached = attachments(turn);
    const plan = { ...planOf(attached, earlier), systemPrompt, user: { text: question, images: [] } };
    const report = chat.cut === "minimal" ? { ...budget, inputBudgetTokens: 0 } : budget;
    const request = { plan, memory: plainMemory([...history]), meter, cache, budget: report };
    const made = await assembleRequest(request, budget.inputBudgetTokens);

    if (turn > 0) repeatedBytes += bytesOf(repeated(previous, made.messages));
    if (turn > 0) sentBytes += bytesOf(made.messages);
    if (made.report.history.droppedTurns > 0) fills.push(made.upperTokens / budget.inputBudgetTokens);
    previous = made.messages;
    earlier.push(attached);
    history.push({ id: `q${turn}`, role: "user", content: question });
    history.push({ id: `a${turn}`, role: "assistant", content: writer.text(turnTokens * 0.85) });
    tokens += turnTokens;
  }
  return {
    share: repeatedBytes / sentBytes,
    fill: fills.reduce((sum, fill) => sum + fill, 0) / fills.length,
    requests: earlier.length,
  };
}

function attachmentsOf(attaching: Attaching, writer: Writer, tokens: () => number) {
  const noteOf = (name: string) => anArtifact(`Notes/${name}.md`, `# ${name}\n\n${writer.text(tokens())}`);
  const lasting = noteOf("Lasting");
  return (turn: number): readonly ContextArtifact[] => {
    switch (attaching) {
      case "nothing":
        return [];
      case "one lasting note":
        return [lasting];
      case "a new note every fifth turn":
        return turn % 5 === 0 ? [noteOf(`Note ${turn}`)] : [];
      case "a new note every turn":
        return [noteOf(`Note ${turn}`)];
    }
  };
}

/** L2 and L3 as docs/budget.md 3.2 places them: lasting, carried forward from earlier turns, or of this turn. */
function planOf(attached: readonly ContextArtifact[], earlier: readonly (readonly ContextArtifact[])[]): TurnPlan {
  const before = earlier.map((artifacts) => artifacts.map(({ id, hash }): AttachedBefore => ({ id, hash })));
  const { library, turn } = placeAttachments(attached, before);
  const now = new Set(attached.map(({ id }) => id));
  const left = new Map<string, ContextArtifact>();
  for (const artifact of earlier.flat()) {
    left.delete(artifact.id);
    if (!now.has(artifact.id)) left.set(artifact.id, artifact);
  }
  return aPlan({ library, turnContext: turn, earlierContext: [...left.values()].map(carried) });
}

/** Compacted once: an artifact keeps its object, and with it its price. */
const carriedForms = new WeakMap<ContextArtifact, ContextArtifact>();

function carried(artifact: ContextArtifact): ContextArtifact {
  const form = carriedForms.get(artifact) ?? compactForCarryForward(artifact);
  carriedForms.set(artifact, form);
  return form;
}

/** The messages at the beginning that are those of the request before, each as it is serialised. */
function repeated(before: readonly ProcessedMessage[], now: readonly ProcessedMessage[]): readonly ProcessedMessage[] {
  const firstNew = now.findIndex((message, index) => !isSame(message, before[index]));
  return firstNew < 0 ? now : now.slice(0, firstNew);
}

function isSame(message: ProcessedMessage, before: ProcessedMessage | undefined): boolean {
  return message === before || (before !== undefined && serialised(message) === serialised(before));
}

function bytesOf(messages: readonly ProcessedMessage[]): number {
  return messages.reduce((sum, message) => sum + Buffer.byteLength(serialised(message)), 0);
}

const serialisedForms = new WeakMap<ProcessedMessage, string>();

function serialised(message: ProcessedMessage): string {
  const form = serialisedForms.get(message) ?? JSON.stringify(message);
  serialisedForms.set(message, form);
  return form;
}
