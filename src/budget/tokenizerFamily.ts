/**
 * Whose vocabulary counts the tokens of a model?
 * Owns: reading the family out of a model id, else out of the provider.
 * Does not own: the weights of a family (tokenizerWeights.ts). A wrong guess costs accuracy, never correctness:
 * calibration follows what the provider reports.
 */
import type { TokenizerFamily } from "./budgetTypes";

interface FamilyRule {
  readonly pattern: RegExp;
  readonly family: TokenizerFamily;
}

/**
 * First match wins, on the lower-cased id. "unknown" is a choice too: it names models whose vocabulary is none of the
 * fitted ones although their name says otherwise, and counts them at the most expensive one.
 */
const MODEL_RULES: readonly FamilyRule[] = [
  // A distilled model keeps the vocabulary of the model it was distilled into.
  { pattern: /distill.*llama|llama.*distill/, family: "llama" },
  { pattern: /distill.*qwen|qwen.*distill/, family: "qwen" },
  // Ollama's short names of the same: which base an 8b has depends on when it was pulled.
  { pattern: /deepseek-r1:(1\.5|7|8|14|32|70)b/, family: "unknown" },
  // Older vocabularies of 32,000 entries, 20 % and more above their successors.
  { pattern: /llama-?2|codellama|tinyllama|vicuna/, family: "unknown" },
  { pattern: /mixtral|mistral-?7b|mistral:(7b|latest|instruct|text)|^mistral$|mathstral/, family: "unknown" },
  // cl100k: as o200k in English, but a third above it in Chinese, Japanese and Korean.
  { pattern: /gpt-?3|gpt-4($|-(?!o))|gpt-4-?(32k|turbo)/, family: "unknown" },
  // Names that only begin like OpenAI's.
  { pattern: /gpt-?(2|j|neo)|gpt4all/, family: "unknown" },
  { pattern: /deepseek/, family: "deepseek" },
  { pattern: /claude/, family: "anthropic" },
  { pattern: /gemini|gemma/, family: "google" },
  { pattern: /llama/, family: "llama" },
  { pattern: /qwen|qwq|qvq/, family: "qwen" },
  { pattern: /(mi|mini|magi|dev|code)stral|pixtral|voxtral/, family: "mistral" },
  { pattern: /gpt|(^|[/:_. -])o[1-9]($|[-:@. ])|codex/, family: "openai" },
];

/** Only providers that serve one vocabulary; a gateway or a local server says nothing about the model. */
const PROVIDER_FAMILIES: ReadonlyMap<string, TokenizerFamily> = new Map([
  ["openai", "openai"],
  ["azure", "openai"],
  ["azureopenai", "openai"],
  ["anthropic", "anthropic"],
  ["google", "google"],
  ["googlegenai", "google"],
  ["gemini", "google"],
  ["meta", "llama"],
  ["qwen", "qwen"],
  ["alibaba", "qwen"],
  ["dashscope", "qwen"],
  ["deepseek", "deepseek"],
  ["mistral", "mistral"],
  ["mistralai", "mistral"],
]);

/**
 * @param modelId as the provider names it, with or without a maker's prefix ("openai/gpt-5", "qwen3:8b").
 * @param provider the connection's kind; spelling of case, spaces and hyphens does not matter.
 * @returns "unknown" where neither says: the most expensive reading.
 */
export function familyOf(modelId: string, provider?: string): TokenizerFamily {
  const id = modelId.toLowerCase();
  const rule = MODEL_RULES.find(({ pattern }) => pattern.test(id));
  if (rule !== undefined) return rule.family;
  const providerKey = (provider ?? "").toLowerCase().replace(/[^a-z]/g, "");
  return PROVIDER_FAMILIES.get(providerKey) ?? "unknown";
}
