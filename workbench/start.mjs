// @ts-check
/**
 * `npm start`: opens the workbench for a person. Refusals and help come at once; what takes its time is loaded after them.
 */
import { stat } from "node:fs/promises";
import { codeOf, messageOf } from "./server/http.mjs";
import { HELP, UsageError, readFlags } from "./startFlags.mjs";

async function main() {
  const flags = readFlags(process.argv.slice(2));
  if (flags.help) return console.log(HELP);
  if (flags.vault !== undefined) await refuseMissingFolder(flags.vault);
  const { run } = await import("./startRun.mjs");
  return run(flags);
}

/** @param {string} folder as it was typed */
async function refuseMissingFolder(folder) {
  const info = await stat(folder).catch((error) => {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) throw new UsageError(`There is no folder ${folder}`);
    throw new UsageError(`${folder} cannot be read: ${messageOf(error)}`);
  });
  if (!info.isDirectory()) throw new UsageError(`${folder} is a file, not a folder`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\nnpm start -- --help lists the flags.`);
  process.exitCode = 2;
}
