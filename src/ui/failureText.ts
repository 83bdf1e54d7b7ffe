/**
 * The one place where failures, refusals and warnings become words.
 * Owns: what happened, with its numbers, what to do about it, and which setting that is.
 * Does not own: when something is shown (FailureCard, MessageList, BudgetInspector).
 * An API key is mentioned only where the provider itself refused access.
 */
import type { FixedPart, ReportWarning } from "../context/requestReport";
import type { Incomplete } from "../core/chatTypes";
import type { ProviderFailure, TurnFailure } from "../LLMProviders/turnFailure";
import { assertNever } from "../utils/assertNever";
import { exactFigure, tokensInWords } from "./format";
import { SETTING_NAMES, type NamedSetting } from "./settings/settingNames";

export interface FailureWords {
  /** What happened, as one short line. */
  readonly title: string;
  /** What it means and what to do. */
  readonly text: string;
  /** The setting that helps, if one does. */
  readonly setting?: NamedSetting;
  /** The provider's or the system's own wording, for the details fold. */
  readonly detail?: string;
}

type BudgetFailure = Extract<TurnFailure, { source: "budget" }>;
type ProviderTurnFailure = Extract<TurnFailure, { source: "provider" }>;
type StreamFailure = Extract<TurnFailure, { source: "stream" }>;
type VaultFailure = Extract<TurnFailure, { source: "vault" }>;

export function failureWords(failure: TurnFailure): FailureWords {
  switch (failure.source) {
    case "budget":
      return budgetWords(failure);
    case "provider":
      return withDetail(providerWords(failure, failure.failure), failure.detail);
    case "stream":
      return withDetail(streamWords(failure), failure.detail);
    case "empty-answer":
      return {
        title: "The answer was empty",
        text: "The model finished without writing a word. Your question is back in the message box: send it again, or say it differently.",
      };
    case "not-configured":
      return failure.missing === "model"
        ? {
            title: "No model is chosen yet",
            text: `Enter a model name under “${SETTING_NAMES.model}” in the settings.`,
            setting: "model",
          }
        : {
            title: "No server address is set yet",
            text: `Enter the address of your model server under “${SETTING_NAMES.baseUrl}” in the settings.`,
            setting: "baseUrl",
          };
    case "vault":
      return withDetail(vaultWords(failure), failure.detail);
    case "internal":
      return {
        title: "Something went wrong inside the plugin",
        text: "This is a fault of the plugin, not of your setup. Your text is safe. Sending again may work; the details help whoever reports it.",
        detail: failure.detail,
      };
    default:
      return assertNever(failure);
  }
}

function budgetWords(failure: BudgetFailure): FailureWords {
  const { neededTokens, availableTokens, windowTokens, outputTokens, safetyTokens } = failure;
  switch (failure.code) {
    case "INVALID_POLICY":
      return {
        title: "A budget setting cannot be used",
        text: `“${SETTING_NAMES.requestBudgetSafetyTokens}” has to be a whole number from 0, and “${SETTING_NAMES.requestBudgetPressureRatio}” a number from 0.01 to 1. Nothing was sent.`,
        setting: "requestBudgetSafetyTokens",
      };
    case "INVALID_LIMITS":
      return {
        title: "The limits of the model do not add up",
        text: `“${SETTING_NAMES.contextWindowTokens}”, “${SETTING_NAMES.maxInputTokens}” and “${SETTING_NAMES.maxOutputTokens}” have to be whole numbers above 0, or empty where you do not know them. Nothing was sent.`,
        setting: "contextWindowTokens",
      };
    case "INVALID_OUTPUT_LIMIT":
      return {
        title: "The limit for the answer is not a usable number",
        text: `${known(outputTokens, (n) => `It is ${exactFigure(n)}. `)}“${SETTING_NAMES.maxOutputTokens}” has to be a whole number above 0. Nothing was sent.`,
        setting: "maxOutputTokens",
      };
    case "OUTPUT_LIMIT_EXCEEDED":
      return {
        title: "The answer may not be that long",
        text: `The request asked for ${known(outputTokens, (n) => `up to ${tokensInWords(n)} of answer`, "a longer answer")}, but the model writes at most ${known(availableTokens, tokensInWords, "less than that")}. Correct “${SETTING_NAMES.maxOutputTokens}”. Nothing was sent.`,
        setting: "maxOutputTokens",
      };
    case "NO_INPUT_HEADROOM":
      return {
        title: "The limits leave no room for a question",
        text: `${headroomWords(windowTokens, outputTokens, safetyTokens)} Lower “${SETTING_NAMES.maxOutputTokens}” or “${SETTING_NAMES.requestBudgetSafetyTokens}”, or correct “${SETTING_NAMES.contextWindowTokens}”. Nothing was sent.`,
        setting: "maxOutputTokens",
      };
    case "INVALID_ESTIMATE":
      return {
        title: "The size of this request could not be worked out",
        text: "Nothing was sent, and your text is back in the message box. This is a fault of the plugin; removing an attachment may get around it.",
      };
    case "INPUT_LIMIT_EXCEEDED":
      return {
        title: "Too long for the input limit of this model",
        text: `${sizeWords(neededTokens, availableTokens, "the model accepts")} Remove an attachment, shorten your message, or choose a model that accepts more. If the figure is wrong, correct “${SETTING_NAMES.maxInputTokens}”. Nothing was sent.`,
        setting: "maxInputTokens",
      };
    case "CONTEXT_LIMIT_EXCEEDED":
      return {
        title: "Too long for the context window of this model",
        text: `${sizeWords(neededTokens, availableTokens, "are left beside the answer")} Remove an attachment, shorten your message, or choose a model with a larger window. If the figure is wrong, correct “${SETTING_NAMES.contextWindowTokens}”. Nothing was sent.`,
        setting: "contextWindowTokens",
      };
    case "PRESSURE_EXCEEDED":
      return {
        title: "Too close to the limit of this model",
        text: `${sizeWords(neededTokens, availableTokens, "are allowed before the request counts as too full")} Remove an attachment, or raise “${SETTING_NAMES.requestBudgetPressureRatio}”. Nothing was sent.`,
        setting: "requestBudgetPressureRatio",
      };
    default:
      return assertNever(failure.code);
  }
}

