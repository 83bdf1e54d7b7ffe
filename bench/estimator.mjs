/**
 * The token estimator: how far off by family and by kind of text, and how fast, beside tokenx, chars / 4 and js-tiktoken.
 *   node bench/estimator.mjs [--texts <folder>]... [--cache <file>]
 * Without --texts it measures the project's own texts and generated ones, none of which a weight was fitted on.
 * The truth comes from real tokenizers: gpt-tokenizer rather than js-tiktoken, which takes seconds for a paragraph of
 * Chinese without spaces.
 */
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { estimateTokenCount } from "tokenx";
import { accuracyOf, percent } from "../tools/fit-weights/accuracy.mjs";
import { chunksOf, ownTexts, readTexts } from "../tools/fit-weights/corpus.mjs";
import { countTexts, trueTokens } from "../tools/fit-weights/counts.mjs";
import { loadEstimator } from "../tools/fit-weights/estimator.mjs";
import { median, table, timed } from "./report.mjs";

/** Not the seed that the weights were fitted with. */
const TEXT_SEED = 2;
const ANTHROPIC_START_FACTOR = 1.4;
const SPEED_CHARS = 2_000_000;
const SLOW_CHARS = 200_000;
const RUNS = 7;

export async function run({ texts, cache } = {}) {
  const estimator = await loadEstimator();
  const measured = texts ? readTexts({ folders: texts }) : [...ownTexts(), ...readTexts({ seeds: [TEXT_SEED] })];
  const chunks = measured.flatMap(chunksOf);
  const counts = await countTexts(
    chunks.map(({ text }) => text),
    { cacheFile: cache },
  );
  const pieces = chunks.map((chunk, index) => ({ ...chunk, counts: counts[index] }));

  console.log(`${pieces.length} pieces of at most 3,000 characters in ${measured.length} texts\n`);
  accuracyByFamily(estimator, pieces);
  console.log("\nError of the estimate by text, in percent of the true count\n");
  errorByText(estimator, pieces);
  console.log("\nSpeed on the same English text\n");
  await speed(estimator);
}

function accuracyByFamily(estimator, pieces) {
  const rows = estimator.FITTED_FAMILIES.map((family) => ({ name: family, ...ours(estimator, pieces, family) }));
  const others = [
    { name: "tokenx / o200k", ...oneFigure(pieces, estimateTokenCount) },
    { name: "chars / 4 / o200k", ...oneFigure(pieces, (text) => Math.ceil(text.length / 4)) },
  ];
  table(
    ["family", "median estimate", "median upper", "pieces > 3 % under", "worst piece", "texts > 1 % under"],
    [...rows, ...others].map((row) => [
      row.name,
      percent(row.medianEstimate),
      percent(row.medianUpper),
      percent(row.farUnder, 2),
      `${percent(row.worstUpper)} ${row.worstName}`,
      `${row.textsUnder.length} of ${row.texts.length}`,
    ]),
  );
}

function ours(estimator, pieces, family) {
  return accuracyOf(
    pieces.map((piece) => ({
      name: piece.name,
      truth: truthOf(piece, family),
      estimate: estimator.estimateTokens(piece.text, family),
      upper: estimator.upperTokens(piece.text, family),
    })),
  );
}

/** Packages that give one figure: it is taken for the estimate and for the bound. */
function oneFigure(pieces, estimate) {
  return accuracyOf(
    pieces.map((piece) => {
      const tokens = estimate(piece.text);
      return { name: piece.name, truth: truthOf(piece, "openai"), estimate: tokens, upper: tokens };
    }),
  );
}

function errorByText(estimator, pieces) {
  const families = estimator.FITTED_FAMILIES;
  const rows = [...grouped(pieces)].map(([name, group]) => {
    const truth = (family) => sum(group, (piece) => truthOf(piece, family));
    const error = (estimate, family) =>
      ((sum(group, ({ text }) => estimate(text)) / truth(family) - 1) * 100).toFixed(0);
    return [
      name,
      truth("openai"),
      ...families.map((family) => error((text) => estimator.estimateTokens(text, family), family)),
      error(estimateTokenCount, "openai"),
      error((text) => text.length / 4, "openai"),
    ];
  });
  table(["text", "o200k tokens", ...families, "tokenx", "chars / 4"], rows);
}

async function speed(estimator) {
  const { getEncoding } = await import("js-tiktoken");
  const { encode } = await import("gpt-tokenizer/encoding/o200k_base");
  const tiktoken = getEncoding("o200k_base");
  const english = ownTexts().filter(({ name }) => /-en\./.test(name));
  const base = english.map(({ text }) => text).join("\n");
  const textOf = (chars) => base.repeat(Math.ceil(chars / base.length)).slice(0, chars);
  const contestants = [
    ["estimateTokens", SPEED_CHARS, (text) => estimator.estimateTokens(text, "openai")],
    ["upperTokens", SPEED_CHARS, (text) => estimator.upperTokens(text, "openai")],
    ["tokenx", SPEED_CHARS, (text) => estimateTokenCount(text)],
    ["gpt-tokenizer", SLOW_CHARS, (text) => encode(text).length],
    ["js-tiktoken", SLOW_CHARS, (text) => tiktoken.encode(text, [], []).length],
  ];
  const results = [];
  for (const [name, chars, count] of contestants) {
    const text = textOf(chars);
    count(text);
    const times = [];
    for (let at = 0; at < RUNS; at++) times.push(await timed(() => count(text)));
    results.push({ name, charsAMs: chars / median(times) });
  }
  const tokenx = results.find(({ name }) => name === "tokenx");
  table(
    ["counter", "million chars a second", "× tokenx"],
    results.map(({ name, charsAMs }) => [name, (charsAMs / 1000).toFixed(1), (charsAMs / tokenx.charsAMs).toFixed(2)]),
  );
}

/** anthropic is measured against the published vocabulary and the factor that the estimate has on top. */
function truthOf({ counts, text }, family) {
  const tokens = trueTokens(counts, family);
  return family === "anthropic" ? Math.min(tokens * ANTHROPIC_START_FACTOR, Buffer.byteLength(text)) : tokens;
}

function grouped(pieces) {
  const groups = new Map();
  for (const piece of pieces) groups.set(piece.name, [...(groups.get(piece.name) ?? []), piece]);
  return groups;
}

function sum(items, valueOf) {
  return items.reduce((total, item) => total + valueOf(item), 0);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: { texts: { type: "string", multiple: true }, cache: { type: "string" } },
  });
  await run(values);
}
