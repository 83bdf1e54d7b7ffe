/**
 * Counts the project's own texts under every tokenizer: node tools/fit-weights/count-own-texts.mjs
 * Writes tests/budget/texts/counts.json, which the tests measure the estimator with.
 */
import { writeFileSync } from "node:fs";
import { ownTexts, readTexts } from "./corpus.mjs";
import { countTexts, trueTokens } from "./counts.mjs";
import { loadEstimator } from "./estimator.mjs";

/** Generated beside the written ones; the tests generate the same. */
export const TEST_SEED = 2;

const { FITTED_FAMILIES } = await loadEstimator();
const texts = [...ownTexts(), ...readTexts({ seeds: [TEST_SEED] })];
const counts = await countTexts(
  texts.map(({ text }) => text),
  { log: (line) => console.error(line) },
);
const table = Object.fromEntries(
  texts.map(({ name }, index) => [
    name,
    Object.fromEntries(FITTED_FAMILIES.map((family) => [family, trueTokens(counts[index], family)])),
  ]),
);
writeFileSync(new URL("../../tests/budget/texts/counts.json", import.meta.url), `${JSON.stringify(table, null, 2)}\n`);
