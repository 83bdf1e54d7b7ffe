/**
 * Where inside a word is a tokenizer likely to cut?
 * Owns: for each pair of Latin letters, how often a token ends between them, over the vocabularies the weights were
 * fitted on. "th" is hardly ever parted, "qx" nearly always: so base64, hex and identifiers cost more than words of the
 * same length. Case does not matter. Written by tools/fit-weights, see its README.
 */

const LETTERS = 26;
const STEPS = 35;

/** One row for the first letter a … z, one base-36 digit for the second: 0 = never, z = always. */
const CHANCE_ROWS = [
  "b010l416753010k1n000525123", // a
  "79dg2hgn93m2hi5st67d5srs1s", // b
  "5e3b2fm09o118j1bq3506kno4h", // c
  "8af3299m6hddhp5gtc798gia8j", // d
  "7b41926gglc220f63001h8204g", // e
  "6edc41hk3rk3gb2jt3b24pob6w", // f
  "dfqp3mc49qr7e59ox468dkpo9l", // g
  "5gnm1uok5nodii5jo8j19jjpci", // h
  "5100310cj7201011a100l1n2l1", // i
  "8ini6stwdhjlmk7hmm2patqupw", // j
  "cirh4n59dpcgndbguncailhu7v", // k
  "7hj318lr6qg2nk43qm549ipi1r", // l
  "54n62pbv8rn45i44jp3gapng4v", // m
  "7h413708bp5fp947ti218ank5i", // n
  "b321f22c9f210041u01114047e", // o
  "5dg92l618sk2be38q2218kj54t", // p
  "slnosuurpyx4pqtmdbha1ppovv", // q
  "8k451b3r6v7a542gh8429bgg1k", // r
  "cl7g2lh3cs8ebj54a810898r6j", // s
  "9n783cp06vhd7s44x443cp7h2m", // t
  "9152252j6c6010n2v000pdl39e", // u
  "5kja1o3q8uqmep6mwghgoknrbs", // v
  "7ln84lp14ukmh32jw54ept2has", // w
  "bg9dalvvbwwi3pl6xpi2otx44i", // x
  "epjmewovjwt96453yd4coxhm8j", // y
  "epoo5rpgdtoqoclswtrgdtjh78", // z
];

const CHANCES = readChances(CHANCE_ROWS.join(""));

/** The chance, 0 … 1, that a token ends between two letters. @param first, second 0 for a … 25 for z. */
export function breakChance(first: number, second: number): number {
  return CHANCES[first * LETTERS + second] ?? 0;
}

/** A plain loop: iterating over the string takes ten times as long, at every start of the plugin. */
function readChances(digits: string): Float64Array {
  const chances = new Float64Array(digits.length);
  for (let at = 0; at < digits.length; at++) chances[at] = digitValue(digits.charCodeAt(at)) / STEPS;
  return chances;
}

/** Base 36: 0 … 9, then a … z. */
function digitValue(unit: number): number {
  return unit < 97 ? unit - 48 : unit - 87;
}
