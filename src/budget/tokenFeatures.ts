/**
 * What of a text decides how many tokens it is?
 * Owns: the features and the one pass over the characters that counts them.
 * Does not own: what a feature costs (tokenizerWeights.ts).
 * Tokenizers first split text into words, groups of digits, runs of punctuation and white space, then cut each of these
 * into entries of their vocabulary. So the pass walks the same pieces and notes what makes each of them cheap or dear.
 */
import {
  ACCENTED,
  ACCENTED_RARE,
  ACCENTED_VIETNAMESE,
  ASTRAL,
  BOX_DRAWING,
  COMBINING,
  CYRILLIC,
  DIGIT,
  EMOJI,
  FIRST_SCRIPT_CLASS,
  LOWER,
  NEWLINE,
  PUNCTUATION,
  SCRIPTS,
  SPACE,
  TAB,
  UPPER,
  classOf,
  isCyrillic,
  isLatin,
} from "./characterClasses";
import type { ScriptName } from "./characterClasses";
import { breakChance } from "./letterPairs";

const BASIC_FEATURES = [
  /** Words: Latin letters up to the next capital, so camelCase is two. */
  "word",
  "wordWithoutSpace",
  "wordOfOneLetter",
  "shortWordInsideWord",
  "lettersPast3",
  "lettersPast5",
  "lettersPast7",
  "lettersPast10",
  "lettersPast14",
  "breakChances",
  "likelyBreaks",
  "capitalsPast1",
  "capitalisedWord",
  /** Accents: in Western Europe's letters, in those of the rest of Europe and Turkey, in Vietnam's. */
  "accentedLetters",
  "rareAccentedLetters",
  "vietnameseLetters",
  "wordWithAccents",
  "wordWithRareAccents",
  "vietnameseWord",
  "combiningMarks",
  "cyrillicWord",
  /** In the order of the classes. */
  "cyrillicLetters",
  "ukrainianLetters",
  "southSlavicLetters",
  "turkicLetters",
  "rareCyrillicLetters",
  /** Digits; most vocabularies take them in threes, some one by one. */
  "digitGroup",
  "digitTriples",
  "digits",
  "digitGroupAfterSpace",
  /** White space: a single space belongs to the word that follows and is free. */
  "spaceRun",
  "spacesPast16",
  "newlineRun",
  "newlinesPast1",
  "indent",
  "tabRun",
  "tabsPast1",
  "punctuationRun",
  "punctuationChanges",
  "punctuationRepeats",
  "punctuationAfterWord",
  "punctuationAfterSpace",
  "punctuationPast6",
  "scriptAfterSpace",
  "boxDrawingChanges",
] as const;

export type FeatureName = (typeof BASIC_FEATURES)[number] | ScriptName | `${ScriptName}Run`;

/** The order of `countFeatures`' result. */
export const FEATURE_NAMES: readonly FeatureName[] = [
  ...BASIC_FEATURES,
  ...SCRIPTS.flatMap((script): FeatureName[] => [script, `${script}Run`]),
];

const FIRST_SCRIPT_FEATURE = BASIC_FEATURES.length;
const LETTER_A_LOWER = 97;
const LETTER_A_UPPER = 65;
const LIKELY_BREAK = 0.5;
const LONG_SPACE_RUN = 16;
const LONG_PUNCTUATION_RUN = 6;
const PIECE_OF_WORD = 3;

const WORD = indexOf("word");
const WORD_WITHOUT_SPACE = indexOf("wordWithoutSpace");
const WORD_OF_ONE_LETTER = indexOf("wordOfOneLetter");
const SHORT_WORD_INSIDE_WORD = indexOf("shortWordInsideWord");
const LETTERS_PAST_3 = indexOf("lettersPast3");
const LETTERS_PAST_5 = indexOf("lettersPast5");
const LETTERS_PAST_7 = indexOf("lettersPast7");
const LETTERS_PAST_10 = indexOf("lettersPast10");
const LETTERS_PAST_14 = indexOf("lettersPast14");
const BREAK_CHANCES = indexOf("breakChances");
const LIKELY_BREAKS = indexOf("likelyBreaks");
const CAPITALS_PAST_1 = indexOf("capitalsPast1");
const CAPITALISED_WORD = indexOf("capitalisedWord");
const ACCENTED_LETTERS = indexOf("accentedLetters");
const RARE_ACCENTED_LETTERS = indexOf("rareAccentedLetters");
const VIETNAMESE_LETTERS = indexOf("vietnameseLetters");
const WORD_WITH_ACCENTS = indexOf("wordWithAccents");
const WORD_WITH_RARE_ACCENTS = indexOf("wordWithRareAccents");
const VIETNAMESE_WORD = indexOf("vietnameseWord");
const CYRILLIC_WORD = indexOf("cyrillicWord");
const CYRILLIC_LETTERS = indexOf("cyrillicLetters");
const COMBINING_MARKS = indexOf("combiningMarks");
const DIGIT_GROUP = indexOf("digitGroup");
const DIGIT_TRIPLES = indexOf("digitTriples");
const DIGITS = indexOf("digits");
const DIGIT_GROUP_AFTER_SPACE = indexOf("digitGroupAfterSpace");
const SPACE_RUN = indexOf("spaceRun");
const SPACES_PAST_16 = indexOf("spacesPast16");
const NEWLINE_RUN = indexOf("newlineRun");
const NEWLINES_PAST_1 = indexOf("newlinesPast1");
const INDENT = indexOf("indent");
const TAB_RUN = indexOf("tabRun");
const TABS_PAST_1 = indexOf("tabsPast1");
const PUNCTUATION_RUN = indexOf("punctuationRun");
const PUNCTUATION_CHANGES = indexOf("punctuationChanges");
const PUNCTUATION_REPEATS = indexOf("punctuationRepeats");
const PUNCTUATION_AFTER_WORD = indexOf("punctuationAfterWord");
const PUNCTUATION_AFTER_SPACE = indexOf("punctuationAfterSpace");
const PUNCTUATION_PAST_6 = indexOf("punctuationPast6");
const SCRIPT_AFTER_SPACE = indexOf("scriptAfterSpace");
const BOX_DRAWING_CHANGES = indexOf("boxDrawingChanges");

