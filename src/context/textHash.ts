/**
 * A short name for a text: equal text, equal hash.
 * Owns: nothing but the arithmetic. Not for secrets; two different texts share a hash about once in 2^56.
 */

const MULTIPLIER_A = 0x85ebca6b;
const MULTIPLIER_B = 0xc2b2ae35;
/** By itself, not as a property of a global: some hosts look those up slowly, and it is called twice a character. */
const { imul } = Math;

/** 14 hexadecimal digits. Pure, linear, the same on every machine. */
export function hashText(...texts: readonly string[]): string {
  let a = 0x9e3779b9;
  let b = 0x7f4a7c15;
  for (const text of texts) {
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      a = imul(a ^ unit, MULTIPLIER_A);
      // Kept to 32 bits: a sum that grows past them is a float, and twice as slow.
      b = (imul(b ^ unit, MULTIPLIER_B) + a) | 0;
    }
    // The length closes each text, so that ("ab", "c") and ("a", "bc") differ.
    a = imul(a ^ (a >>> 15) ^ text.length, MULTIPLIER_B);
    b = imul(b ^ (b >>> 13) ^ text.length, MULTIPLIER_A);
  }
  a ^= a >>> 16;
  b ^= b >>> 16;
  return hex(a, 8) + hex(b & 0xffffff, 6);
}

function hex(value: number, digits: number): string {
  return (value >>> 0).toString(16).padStart(digits, "0");
}
