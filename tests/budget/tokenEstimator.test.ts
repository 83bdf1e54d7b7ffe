import fc from "fast-check";
import type { TokenizerFamily } from "../../src/budget/budgetTypes";
import { estimateTokens, upperTokens, utf8Bytes } from "../../src/budget/tokenEstimator";
import { FITTED_FAMILIES } from "../../src/budget/tokenizerWeights";

const anyFamily = fc.constantFrom<TokenizerFamily>(...FITTED_FAMILIES);
/** Any UTF-16 units, halves of surrogate pairs among them. */
const anyUnits = fc
  .array(
    fc.oneof(fc.nat({ max: 0xffff }), fc.integer({ min: 32, max: 126 }), fc.integer({ min: 0xd800, max: 0xdfff })),
    {
      maxLength: 200,
    },
  )
  .map((units) => String.fromCharCode(...units));

describe("whatever the text, the estimate is a number that can be counted with", () => {
  test("it is whole and positive, and 0 only for nothing", () => {
    fc.assert(
      fc.property(anyUnits, anyFamily, (text, family) => {
        const estimate = estimateTokens(text, family);
        expect(Number.isSafeInteger(estimate)).toBe(true);
        expect(estimate > 0).toBe(text !== "");
      }),
      { numRuns: 3000 },
    );
  });

  test("no single character is free in any family", () => {
    const free = FITTED_FAMILIES.flatMap((family) =>
      Array.from({ length: 0x10000 }, (_, unit) => unit).filter(
        (unit) => estimateTokens(String.fromCharCode(unit), family) < 1,
      ),
    );
    expect(free).toEqual([]);
  });

  test("the upper bound is the estimate and 4 percent, never above the bytes, and 8 on top", () => {
    fc.assert(
      fc.property(anyUnits, anyFamily, (text, family) => {
        const bytes = Buffer.byteLength(text, "utf8");
        const expected = Math.min(Math.ceil(estimateTokens(text, family) * 1.04), bytes) + 8;
        expect(upperTokens(text, family)).toBe(text === "" ? 0 : expected);
      }),
      { numRuns: 3000 },
    );
  });

  test("bytes are counted as UTF-8 sends them, half a pair as the replacement character", () => {
    fc.assert(
      fc.property(anyUnits, (text) => {
        expect(utf8Bytes(text)).toBe(Buffer.byteLength(text, "utf8"));
      }),
      { numRuns: 3000 },
    );
  });

  test("without a family it is the most expensive reading", () => {
    expect(estimateTokens("Ein Satz, 42 mal.")).toBe(estimateTokens("Ein Satz, 42 mal.", "unknown"));
    expect(upperTokens("Ein Satz, 42 mal.")).toBe(upperTokens("Ein Satz, 42 mal.", "unknown"));
  });

  test("the same text costs the same, whatever was counted between", () => {
    fc.assert(
      fc.property(anyUnits, anyUnits, anyFamily, (text, other, family) => {
        const first = estimateTokens(text, family);
        estimateTokens(other, family);
        expect(estimateTokens(text, family)).toBe(first);
      }),
    );
  });
});

describe("a longer text costs more", () => {
  /** What a piece of text may save by being joined to another: the token at the seam, and the space that is free. */
  const SEAM_TOKENS = 4;
  const anyProse = fc
    .array(
      fc.oneof(
        fc.stringMatching(/^[a-z]{1,12}$/),
        fc.stringMatching(/^[A-Z][a-z]{1,9}$/),
        fc.stringMatching(/^[0-9]{1,6}$/),
        fc.constantFrom("привет", "日本語", "ไทย", "שלום", '{"a": 1}', "—", "😀", "\n\n", "\t", "==", "café"),
      ),
      { minLength: 1, maxLength: 60 },
    )
    .map((words) => words.join(" "));

  test("text that is added never makes it cheaper", () => {
    fc.assert(
      fc.property(anyProse, anyProse, anyFamily, (text, more, family) => {
        expect(estimateTokens(`${text} ${more}`, family)).toBeGreaterThanOrEqual(estimateTokens(text, family));
      }),
      { numRuns: 2000 },
    );
  });

  test("two texts together cost what they cost apart, but for the seam", () => {
    fc.assert(
      fc.property(anyProse, anyProse, anyFamily, (text, more, family) => {
        const together = estimateTokens(`${text} ${more}`, family);
        const apart = estimateTokens(text, family) + estimateTokens(more, family);
        expect(Math.abs(together - apart)).toBeLessThanOrEqual(SEAM_TOKENS);
      }),
      { numRuns: 2000 },
    );
  });

  test("a hundred times the text is a hundred times the tokens", () => {
    fc.assert(
      fc.property(anyProse, anyFamily, (text, family) => {
        const one = estimateTokens(`${text}\n`, family);
        const hundred = estimateTokens(`${text}\n`.repeat(100), family);
        expect(Math.abs(hundred / 100 - one)).toBeLessThanOrEqual(SEAM_TOKENS);
      }),
      { numRuns: 300 },
    );
  });
});