function providerWords({ baseUrl, model }: ProviderTurnFailure, failure: ProviderFailure): FailureWords {
  switch (failure.kind) {
    case "overflow":
      return {
        title: "The server says the request is too long",
        text: `${serverSizeWords(failure.requestedTokens, failure.limitTokens, `“${model}” takes`)} It was already shortened once and still did not fit. Remove an attachment, or enter the true figure under “${SETTING_NAMES.contextWindowTokens}” so that the next request is made to fit.`,
        setting: "contextWindowTokens",
      };
    case "over-rate-limit":
      return {
        title: "One request is over your limit per minute",
        text: `${serverSizeWords(failure.requestedTokens, failure.limitTokens, "your account may send a minute")} Waiting does not help. Lower “${SETTING_NAMES.autoCompactThreshold}” below that limit, or raise the limit with the provider.`,
        setting: "autoCompactThreshold",
      };
    case "rate-limit":
      return {
        title: "Too many requests for now (429)",
        text: `The server asks for a pause. ${known(failure.retryAfterMs, (ms) => `Send again in ${durationWords(ms)}.`, "Send again in a minute.")}`,
      };
    case "auth":
      return {
        title: `The server refused access${known(failure.status, (status) => ` (${status})`)}`,
        text:
          failure.status === 403
            ? `The key was understood but may not use “${model}”. Choose another model, or give the key the rights it needs with the provider. The key is chosen under “${SETTING_NAMES.apiKeySecret}”.`
            : `The API key is missing, wrong or expired for ${baseUrl}. Choose the right one under “${SETTING_NAMES.apiKeySecret}”.`,
        setting: "apiKeySecret",
      };
    case "not-found":
      return {
        title: `The server does not know this model or address${known(failure.status, (status) => ` (${status})`)}`,
        text: `Asked for “${model}” at ${baseUrl}. Check the spelling under “${SETTING_NAMES.model}”, and that “${SETTING_NAMES.baseUrl}” ends where the provider says, often in /v1.`,
        setting: "model",
      };
    case "network":
      return {
        title: "The server could not be reached",
        text: `Nothing answered at ${baseUrl}. If it runs on this computer, start it. Otherwise check your connection, and the address under “${SETTING_NAMES.baseUrl}”.`,
        setting: "baseUrl",
      };
    case "output-cap":
      return {
        title: "The server allows no answer that long",
        text: `${known(failure.limitTokens, (n) => `It writes at most ${tokensInWords(n)}. `)}Enter that figure, or a smaller one, under “${SETTING_NAMES.maxOutputTokens}”.`,
        setting: "maxOutputTokens",
      };
    case "server":
      return {
        title: `The server has a problem (${failure.status})`,
        text: `${baseUrl} failed while working on the request. This is on its side; send again in a moment.`,
      };
    case "other":
      return {
        title: `The server turned the request down${known(failure.status, (status) => ` (${status})`)}`,
        text: `${baseUrl} gave a reason that is not one of the usual ones. It is in the details.`,
      };
    default:
      return assertNever(failure);
  }
}

function streamWords({ reason }: StreamFailure): FailureWords {
  switch (reason) {
    case "cut":
      return {
        title: "The connection broke during the answer",
        text: "The server stopped sending before the answer was finished. Send again, or regenerate the answer.",
      };
    case "malformed":
      return {
        title: "The server sent something unreadable",
        text: `What arrived is not the format of an OpenAI-compatible server. Check that “${SETTING_NAMES.baseUrl}” points to its API and not to a web page.`,
        setting: "baseUrl",
      };
    case "idle-timeout":
      return {
        title: "The server went silent",
        text: `No word arrived for longer than “${SETTING_NAMES.idleTimeoutSeconds}” allows. A large model may need longer to begin: raise that time, or send again.`,
        setting: "idleTimeoutSeconds",
      };
    case "provider-error":
      return {
        title: "The server reported an error during the answer",
        text: "It had already begun to answer and then gave up. Its reason is in the details; sending again may work.",
      };
    default:
      return assertNever(reason);
  }
}

