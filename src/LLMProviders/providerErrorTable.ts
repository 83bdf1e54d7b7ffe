/**
 * How providers word what matters to the budget.
 * Owns: the wordings, and where in them the figures stand. Does not own: which of them may be believed for which status
 * (providerErrors.ts). A new wording is one line here and one in the table test.
 * Texts come without URLs. Groups: `limit`, `requested`; `more` is added to requested, `less` is taken from limit.
 */

export interface Wording {
  /** Who says it, for the reader of this table; nobody is asked for their name when an error is read. */
  readonly from: string;
  readonly pattern: RegExp;
}

/** A figure, with any of the thousands separators in use. */
const N = String.raw`(?:\d{1,3}(?:[,._'\u00A0\u202F ]\d{3})+(?!\d)|\d+)`;
const LIMIT = `(?<limit>${N})`;
const REQUESTED = `(?<requested>${N})`;
const MORE = `(?<more>${N})`;
const LESS = `(?<less>${N})`;

/** "Limit A, Requested B": the pace of the account, never the window of the model, whatever the status (Groq, OpenAI). */
export const RATE_FIGURES = wording(
  "Groq, OpenAI",
  `\\blimit:? ${LIMIT}\\b.{0,60}?\\brequested:? ${REQUESTED}`,
).pattern;

/** The prompt is too long. The first that matches counts, so the ones with more figures stand first. */
export const OVERFLOW_WORDINGS: readonly Wording[] = [
  wording("vLLM", `maximum context length is ${LIMIT} tokens.*?prompt contains at least ${REQUESTED} input tokens`),
  wording("OpenAI, Azure", `maximum context length is ${LIMIT} tokens.*?resulted in ${REQUESTED} tokens`),
  wording(
    "OpenAI, DeepSeek, OpenRouter",
    `maximum context length is ${LIMIT} tokens.*?requested (?:about )?${REQUESTED} tokens`,
  ),
  wording("OpenAI and compatible", `maximum context length (?:is|of) ${LIMIT}`),
  wording("OpenAI", `tokens exceed the configured limit of ${LIMIT} tokens.*?resulted in ${REQUESTED} tokens`),
  wording("OpenAI", `tokens exceed the configured limit of ${LIMIT} tokens`),
  wording("OpenAI", "exceeds the context window"),
  wording("Anthropic", `prompt is too long: ${REQUESTED} tokens > ${LIMIT}`),
  wording("Anthropic", `input length and .?max_tokens.? exceed context limit: ${REQUESTED} \\+ ${MORE} > ${LIMIT}`),
  wording("Anthropic", "prompt is too long"),
  wording("Gemini", `input token count \\(${REQUESTED}\\) exceeds the maximum number of tokens allowed \\(${LIMIT}\\)`),
  wording("Gemini", `input token count exceeds the maximum number of tokens allowed \\(${LIMIT}\\)`),
  wording("Mistral", `prompt contains ${REQUESTED} tokens.*?too large for model with ${LIMIT} maximum context length`),
  wording("xAI", `maximum prompt length is ${LIMIT} but the request contains ${REQUESTED} tokens`),
  wording("Bedrock", "input is too long for requested model"),
  wording("Bedrock", "number of input tokens exceeds maximum length"),
  wording("GitHub Copilot", `prompt token count of ${REQUESTED} exceeds the limit of ${LIMIT}`),
  wording("Cohere", `number of tokens in the prompt cannot exceed ${LIMIT} - received ${REQUESTED}`),
  wording("Cohere", `number of tokens in the prompt cannot exceed ${LIMIT}`),
  wording("LM Studio", "number of tokens to keep from the initial prompt is greater than the context length"),
  wording("llama.cpp", `request \\(${REQUESTED} tokens\\) exceeds the available context size \\(${LIMIT} tokens\\)`),
  wording("llama.cpp", "exceeds the available context size"),
  wording("llama-cpp-python", `requested tokens \\(${REQUESTED}\\) exceed context window of ${LIMIT}`),
  wording("Ollama", "input length exceeds the context length"),
  wording("Groq", "reduce the length of the messages"),
];

/** Codes that say the same without a wording, in lower case. */
export const OVERFLOW_CODES: readonly string[] = [
  "context_length_exceeded",
  "model_max_prompt_tokens_exceeded",
  "exceed_context_size_error",
  "request_too_large",
];

/** The answer that was asked for is too long. Looked for before the prompt: some of them name the window as well. */
export const OUTPUT_CAP_WORDINGS: readonly Wording[] = [
  // vLLM says what is left of the window once the prompt is in it: (asked > window - prompt).
  wording("vLLM", `max_(?:completion_)?tokens.? is too large.*?\\(${N} > ${LIMIT} - ${LESS}\\)`),
  wording("OpenAI", `max_(?:completion_)?tokens is too large.*?at most ${LIMIT}`),
  wording("Anthropic", `max_tokens: ${N} > ${LIMIT},? which is the maximum allowed number of output tokens`),
  wording("Groq, OpenRouter", `max_(?:completion_|output_)?tokens.? must be less than or equal to .?${LIMIT}`),
  wording("Cohere", `max tokens must be less than or equal to ${LIMIT}`),
  wording("DeepSeek", `max_tokens.*?valid range.*?\\[\\d+, ?${LIMIT}\\]`),
  wording("Gemini", `max_?output_?tokens.*?(?:from|between) \\d+ (?:\\(inclusive\\) )?(?:to|and) ${LIMIT}`),
  wording("any", "max_?(?:completion_|output_?)?tokens.? (?:must be|is too large|should be|exceeds)"),
];

/** The pace, where the status does not say so. */
export const RATE_WORDING =
  /rate.?limit|too many requests|throttl|tokens per (minute|day)|requests per (minute|day)|please wait before/i;

/** Money: waiting does not help, and neither does a shorter prompt. */
export const QUOTA_WORDING =
  /insufficient.?quota|exceeded your current quota|billing|credit balance|insufficient (balance|credits)|out of credits|payment required/i;

/** A key error under a status that does not say so. */
export const KEY_WORDING =
  /api.?key (is )?(not valid|invalid|missing|expired|not found)|(invalid|incorrect|missing|expired) api.?key|api_key_invalid|invalid_api_key|unauthenticated/i;

function wording(from: string, pattern: string): Wording {
  return { from, pattern: new RegExp(pattern, "i") };
}
