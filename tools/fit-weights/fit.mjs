/**
 * Fits the estimator's weights to real tokenizers and compares them with the ones in the source.
 *   node tools/fit-weights/fit.mjs [--texts <folder[=weight]>]... [--check <folder>]... [--pairs] [--cache <file>] [--write | --write-anyway]
 * See README.md beside this file.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { accuracyOf, percent, upperOf } from "./accuracy.mjs";
import { boundsOf } from "./bounds.mjs";
import { chunksOf, ownTexts, readTexts } from "./corpus.mjs";
import { countTexts, trueTokens } from "./counts.mjs";
import { loadEstimator } from "./estimator.mjs";
import { measurePairs, withPairRows } from "./letterPairs.mjs";
import { dot, fitWeights, lossFor, lossOf } from "./solver.mjs";
import { renderWeights } from "./weightsFile.mjs";

const WEIGHTS_FILE = new URL("../../src/budget/tokenizerWeights.ts", import.meta.url);
const PAIRS_FILE = new URL("../../src/budget/letterPairs.ts", import.meta.url);
/** Stories of our own: wider in their words than documentation is, so they are part of every fit. */
const PROSE = `${new URL("texts/", import.meta.url).pathname}=4`;
const FIT_SEED = 1;
const CHECK_SEED = 2;
const FOLDS = 5;

const { values: options } = parseArgs({
  options: {
    texts: { type: "string", multiple: true },
    check: { type: "string", multiple: true },
    pairs: { type: "boolean", default: false },
    cache: { type: "string" },
    write: { type: "boolean", default: false },
    "write-anyway": { type: "boolean", default: false },
  },
});
const log = (line) => console.error(line);

const fitTexts = options.texts ? readTexts({ folders: options.texts }) : ownTexts();
const fitChunks = [...fitTexts, ...readTexts({ folders: [PROSE], seeds: [FIT_SEED] })].flatMap(chunksOf);
if (options.pairs) {
  const chances = await measurePairs(
    fitChunks.map(({ text }) => text),
    log,
  );
  writeFileSync(PAIRS_FILE, withPairRows(readFileSync(PAIRS_FILE, "utf8"), chances));
  log("letterPairs.ts written");
}

const estimator = await loadEstimator();
const features = estimator.FEATURE_NAMES;
const families = estimator.FITTED_FAMILIES;
const scripts = new Set(features.filter((name) => features.includes(`${name}Run`)));
const bounds = features.map((feature) => boundsOf(feature, scripts));
const present = Object.fromEntries(families.map((family, column) => [family, presentWeights(column)]));

const fitPieces = await measured(fitChunks);
const checkPieces = options.check
  ? await measured(readTexts({ folders: options.check, seeds: [CHECK_SEED] }).flatMap(chunksOf))
  : undefined;

const fitted = {};
let gained = 0;
for (const family of families) {
  const start = present[family];
  fitted[family] = fit(fitPieces, family, start);
  const heldOut = checkPieces ?? fitPieces;
  const ofNew = checkPieces ? weighed(checkPieces, family, () => fitted[family]) : crossFitted(family, start);
  const ofPresent = weighed(heldOut, family, () => start);
  report(family, ofPresent, ofNew);
  gained += ofPresent.loss - ofNew.loss;
}

if (options["write-anyway"] || (options.write && gained > 0)) {
  writeFileSync(WEIGHTS_FILE, renderWeights(features, fitted));
  log("tokenizerWeights.ts written");
} else if (options.write) log("Not written: on texts that were not fitted the present weights lose less.");
else log("Nothing written; --write replaces src/budget/tokenizerWeights.ts.");

function presentWeights(column) {
  return Float64Array.from(features, (feature) => estimator.WEIGHTS[feature][column]);
}

/** Adds what fitting and measuring need to each chunk. */
async function measured(chunks) {
  const counts = await countTexts(
    chunks.map(({ text }) => text),
    { cacheFile: options.cache, log },
  );
  const chunksOfText = new Map();
  for (const { name } of chunks) chunksOfText.set(name, (chunksOfText.get(name) ?? 0) + 1);
  return chunks.map(({ name, text, weight }, index) => ({
    name,
    counts: counts[index],
    bytes: Buffer.byteLength(text),
    features: estimator.countFeatures(text),
    // A text of many pieces says more than a short one, but not as many times more.
    importance: weight / Math.sqrt(chunksOfText.get(name)),
  }));
}

function fit(pieces, family, start) {
  return fitWeights({ ...rowsOf(pieces, family), bounds, start, loss: lossFor(family) });
}

function rowsOf(pieces, family) {
  return {
    rows: pieces.map((piece) => piece.features.map((count) => count / trueTokens(piece.counts, family))),
    importance: pieces.map(({ importance }) => importance),
  };
}

/** Each text is weighed with weights that were fitted on the other folds. */
function crossFitted(family, start) {
  const names = [...new Set(fitPieces.map(({ name }) => name))];
  const foldOf = new Map(names.map((name, index) => [name, index % FOLDS]));
  const weightsOfFold = Array.from({ length: FOLDS }, (_, fold) =>
    fit(
      fitPieces.filter(({ name }) => foldOf.get(name) !== fold),
      family,
      start,
    ),
  );
  return weighed(fitPieces, family, ({ name }) => weightsOfFold[foldOf.get(name)]);
}

function weighed(pieces, family, weightsFor) {
  const rows = rowsOf(pieces, family);
  const estimates = pieces.map((piece) => Math.max(1, Math.ceil(dot(piece.features, weightsFor(piece)))));
  const losses = pieces.map((piece, index) =>
    lossOf({ rows: [rows.rows[index]], importance: [1], weights: weightsFor(piece), loss: lossFor(family) }),
  );
  const total = rows.importance.reduce((sum, value) => sum + value, 0);
  return {
    loss: losses.reduce((sum, loss, index) => sum + loss * rows.importance[index], 0) / total,
    ...accuracyOf(
      pieces.map((piece, index) => ({
        name: piece.name,
        truth: trueTokens(piece.counts, family),
        estimate: estimates[index],
        upper: upperOf(estimates[index], piece.bytes),
      })),
    ),
  };
}

function report(family, ofPresent, ofNew) {
  console.log(`${family}: loss ${ofPresent.loss.toFixed(3)} now, ${ofNew.loss.toFixed(3)} fitted`);
  for (const [label, figures] of [
    ["now", ofPresent],
    ["fitted", ofNew],
  ]) {
    const lowest = figures.texts.slice(0, 5).map(({ name, upperError }) => `${name} ${percent(upperError, 0)}`);
    console.log(
      `  ${label.padEnd(7)} median over ${percent(figures.medianEstimate)}, upper ${percent(figures.medianUpper)}; ` +
        `over 3 % under ${percent(figures.farUnder, 2)}; worst ${percent(figures.worstUpper)}; ` +
        `texts over 1 % under ${figures.textsUnder.length}/${figures.texts.length} (${lowest.join(", ")})`,
    );
  }
}