function vaultWords({ reason, path }: VaultFailure): FailureWords {
  switch (reason) {
    case "write":
      return {
        title: "The chat could not be saved",
        text: `“${path}” could not be written, so it holds what it held before. The conversation is still here; it is saved again after the next answer. The place is set under “${SETTING_NAMES.chatFolder}”.`,
        setting: "chatFolder",
      };
    case "disk-full":
      return {
        title: "The disk is full",
        text: `“${path}” was not saved and holds what it held before. Free some space; the chat is saved again after the next answer.`,
      };
    case "changed-outside":
      return {
        title: "The chat note was changed elsewhere",
        text: `“${path}” is different from what was last saved here, so it was left alone. Open the chat again from the history to continue from the changed note.`,
      };
    default:
      return assertNever(reason);
  }
}

/** Why an answer is not whole, as one line below it. What had arrived is always kept. */
export function incompleteWords(incomplete: Incomplete): string {
  switch (incomplete.reason) {
    case "stopped":
      return "You stopped this answer.";
    case "output-limit":
      return `The answer reached its limit${known(incomplete.outputTokens, (n) => ` of ${tokensInWords(n)}`)}. Ask to continue, or raise “${SETTING_NAMES.maxOutputTokens}”.`;
    case "failed":
      return `This answer is not complete: ${lowerFirst(failureWords(incomplete.failure).title)}.`;
    case "interrupted":
      return "This answer was interrupted before it was saved whole.";
    default:
      return assertNever(incomplete);
  }
}

export function warningWords(warning: ReportWarning): string {
  switch (warning.code) {
    case "FIXED_PARTS_OVER_BUDGET":
      return `What cannot be shortened takes ${tokensInWords(warning.fixedTokens)}, and the budget is ${exactFigure(warning.budgetTokens)}. The largest part is ${FIXED_PART_NAMES[warning.part]} with ${exactFigure(warning.partTokens)}.`;
    case "OVER_PRESSURE":
      return `The request is at ${tokensInWords(warning.tokens)}, past the line of ${exactFigure(warning.pressureTokens)} from which the model is nearly full.`;
    case "IMAGE_LEFT_OUT":
      return `The image “${warning.name}” did not fit and is only named.`;
    case "SILENT_TRUNCATION":
      return `The server says it read ${tokensInWords(warning.reportedTokens)} of about ${exactFigure(warning.sentTokens)} that were sent: it cuts without saying so. Enter its true figure under “${SETTING_NAMES.contextWindowTokens}”.`;
    case "ATTACHMENT_MISSING":
      return `“${warning.title}” is no longer in the vault and was left out.`;
    case "ATTACHMENT_UNREADABLE":
      return `“${warning.title}” could not be read and was left out: ${warning.reason}`;
    default:
      return assertNever(warning);
  }
}

const FIXED_PART_NAMES: Readonly<Record<FixedPart, string>> = {
  system: "the system prompt",
  tools: "the descriptions of the tools",
  user: "your message",
  "newest-turn": "the newest exchange",
};

function withDetail(words: FailureWords, detail: string | undefined): FailureWords {
  return detail === undefined || detail.trim() === "" ? words : { ...words, detail };
}

function sizeWords(needed: number | undefined, available: number | undefined, rest: string): string {
  if (needed === undefined || available === undefined) return "The request is larger than the limit.";
  return `The request takes ${tokensInWords(needed)}, and ${exactFigure(available)} ${rest}.`;
}

function serverSizeWords(requested: number | undefined, limit: number | undefined, whoTakes: string): string {
  if (limit === undefined) return "It gave no figures.";
  const allowed = `${whoTakes} ${tokensInWords(limit)}`;
  return requested === undefined
    ? `${upperFirst(allowed)}.`
    : `The request has ${exactFigure(requested)}, and ${allowed}.`;
}

function headroomWords(window?: number, output?: number, safety?: number): string {
  if (window === undefined || output === undefined || safety === undefined) {
    return "The space kept for the answer and the safety margin fill the whole context window.";
  }
  return `The context window has ${tokensInWords(window)}; ${exactFigure(output)} are kept for the answer and ${exactFigure(safety)} as a safety margin.`;
}

/** Whole seconds up to two minutes, then minutes; never "0 seconds". */
function durationWords(durationMs: number): string {
  const seconds = Math.max(1, Math.ceil(durationMs / 1000));
  if (seconds === 1) return "1 second";
  return seconds <= 120 ? `${exactFigure(seconds)} seconds` : `${exactFigure(Math.ceil(seconds / 60))} minutes`;
}

function known<T>(value: T | undefined, say: (value: T) => string, otherwise = ""): string {
  return value === undefined ? otherwise : say(value);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
