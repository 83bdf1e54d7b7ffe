/** Writes src/budget/tokenizerWeights.ts. */

const HEADER = `/**
 * What a feature of a text costs, in tokens, for each family of vocabularies.
 * Written by \`node tools/fit-weights/fit.mjs\`, see tools/fit-weights/README.md; do not edit by hand.
 */
import type { TokenizerFamily } from "./budgetTypes";
import type { FeatureName } from "./tokenFeatures";

/** The columns below. anthropic is the last published Claude vocabulary; unknown the maximum over all. */
export const FITTED_FAMILIES = [
<families>
] as const satisfies readonly TokenizerFamily[];

// prettier-ignore
export const WEIGHTS: Readonly<Record<FeatureName, readonly number[]>> = {
`;

/** @param weights an object from family to Float64Array, in the order of `features`. */
export function renderWeights(features, weights) {
  const families = Object.keys(weights);
  const nameWidth = Math.max(...features.map((feature) => feature.length)) + 2;
  const rows = features.map((feature, index) => {
    const cells = families.map((family) => plain(weights[family][index]).padStart(7));
    return `  ${`${feature}:`.padEnd(nameWidth)}[${cells.join(",")}],\n`;
  });
  const header = HEADER.replace("<families>", families.map((family) => `  "${family}",`).join("\n"));
  return `${header}${rows.join("")}};\n`;
}

/** Three decimals, without an empty rest. */
export function plain(value) {
  const rounded = Number(value.toFixed(3));
  return String(Object.is(rounded, -0) ? 0 : rounded);
}
