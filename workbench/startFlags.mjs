// @ts-check
/** The flags of `npm start`: reading them, refusing them, telling of them. Pure; starts nothing. */
import { parseArgs } from "node:util";
import { messageOf } from "./server/http.mjs";

/** A port of its own keeps the browser's memory (theme, widths, secrets) from one start to the next. */
export const USUAL_PORT = 8747;
export const USUAL_WINDOW_TOKENS = 32_768;
const MIN_WINDOW_TOKENS = 256;

export const HELP = `Opens the plugin in a browser page over a folder of notes, with a model server on this machine.

Usage: npm start -- [flags]

  --vault <folder>     the notes to open; a copy of them, unless --in-place (default: the sample vault)
  --in-place           with --vault: work on the folder itself, not on a copy
  --model-url <url>    an OpenAI-compatible server, up to /v1 (default: a stand-in that quotes your notes)
  --model <name>       the model to ask for there
  --window <tokens>    the model's context window (default: ${USUAL_WINDOW_TOKENS})
  --port <number>      where the page is served (default: ${USUAL_PORT} if it is free; 0 takes any)
  --no-open            print the address only
  --help               this text

Ends with Ctrl+C. Nothing is sent anywhere but to the model server.`;

/** A flag that makes no sense, or a folder that is not there: said plainly, exit code 2. */
export class UsageError extends Error {}

/**
 * @typedef {object} Flags
 * @property {string | undefined} vault
 * @property {boolean} inPlace
 * @property {string | undefined} modelUrl
 * @property {string | undefined} model
 * @property {number | undefined} windowTokens
 * @property {number | undefined} port
 * @property {boolean} open
 * @property {boolean} help
 */

/**
 * @param {readonly string[]} args
 * @returns {Flags}
 */
export function readFlags(args) {
  const { values } = parsed(args);
  const flags = {
    vault: values.vault,
    inPlace: values["in-place"] === true,
    modelUrl: values["model-url"],
    model: values.model,
    windowTokens: wholeNumber("--window", values.window, MIN_WINDOW_TOKENS, 10_000_000),
    port: wholeNumber("--port", values.port, 0, 65_535),
    open: values["no-open"] !== true,
    help: values.help === true,
  };
  if (flags.inPlace && flags.vault === undefined)
    throw new UsageError("--in-place needs --vault <folder>: the sample vault is always copied");
  if (flags.model !== undefined && flags.modelUrl === undefined)
    throw new UsageError("--model needs --model-url <url>: the stand-in has one model");
  if (flags.modelUrl !== undefined && !/^https?:\/\/[^/]/.test(flags.modelUrl)) {
    throw new UsageError(`--model-url ${flags.modelUrl} is no address: it begins with http:// or https://`);
  }
  return flags;
}

/** @param {readonly string[]} args */
function parsed(args) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        vault: { type: "string" },
        "in-place": { type: "boolean" },
        "model-url": { type: "string" },
        model: { type: "string" },
        window: { type: "string" },
        port: { type: "string" },
        "no-open": { type: "boolean" },
        help: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new UsageError(messageOf(error).split(". To specify")[0]);
  }
}

/**
 * @param {string} flag
 * @param {string | undefined} text
 * @param {number} min
 * @param {number} max
 */
function wholeNumber(flag, text, min, max) {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new UsageError(`${flag} ${text} is no whole number from ${min} to ${max}`);
}
