import fc from "fast-check";
import { FEATURE_NAMES, countFeatures } from "../../src/budget/tokenFeatures";
import { FITTED_FAMILIES, WEIGHTS } from "../../src/budget/tokenizerWeights";

/** The features a text has, but for the sums over letter pairs, which are no whole numbers. */
function featuresOf(text: string): Record<string, number> {
  const counts = countFeatures(text);
  const present = FEATURE_NAMES.flatMap((name, index) => {
    const count = counts[index] ?? 0;
    return count === 0 || name === "breakChances" || name === "likelyBreaks" ? [] : [[name, count] as const];
  });
  return Object.fromEntries(present);
}

describe("a text is walked in the pieces that tokenizers cut it into", () => {
  it.each`
    text                    | features                                                                                                                         | because
    ${""}                   | ${{}}                                                                                                                            | ${"nothing is there"}
    ${"word"}               | ${{ word: 1, wordWithoutSpace: 1, lettersPast3: 1 }}                                                                             | ${"a word at the start has no space before it"}
    ${" a"}                 | ${{ indent: 1, word: 1, wordOfOneLetter: 1 }}                                                                                    | ${"a text begins like a line, and a space belongs to the word after it"}
    ${"is it"}              | ${{ word: 2, wordWithoutSpace: 1 }}                                                                                              | ${"a single space is free"}
    ${"is  it"}             | ${{ word: 2, wordWithoutSpace: 1, spaceRun: 1 }}                                                                                 | ${"two are not"}
    ${"a\n  b"}             | ${{ word: 2, wordWithoutSpace: 1, wordOfOneLetter: 2, newlineRun: 1, indent: 1 }}                                                | ${"spaces after a line break are an indent"}
    ${"getId"}              | ${{ word: 2, wordWithoutSpace: 2, shortWordInsideWord: 1, capitalisedWord: 1 }}                                                  | ${"a capital after a small letter begins a word"}
    ${"HTTPget"}            | ${{ word: 1, wordWithoutSpace: 1, capitalsPast1: 3, lettersPast3: 4, lettersPast5: 2 }}                                          | ${"capitals in a row stay with what follows"}
    ${"né"}                 | ${{ word: 1, wordWithoutSpace: 1, accentedLetters: 1, wordWithAccents: 1 }}                                                      | ${"an accent that every vocabulary knows"}
    ${"łó"}                 | ${{ word: 1, wordWithoutSpace: 1, rareAccentedLetters: 1, accentedLetters: 1, wordWithRareAccents: 1 }}                          | ${"the dearer letter names the word"}
    ${"đủ"}                 | ${{ word: 1, wordWithoutSpace: 1, vietnameseLetters: 2, vietnameseWord: 1 }}                                                     | ${"Vietnamese letters, in and outside their own block"}
    ${"e\u0301"}            | ${{ word: 1, wordWithoutSpace: 1, combiningMarks: 1 }}                                                                           | ${"a mark on its own is part of the word"}
    ${"мир"}                | ${{ cyrillicWord: 1, cyrillicLetters: 3 }}                                                                                       | ${"Cyrillic letters are counted by word and letter"}
    ${"дім"}                | ${{ cyrillicWord: 1, cyrillicLetters: 2, ukrainianLetters: 1 }}                                                                  | ${"a letter of one language does not end the word"}
    ${"мирok"}              | ${{ cyrillicWord: 1, cyrillicLetters: 3, word: 1, wordWithoutSpace: 1 }}                                                         | ${"another script does"}
    ${"њег ең ёж"}          | ${{ cyrillicWord: 3, cyrillicLetters: 4, southSlavicLetters: 1, turkicLetters: 1, rareCyrillicLetters: 1, scriptAfterSpace: 2 }} | ${"each group of languages has its letters"}
    ${"1234"}               | ${{ digitGroup: 1, digits: 4, digitTriples: 2 }}                                                                                 | ${"most vocabularies take digits in threes"}
    ${"a 1"}                | ${{ word: 1, wordWithoutSpace: 1, wordOfOneLetter: 1, digitGroup: 1, digits: 1, digitTriples: 1, digitGroupAfterSpace: 1 }}      | ${"a digit does not take the space before it"}
    ${"=="}                 | ${{ punctuationRun: 1, punctuationRepeats: 1 }}                                                                                  | ${"the same sign again is nearly free"}
    ${"=>"}                 | ${{ punctuationRun: 1, punctuationChanges: 1 }}                                                                                  | ${"another sign is not"}
    ${"ab,"}                | ${{ word: 1, wordWithoutSpace: 1, punctuationRun: 1, punctuationAfterWord: 1 }}                                                  | ${"a comma after a word"}
    ${"\n\n\n"}             | ${{ newlineRun: 1, newlinesPast1: 1.25 }}                                                                                        | ${"empty lines are cheap"}
    ${"\t\t"}               | ${{ tabRun: 1, tabsPast1: 1 }}                                                                                                   | ${"tabs come in runs"}
    ${"的一龘"}             | ${{ hanCommon: 2, hanCommonRun: 1, han: 1, hanRun: 1 }}                                                                          | ${"a common character is one token, a rare one several"}
    ${"하나"}               | ${{ hangulCommon: 2, hangulCommonRun: 1 }}                                                                                       | ${"common syllables"}
    ${"ไทย"}                | ${{ thai: 3, thaiRun: 1 }}                                                                                                       | ${"a script without spaces is one run"}
    ${"😀😀"}               | ${{ emoji: 2, emojiRun: 1 }}                                                                                                     | ${"a surrogate pair is one character"}
    ${"\ud83d\ude00\ude00"} | ${{ emoji: 1, emojiRun: 1, unforeseen: 1, unforeseenRun: 1 }}                                                                    | ${"half a pair that follows is a character of its own"}
    ${"──┼"}                | ${{ boxDrawing: 3, boxDrawingRun: 1, boxDrawingChanges: 2 }}                                                                     | ${"rules are drawn with few different signs"}
    ${"Ꭰ"}                  | ${{ unforeseen: 1, unforeseenRun: 1 }}                                                                                           | ${"a script without a class"}
  `("$because", ({ text, features }: { text: string; features: Record<string, number> }) => {
    expect(featuresOf(text)).toEqual(features);
  });

  test("letters that are hardly ever parted count less than letters that nearly always are", () => {
    const breaks = (text: string) => countFeatures(text)[FEATURE_NAMES.indexOf("breakChances")] ?? 0;
    expect(breaks("the")).toBeLessThan(breaks("qxz") / 3);
    expect(breaks("THE")).toBe(breaks("the"));
  });

  test("whatever the text, the features of two lines are those of each, but for the break between", () => {
    const anyLine = fc.string({ unit: "grapheme", maxLength: 40 }).filter((line) => !/[\n\r]/.test(line));
    const breakFeature = FEATURE_NAMES.indexOf("newlineRun");
    fc.assert(
      fc.property(anyLine, anyLine, (first, second) => {
        if (first === "" || second === "") return;
        const expected = countFeatures(first).map((count, index) => count + (countFeatures(second)[index] ?? 0));
        expected[breakFeature] = (expected[breakFeature] ?? 0) + 1;
        const together = countFeatures(`${first}\n${second}`);
        together.forEach((count, index) => expect(count).toBeCloseTo(expected[index] ?? NaN, 6));
      }),
      { numRuns: 500 },
    );
  });
});

describe("the table of weights", () => {
  test.each(FEATURE_NAMES)("has a figure of %s for each family, and none is out of all reason", (feature) => {
    expect(WEIGHTS[feature]).toHaveLength(FITTED_FAMILIES.length);
    for (const weight of WEIGHTS[feature]) expect(weight >= -0.6 && weight <= 6).toBe(true);
  });
});
