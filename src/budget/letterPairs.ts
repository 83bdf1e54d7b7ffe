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
  "f110h315421000e1f000313121", // a
  "39ee2k4o65f3nh3px5774omj1s", // b
  "5a292eg06l119j18r2715kqi8e", // c
  "75d22acr7fkgfp4lr55547kh5m", // d
  "3541933ebh9210b63001b6304c", // e
  "3hd951el3wi3ia1jt4734ngcby", // f
  "a5vp3o524us5g7eoz277bnlhbs", // g
  "37ti1qok4upaka5co6f14lijab", // h
  "3210211co52000116100i1m3h1", // i
  "7gqj6qvw6fkhlo7jsp1n9stwsz", // j
  "ckoc4m869rflmfcpwn86dkfwdy", // k
  "6bc219ap5rk1kc2cln448jqt2x", // l
  "41ic2mbm7nj84g44je2d8kkj8s", // m
  "7k413818ag5ks73cvd2168mj5d", // n
  "9111a128af110031p01113157c", // o
  "3jc82j924of1da25r111bmk44w", // p
  "ikfppzxrlzz4potoeak91vstwz", // q
  "6j421b3n6xaf752di5318afe1l", // r
  "9p8e2fh1bp9a7b54b520668o7h", // s
  "bq9a4fr06wm7ba41z2439hb82e", // t
  "5121233j6d7110n1w010o8l3be", // u
  "4ad91o5t6rhjan3nwhdfglqqiv", // v
  "6npj2lm25soff43iz35kmt3eay", // w
  "8jalbkzvazzebrq4zni2lxz99r", // x
  "eocmgxetpwq96274zh46nystdi", // y
  "ctrm6pqbcwjthfguyrqc9vfl7h", // z
];

const CHANCES: Float64Array = Float64Array.from(CHANCE_ROWS.join(""), (digit) => parseInt(digit, 36) / STEPS);

/** The chance, 0 … 1, that a token ends between two letters. @param first, second 0 for a … 25 for z. */
export function breakChance(first: number, second: number): number {
  return CHANCES[first * LETTERS + second] ?? 0;
}