/**
 * Counts every feature in one pass. Linear in the length of `text`; lone surrogates are characters like any other.
 * @returns one count for each of FEATURE_NAMES, in that order; all zero for "".
 */
export function countFeatures(text: string): Float64Array {
  const counts = new Float64Array(FEATURE_NAMES.length);
  // A text begins like a line: its first spaces are an indent.
  let previous = NEWLINE;
  let at = 0;
  while (at < text.length) {
    const found = classOf(text.charCodeAt(at));
    at = walkPiece(text, at, found, previous, counts);
    previous = isLatin(found) ? LOWER : found;
  }
  return counts;
}

/** Walks the piece that starts at `start`; `previous` is the class of the piece before it. @returns where it ends. */
function walkPiece(text: string, start: number, found: number, previous: number, counts: Float64Array): number {
  if (isLatin(found)) return walkWord(text, start, previous, counts);
  if (isCyrillic(found)) return walkCyrillic(text, start, previous, counts);
  switch (found) {
    case SPACE:
      return walkSpaces(text, start, previous, counts);
    case PUNCTUATION:
      return walkPunctuation(text, start, previous, counts);
    case NEWLINE:
      return walkNewlines(text, start, counts);
    case DIGIT:
      return walkDigits(text, start, previous, counts);
    case TAB:
      return walkTabs(text, start, counts);
    default:
      return walkScript(text, start, found, previous, counts);
  }
}

/** Capitals, then small letters; a capital after a small letter begins the next word. */
function walkWord(text: string, start: number, previous: number, counts: Float64Array): number {
  let capitals = 0;
  let accented = 0;
  let rareAccented = 0;
  let vietnamese = 0;
  let breaks = 0;
  let likelyBreaks = 0;
  let smallSeen = false;
  let letterBefore = -1;
  let end = start;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    const found = classOf(unit);
    let letter: number;
    if (found === LOWER) {
      smallSeen = true;
      letter = unit - LETTER_A_LOWER;
    } else if (found === UPPER) {
      if (smallSeen) break;
      capitals += 1;
      letter = unit - LETTER_A_UPPER;
    } else if (!isLatin(found)) break;
    else {
      if (found === ACCENTED) accented += 1;
      else if (found === ACCENTED_RARE) rareAccented += 1;
      else if (found === ACCENTED_VIETNAMESE) vietnamese += 1;
      else add(counts, COMBINING_MARKS, 1);
      smallSeen ||= found !== COMBINING;
      letterBefore = -1;
      continue;
    }
    if (letterBefore >= 0) {
      const chance = breakChance(letterBefore, letter);
      breaks += chance;
      if (chance > LIKELY_BREAK) likelyBreaks += 1;
    }
    letterBefore = letter;
  }

  const length = end - start;
  add(counts, WORD, 1);
  if (previous !== SPACE) add(counts, WORD_WITHOUT_SPACE, 1);
  if (previous === LOWER && length < PIECE_OF_WORD) add(counts, SHORT_WORD_INSIDE_WORD, 1);
  if (length === 1) add(counts, WORD_OF_ONE_LETTER, 1);
  if (length > 3) addLength(counts, length);
  add(counts, BREAK_CHANCES, breaks);
  add(counts, LIKELY_BREAKS, likelyBreaks);
  if (capitals === 1) add(counts, CAPITALISED_WORD, 1);
  else if (capitals > 1) add(counts, CAPITALS_PAST_1, capitals - 1);
  if (accented + rareAccented + vietnamese > 0) addAccents(counts, accented, rareAccented, vietnamese);
  return end;
}

/** The dearest letter in it tells what language a word is of. */
function addAccents(counts: Float64Array, accented: number, rareAccented: number, vietnamese: number): void {
  add(counts, ACCENTED_LETTERS, accented);
  add(counts, RARE_ACCENTED_LETTERS, rareAccented);
  add(counts, VIETNAMESE_LETTERS, vietnamese);
  add(counts, vietnamese > 0 ? VIETNAMESE_WORD : rareAccented > 0 ? WORD_WITH_RARE_ACCENTS : WORD_WITH_ACCENTS, 1);
}

