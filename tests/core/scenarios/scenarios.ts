/**
 * Generated conversations: a turn's plan, the history before it, and the settings they meet.
 * Owns: the recipes and what is made of each; the same for the same seed. Markers in the texts ("[q12]", "[a12]",
 * "[ask]") tell afterwards which turns a request holds.
 * Does not own: history messages (histories.ts), texts (writing.ts), requests (requests.ts).
 */
import type { ContextArtifact, ToolSchema, TurnPlan } from "../../../src/context/PromptContextTypes";
import { anArtifact, aPlan } from "../../fixtures";
import { historyOf, type History, type HistoryRecipe } from "./histories";
import { pictureOf } from "./pictures";
import { createRandom, type Random } from "./random";
import { createWriter, WRITING_KINDS, type Writer, type WritingKind } from "./writing";

/** What a conversation is made of. Shares are of T. */
export interface Recipe {
  readonly name: string;
  /** Smallest and largest T, in tokens; drawn evenly over the orders of magnitude. */
  readonly threshold: readonly [number, number];
  readonly history: HistoryRecipe;
  readonly systemPromptShare?: number;
  readonly projectShare?: number;
  readonly projectSources?: number;
  /** Notes, selections, pastes and pictures of this turn. */
  readonly attachedShare?: number;
  readonly attachments?: number;
  readonly libraryShare?: number;
  readonly earlierPieces?: number;
  readonly questionShare?: number;
  readonly questionPictures?: number;
  readonly tools?: number;
  /** C as the user knows it, as a share of T. */
  readonly windowShare?: number;
  /** One attachment of this many characters. */
  readonly giantChars?: number;
  /** Made anew before text comes around again. */
  readonly freshChars?: number;
}

export interface Scenario {
  readonly name: string;
  readonly thresholdTokens: number;
  /** Stored settings beside address and model. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly plan: TurnPlan;
  readonly history: History;
}

export const ASK_MARKER = "[ask]";
const MIN_QUESTION_TOKENS = 12;
const FRESH_CHARS = 25_000;

export function scenarioOf(recipe: Recipe, seed: number): Scenario {
  const random = createRandom(seed);
  const thresholdTokens = random.logInt(...recipe.threshold);
  const kinds = kindsOf(random, seed);
  const writer = createWriter(random, { kinds, freshChars: recipe.freshChars ?? FRESH_CHARS });
  return {
    name: `${recipe.name} #${seed}, T = ${thresholdTokens}, ${kinds.join(" + ")}`,
    thresholdTokens,
    settings: { autoCompactThreshold: thresholdTokens, ...windowSettings(recipe, thresholdTokens) },
    plan: planOf(recipe, { random, writer, thresholdTokens }),
    history: historyOf(recipe.history, { random, writer, thresholdTokens }),
  };
}

/** Each kind alone in its turn, then mixtures of up to six. */
function kindsOf(random: Random, seed: number): readonly WritingKind[] {
  const alone = WRITING_KINDS[seed % (2 * WRITING_KINDS.length)];
  if (alone !== undefined) return [alone];
  const mixed = Array.from({ length: random.int(2, 6) }, () => random.pick(WRITING_KINDS));
  return [...new Set(mixed)];
}

function windowSettings({ windowShare }: Recipe, thresholdTokens: number): Record<string, unknown> {
  if (windowShare === undefined) return {};
  const contextWindowTokens = Math.max(4096, Math.floor(thresholdTokens * windowShare));
  return { contextWindowTokens, maxOutputTokens: 4096 };
}

interface Making {
  readonly random: Random;
  readonly writer: Writer;
  readonly thresholdTokens: number;
}

function planOf(recipe: Recipe, making: Making): TurnPlan {
  const { random, writer, thresholdTokens } = making;
  const share = (of: number | undefined) => Math.floor(thresholdTokens * (of ?? 0));
  const giant = recipe.giantChars === undefined ? [] : [giantNote(recipe.giantChars, writer)];
  const questionTokens = Math.max(MIN_QUESTION_TOKENS, share(recipe.questionShare));
  return aPlan({
    systemPrompt: writer.text(share(recipe.systemPromptShare)),
    projectContext: split(share(recipe.projectShare), recipe.projectSources ?? 0, random).map((tokens, index) =>
      anArtifact(`Project/Source ${index}.md`, noteText(tokens, making), { kind: "project_source" }),
    ),
    library: split(share(recipe.libraryShare), 2, random).map((tokens, index) =>
      anArtifact(`Library/Book ${index}.md`, noteText(tokens, making), { place: "library" }),
    ),
    earlierContext: Array.from({ length: recipe.earlierPieces ?? 0 }, (_, index) =>
      anArtifact(`Earlier/Note ${index}.md`, writer.text(random.int(20, 400)), {
        kind: "prior_context",
        originKind: "note",
      }),
    ),
    turnContext: [
      ...giant,
      ...split(share(recipe.attachedShare), recipe.attachments ?? 0, random).map((tokens, index) =>
        attachmentOf(index, tokens, making),
      ),
    ],
    user: {
      text: `${ASK_MARKER} ${writer.text(questionTokens)}\n  `,
      images: Array.from({ length: recipe.questionPictures ?? 0 }, (_, index) =>
        pictureOf(random, `shot ${index}.png`),
      ),
    },
    tools: Array.from({ length: recipe.tools ?? 0 }, (_, index) => toolOf(index, writer)),
  });
}

/** `total` in `count` uneven parts. */
function split(total: number, count: number, random: Random): readonly number[] {
  if (total === 0) return [];
  const weights = Array.from({ length: count }, () => 0.1 + random.next() ** 3);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => Math.max(1, Math.floor((total * weight) / whole)));
}

function noteText(tokens: number, { random, writer }: Making): string {
  const sections = random.int(1, 5);
  const section = (index: number) => `## Part ${index + 1}\n\n${writer.text(Math.ceil(tokens / sections))}`;
  return Array.from({ length: sections }, (_, index) => section(index)).join("\n\n");
}

function attachmentOf(index: number, tokens: number, making: Making): ContextArtifact {
  const { random, writer } = making;
  switch (random.int(0, 5)) {
    case 0:
      return anArtifact(`selection:${index}`, writer.text(tokens), {
        kind: "selection",
        source: `selection in Plan ${index}.md`,
        recoverable: false,
      });
    case 1:
      return anArtifact(`Pictures/plan ${index}.png`, "", { kind: "image", image: pictureOf(random, `p${index}`) });
    default:
      return anArtifact(`Notes/Plan ${index}.md`, noteText(tokens, making));
  }
}

function giantNote(chars: number, writer: Writer): ContextArtifact {
  const block = `# Chapter\n\n${writer.text(20_000)}\n\n`;
  const content = block.repeat(Math.ceil(chars / block.length)).slice(0, chars);
  return anArtifact("Archive/Everything.md", content);
}

function toolOf(index: number, writer: Writer): ToolSchema {
  const name = `look_up_${index}`;
  const parameters = {
    type: "object",
    properties: {
      query: { type: "string", description: writer.text(30) },
      limit: { type: "integer", minimum: 1, maximum: 50, description: "How many to return." },
      sort: { enum: ["newest", "oldest", "best"] },
    },
    required: ["query"],
  };
  return { name, schemaJson: JSON.stringify({ name, description: writer.text(40), parameters }) };
}
