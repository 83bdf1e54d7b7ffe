/** What a weight may be, whatever the texts say: so that nothing unforeseen is nearly free, and no long run is. */

/** Features that correct another one downwards, so they may be negative. */
const CORRECTIONS = new Set([
  "wordWithoutSpace",
  "lettersPast5",
  "lettersPast7",
  "likelyBreaks",
  "capitalisedWord",
  "wordWithAccents",
  "wordWithRareAccents",
  "vietnameseWord",
  "cyrillicWord",
  "digitGroup",
  "indent",
  "punctuationAfterWord",
]);

/** Rare enough in any texts that a fit would only learn their accidents. */
const FIXED = { hanRare: 3, astral: 4, unforeseen: 3, lettersPast3: 0 };

const LOWEST = {
  combiningMarks: 1.5,
  joiner: 1,
  control: 1,
  lettersPast14: 0.05,
  digits: 0.004,
  newlinesPast1: 0.1,
  tabsPast1: 0.06,
  spacesPast16: 0.12,
  punctuationRepeats: 0.04,
  boxDrawing: 0.06,
  cyrillicLetters: 0.15,
  rareCyrillicLetters: 0.5,
};

/** A character of a script that has spaces between its words costs at least this, also in a run without any. */
const LOWEST_SCRIPT = 0.15;
const HIGHEST_RUN = 1.2;
const HIGHEST = 6;

export function boundsOf(feature, scripts) {
  if (feature in FIXED) return { lowest: FIXED[feature], highest: FIXED[feature] };
  if (feature.endsWith("Run") && scripts.has(feature.slice(0, -"Run".length))) {
    return { lowest: -0.6, highest: HIGHEST_RUN };
  }
  const floor = scripts.has(feature) ? LOWEST_SCRIPT : CORRECTIONS.has(feature) ? -0.6 : 0;
  return { lowest: LOWEST[feature] ?? floor, highest: HIGHEST };
}