/** The price of a word is piecewise linear in its length, with a bend at each of these lengths. */
function addLength(counts: Float64Array, length: number): void {
  add(counts, LETTERS_PAST_3, length - 3);
  if (length > 5) add(counts, LETTERS_PAST_5, length - 5);
  if (length > 7) add(counts, LETTERS_PAST_7, length - 7);
  if (length > 10) add(counts, LETTERS_PAST_10, length - 10);
  if (length > 14) add(counts, LETTERS_PAST_14, length - 14);
}

function walkCyrillic(text: string, start: number, previous: number, counts: Float64Array): number {
  let end = start;
  for (; end < text.length; end++) {
    const found = classOf(text.charCodeAt(end));
    if (!isCyrillic(found)) break;
    add(counts, CYRILLIC_LETTERS + found - CYRILLIC, 1);
  }
  add(counts, CYRILLIC_WORD, 1);
  if (previous === SPACE) add(counts, SCRIPT_AFTER_SPACE, 1);
  return end;
}

function walkSpaces(text: string, start: number, previous: number, counts: Float64Array): number {
  const end = endOfRun(text, start, SPACE);
  const length = end - start;
  if (previous === NEWLINE) add(counts, INDENT, 1);
  else if (length > 1) add(counts, SPACE_RUN, 1);
  if (length > LONG_SPACE_RUN) add(counts, SPACES_PAST_16, (length - LONG_SPACE_RUN) / LONG_SPACE_RUN);
  return end;
}

function walkPunctuation(text: string, start: number, previous: number, counts: Float64Array): number {
  let changes = 0;
  let repeats = 0;
  let unitBefore = text.charCodeAt(start);
  let end = start + 1;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    if (classOf(unit) !== PUNCTUATION) break;
    if (unit === unitBefore) repeats += 1;
    else changes += 1;
    unitBefore = unit;
  }
  add(counts, PUNCTUATION_RUN, 1);
  add(counts, PUNCTUATION_CHANGES, changes);
  add(counts, PUNCTUATION_REPEATS, repeats);
  if (changes > LONG_PUNCTUATION_RUN) add(counts, PUNCTUATION_PAST_6, changes - LONG_PUNCTUATION_RUN);
  if (previous === SPACE) add(counts, PUNCTUATION_AFTER_SPACE, 1);
  else if (previous === LOWER || previous === DIGIT) add(counts, PUNCTUATION_AFTER_WORD, 1);
  return end;
}

function walkNewlines(text: string, start: number, counts: Float64Array): number {
  const end = endOfRun(text, start, NEWLINE);
  const length = end - start;
  add(counts, NEWLINE_RUN, 1);
  // Vocabularies have entries for several empty lines, so every line past the second counts for a quarter.
  if (length > 1) add(counts, NEWLINES_PAST_1, length > 2 ? 1 + (length - 2) / 4 : 1);
  return end;
}

function walkDigits(text: string, start: number, previous: number, counts: Float64Array): number {
  const end = endOfRun(text, start, DIGIT);
  const length = end - start;
  add(counts, DIGIT_GROUP, 1);
  add(counts, DIGIT_TRIPLES, Math.ceil(length / 3));
  add(counts, DIGITS, length);
  if (previous === SPACE) add(counts, DIGIT_GROUP_AFTER_SPACE, 1);
  return end;
}

function walkTabs(text: string, start: number, counts: Float64Array): number {
  const end = endOfRun(text, start, TAB);
  add(counts, TAB_RUN, 1);
  add(counts, TABS_PAST_1, end - start - 1);
  return end;
}

/** A run of one script. A surrogate pair is one character; half of one is a character too. */
function walkScript(text: string, start: number, found: number, previous: number, counts: Float64Array): number {
  const paired = found === EMOJI || found === ASTRAL;
  let characters = 0;
  let changes = 0;
  let unitBefore = -1;
  let end = start;
  while (end < text.length) {
    const unit = text.charCodeAt(end);
    if (classOf(unit) !== found) break;
    characters += 1;
    if (unit !== unitBefore) changes += 1;
    unitBefore = unit;
    end += 1;
    if (paired && isLowSurrogate(text.charCodeAt(end))) end += 1;
  }
  const feature = FIRST_SCRIPT_FEATURE + 2 * (found - FIRST_SCRIPT_CLASS);
  add(counts, feature, characters);
  add(counts, feature + 1, 1);
  if (found === BOX_DRAWING) add(counts, BOX_DRAWING_CHANGES, changes);
  if (previous === SPACE) add(counts, SCRIPT_AFTER_SPACE, 1);
  return end;
}

function endOfRun(text: string, start: number, found: number): number {
  let end = start + 1;
  while (end < text.length && classOf(text.charCodeAt(end)) === found) end++;
  return end;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function add(counts: Float64Array, feature: number, amount: number): void {
  counts[feature] = (counts[feature] ?? 0) + amount;
}

function indexOf(name: FeatureName): number {
  return FEATURE_NAMES.indexOf(name);
}
