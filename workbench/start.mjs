/**
 * `npm start`: opens the workbench for a person. Builds what is out of date, starts the servers on this machine,
 * prints one address and opens it. Owns: the flags and their refusals, where the notes come from, ending cleanly.
 */
import { spawn } from "node:child_process";
import { rm, stat } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { STAND_IN, startModelServer } from "./modelServer.mjs";
import { codeOf, messageOf } from "./server/http.mjs";
import { startPageServer } from "./server.mjs";
import {
  ensureHost,
  ensurePlugin,
  isThere,
  sampleVaultDir,
  settingsFile,
  temporaryVault,
  writeSettings,
} from "./session.mjs";

/** A port of its own keeps the browser's memory (theme, widths, secrets) from one start to the next. */
const USUAL_PORT = 8747;
const USUAL_WINDOW_TOKENS = 32_768;
/** About as fast as somebody reads. */
const STREAM_DELAY_MS = 18;
const MIN_WINDOW_TOKENS = 256;

const HELP = `Opens the plugin in a browser page over a folder of notes, with a model server on this machine.

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
class UsageError extends Error {}

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

/** @param {Flags} flags */
async function run(flags) {
  const source = flags.vault === undefined ? sampleVaultDir : path.resolve(flags.vault);
  await refuseMissingFolder(source, flags.vault ?? sampleVaultDir);
  console.log("Building the plugin and the page …");
  const [hostDir, pluginDir] = [await ensureHost(), await ensurePlugin()];
  const vaultDir = flags.inPlace ? source : await temporaryVault({ folder: source });
  const model =
    flags.modelUrl === undefined
      ? await startModelServer({ windowTokens: flags.windowTokens ?? USUAL_WINDOW_TOKENS, delayMs: STREAM_DELAY_MS })
      : undefined;
  const kept = await configure(flags, vaultDir, pluginDir, model);
  const server = await startOnPort(flags.port, {
    vaultDir,
    pluginDir,
    hostDir,
    vaultName: path.basename(source) === "sample-vault" ? "Sample vault" : path.basename(source),
  });
  tell(flags, source, vaultDir, model, server.url, kept);
  if (flags.open) openInBrowser(server.url);
  await untilInterrupted();
  await Promise.all([server.close(), model?.close()]);
  if (!flags.inPlace) await rm(vaultDir, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * @param {string} folder
 * @param {string} shown as it was typed
 */
async function refuseMissingFolder(folder, shown) {
  const info = await stat(folder).catch((error) => {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") throw new UsageError(`There is no folder ${shown}`);
    throw new UsageError(`${shown} cannot be read: ${messageOf(error)}`);
  });
  if (!info.isDirectory()) throw new UsageError(`${shown} is a file, not a folder`);
}

/**
 * The plugin's settings. A vault that is opened in place and has some keeps them, unless a server was named.
 * @param {Flags} flags
 * @param {string} vaultDir
 * @param {string} pluginDir
 * @param {import("./modelServer.mjs").ModelServer | undefined} model
 * @returns {Promise<boolean>} whether the vault's own settings were kept
 */
async function configure(flags, vaultDir, pluginDir, model) {
  const hasOwn = await isThere(await settingsFile(vaultDir, pluginDir));
  if (flags.inPlace && hasOwn && flags.modelUrl === undefined && flags.windowTokens === undefined) return true;
  if (model !== undefined) {
    await writeSettings(vaultDir, pluginDir, {
      baseUrl: model.url,
      model: STAND_IN,
      contextWindowTokens: flags.windowTokens ?? USUAL_WINDOW_TOKENS,
    });
    return false;
  }
  await writeSettings(vaultDir, pluginDir, {
    baseUrl: flags.modelUrl,
    ...(flags.model === undefined ? {} : { model: flags.model }),
    ...(flags.windowTokens === undefined ? {} : { contextWindowTokens: flags.windowTokens }),
  });
  return false;
}

/**
 * @param {number | undefined} port when it was asked for, nothing else will do
 * @param {Omit<Parameters<typeof startPageServer>[0], "port">} options
 */
async function startOnPort(port, options) {
  try {
    return await startPageServer({ ...options, port: port ?? USUAL_PORT });
  } catch (error) {
    if (codeOf(error) !== "EADDRINUSE") throw error;
    if (port !== undefined) throw new UsageError(`Port ${port} is taken by another program`);
    return startPageServer({ ...options, port: 0 });
  }
}

/**
 * @param {Flags} flags
 * @param {string} source
 * @param {string} vaultDir
 * @param {import("./modelServer.mjs").ModelServer | undefined} model
 * @param {string} url
 * @param {boolean} keptSettings
 */
function tell(flags, source, vaultDir, model, url, keptSettings) {
  const notes = flags.inPlace
    ? `${source} (in place: changes are real)`
    : `a copy of ${path.relative(process.cwd(), source) || source}, in ${vaultDir}`;
  console.log(`Notes:  ${notes}`);
  if (keptSettings) console.log("Model:  as the vault's own plugin settings say");
  else if (model === undefined) console.log(`Model:  ${flags.model ?? "as set in the plugin"} at ${flags.modelUrl}`);
  else console.log(`Model:  ${STAND_IN} at ${model.url} (quotes your notes; it is no language model)`);
  console.log(`\n  ${url}\n\nCtrl+C ends it.`);
}

/** Where there is no browser to open, the printed address is enough. @param {string} url */
function openInBrowser(url) {
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", "", url]
        : ["xdg-open", url];
  const child = spawn(/** @type {string} */ (command), args, { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

function untilInterrupted() {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve(undefined));
  });
}

async function main() {
  try {
    const flags = readFlags(process.argv.slice(2));
    if (flags.help) console.log(HELP);
    else await run(flags);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\nnpm start -- --help lists the flags.`);
    process.exitCode = 2;
  }
}

if (process.argv[1] === import.meta.filename) await main();