describe("nothing is nearly free", () => {
  it.each`
    text                                | least     | because
    ${"ᏣᎳᎩ".repeat(1000)}               | ${3_000}  | ${"Cherokee: a script that was never fitted"}
    ${"ᚠᚢᚦ".repeat(1000)}               | ${3_000}  | ${"runes"}
    ${"𒀀".repeat(1000)}                 | ${2_000}  | ${"cuneiform, two units a character"}
    ${"\ue000".repeat(1000)}            | ${1_000}  | ${"private use"}
    ${"\ufffd".repeat(1000)}            | ${200}    | ${"text that was read in the wrong encoding"}
    ${"\udc00".repeat(1000)}            | ${1_000}  | ${"halves of surrogate pairs"}
    ${`\ud83d${"\udc00".repeat(1000)}`} | ${1_000}  | ${"halves that follow a pair"}
    ${"\u200d".repeat(1000)}            | ${900}    | ${"joiners, which show nothing"}
    ${"\0".repeat(1000)}                | ${900}    | ${"control characters"}
    ${"ს".repeat(1000)}                 | ${140}    | ${"a script without any space between"}
    ${"க".repeat(1000)}                 | ${140}    | ${"a script without any space between"}
    ${"a".repeat(100_000)}              | ${5_000}  | ${"one letter, without end"}
    ${"\n".repeat(100_000)}             | ${2_000}  | ${"empty lines"}
    ${" ".repeat(100_000)}              | ${700}    | ${"spaces"}
    ${"\t".repeat(100_000)}             | ${2_000}  | ${"tabs"}
    ${"=".repeat(100_000)}              | ${1_500}  | ${"a rule"}
    ${"─".repeat(100_000)}              | ${2_500}  | ${"a drawn rule"}
    ${"7".repeat(100_000)}              | ${30_000} | ${"digits come in threes at most"}
    ${"😀".repeat(1000)}                | ${1_000}  | ${"emoji"}
  `("$least tokens at least: $because", ({ text, least }: { text: string; least: number }) => {
    for (const family of FITTED_FAMILIES) expect(estimateTokens(text, family)).toBeGreaterThanOrEqual(least);
  });
});

describe("the work is one pass", () => {
  /** Reads a character at most this often, whatever the text: in the walk, at the end of a run, for the bytes. */
  const READS_PER_UNIT = 6;
  it.each`
    text                            | because
    ${"a".repeat(100_000)}          | ${"one letter a hundred thousand times"}
    ${"aB".repeat(50_000)}          | ${"a word that begins again at every second letter"}
    ${"word ".repeat(200_000)}      | ${"a million characters in one line"}
    ${"\u200d".repeat(100_000)}     | ${"zero-width joiners"}
    ${"👩‍👩‍👧".repeat(12_500)}          | ${"families of joined emoji"}
    ${"\ud83d".repeat(100_000)}     | ${"halves of surrogate pairs"}
    ${"的".repeat(100_000)}         | ${"Chinese without a space"}
    ${"e\u0301".repeat(50_000)}     | ${"a mark on every letter"}
    ${"1,".repeat(50_000)}          | ${"digits and commas"}
    ${" \n".repeat(50_000)}         | ${"blank lines with a space in each"}
    ${`"${"A+/9".repeat(25_000)}"`} | ${"an attachment in base64"}
  `("$because", ({ text }: { text: string }) => {
    expect(countReads(() => upperTokens(text, "unknown"))).toBeLessThanOrEqual(text.length * READS_PER_UNIT + 100);
  });
});

function countReads(act: () => unknown): number {
  const read = Object.getOwnPropertyDescriptor(String.prototype, "charCodeAt");
  let reads = 0;
  const counted = function (this: string, at: number): number {
    reads += 1;
    return Number(Reflect.apply(read?.value as (at: number) => number, this, [at]));
  };
  Object.defineProperty(String.prototype, "charCodeAt", { ...read, value: counted });
  try {
    act();
  } finally {
    Object.defineProperty(String.prototype, "charCodeAt", read ?? {});
  }
  return reads;
}
