/** Finds regular-expression literals with lookbehind: older iOS rejects the whole file for one of them. */
import { tokenizer, tokTypes } from "acorn";

/**
 * @param {string} code a script
 * @returns {string[]} the literals; strings that are made into an expression at run time do no harm at load
 */
export function lookbehindLiterals(code) {
  const found = [];
  for (const token of tokenizer(code, { ecmaVersion: "latest" })) {
    if (token.type === tokTypes.regexp && /\(\?<[=!]/.test(token.value.pattern)) found.push(`/${token.value.pattern}/`);
  }
  return found;
}
