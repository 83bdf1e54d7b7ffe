import fc from "fast-check";
import type { TokenizerFamily } from "../../src/budget/budgetTypes";
import { createTokenMeter, imageTokens, pricedTokens } from "../../src/budget/requestCost";
import type { PricedParts, TokenMeter } from "../../src/budget/requestCost";
import { estimateTokens, upperTokens } from "../../src/budget/tokenEstimator";

/** A meter whose prices can be done in one's head: a token a character, and ten on top for the upper bound. */
const oneTokenAChar: TokenMeter = {
  family: "openai",
  calibration: 1,
  estimate: (text) => text.length,
  upper: (text) => (text === "" ? 0 : text.length + 10),
};

describe("everything that is sent has a price", () => {
  it.each`
    parts                                                                                     | estimate | upper   | because
    ${{}}                                                                                     | ${0}     | ${0}    | ${"nothing costs nothing"}
    ${{ texts: ["abc"] }}                                                                     | ${3}     | ${13}   | ${"text is the meter's"}
    ${{ texts: ["abc", "de"] }}                                                               | ${5}     | ${25}   | ${"texts add up"}
    ${{ texts: ["abc"], messages: 1 }}                                                        | ${7}     | ${17}   | ${"a message costs 4 beside its content"}
    ${{ messages: 3 }}                                                                        | ${12}    | ${12}   | ${"each of them"}
    ${{ toolCalls: [{ name: "read", arguments: "{}" }] }}                                     | ${14}    | ${34}   | ${"a call is its name, its arguments and 8"}
    ${{ images: [{ widthPixels: 512, heightPixels: 512 }] }}                                  | ${255}   | ${255}  | ${"an image by its pixels"}
    ${{ images: [{}, {}] }}                                                                   | ${3200}  | ${3200} | ${"images of unknown size have a flat price each"}
    ${{ texts: ["a"], images: [{}], toolCalls: [{ name: "b", arguments: "" }], messages: 1 }} | ${1614}  | ${1634} | ${"all together"}
  `("$parts → $estimate, at most $upper: $because", (row: { parts: PricedParts; estimate: number; upper: number }) => {
    expect(pricedTokens(oneTokenAChar, row.parts)).toEqual({ estimateTokens: row.estimate, upperTokens: row.upper });
  });

  const anyText = fc.string({ unit: "grapheme", maxLength: 60 });
  const anyParts: fc.Arbitrary<Required<PricedParts>> = fc.record({
    texts: fc.array(anyText, { maxLength: 4 }),
    images: fc.array(fc.record({ widthPixels: fc.nat({ max: 4000 }), heightPixels: fc.nat({ max: 4000 }) }), {
      maxLength: 3,
    }),
    toolCalls: fc.array(fc.record({ name: anyText, arguments: anyText }), { maxLength: 3 }),
    messages: fc.nat({ max: 5 }),
  });

  test("whatever the parts, the price of a whole is the sum of the prices of its parts", () => {
    const meter = createTokenMeter({ family: "openai", calibration: 1.3 });
    fc.assert(
      fc.property(anyParts, anyParts, (one, other) => {
        const first = pricedTokens(meter, one);
        const second = pricedTokens(meter, other);
        const together = pricedTokens(meter, {
          texts: [...one.texts, ...other.texts],
          images: [...one.images, ...other.images],
          toolCalls: [...one.toolCalls, ...other.toolCalls],
          messages: one.messages + other.messages,
        });
        expect(together.estimateTokens).toBe(first.estimateTokens + second.estimateTokens);
        expect(together.upperTokens).toBe(first.upperTokens + second.upperTokens);
        expect(together.upperTokens).toBeGreaterThanOrEqual(together.estimateTokens);
      }),
    );
  });
});

describe("a token meter", () => {
  const text = "The quick brown fox, 42 times.";
  it.each`
    calibration | because
    ${1}        | ${"nothing was observed"}
    ${1.25}     | ${"the provider counts more"}
    ${0.5}      | ${"the provider counts less"}
  `(
    "multiplies by the calibration $calibration and rounds up: $because",
    ({ calibration }: { calibration: number }) => {
      const meter = createTokenMeter({ family: "qwen", calibration });
      expect(meter.estimate(text)).toBe(Math.ceil(estimateTokens(text, "qwen") * calibration));
      expect(meter.upper(text)).toBe(Math.ceil(upperTokens(text, "qwen") * calibration));
      expect([meter.family, meter.calibration]).toEqual(["qwen", calibration]);
    },
  );

  test("an empty text costs nothing, whatever the calibration", () => {
    const meter = createTokenMeter({ family: "unknown", calibration: 2 });
    expect([meter.estimate(""), meter.upper("")]).toEqual([0, 0]);
  });
});

describe("an image is priced by its pixels, never by its base64", () => {
  it.each`
    family         | width        | height       | tokens  | because
    ${"openai"}    | ${512}       | ${512}       | ${255}  | ${"85 and one tile of 170"}
    ${"openai"}    | ${513}       | ${512}       | ${425}  | ${"one pixel more is a second tile"}
    ${"openai"}    | ${10}        | ${10}        | ${255}  | ${"small images are not enlarged"}
    ${"openai"}    | ${1024}      | ${1024}      | ${765}  | ${"to a short side of 768: four tiles"}
    ${"openai"}    | ${2048}      | ${4096}      | ${1105} | ${"into 2,048 square first, then 768 × 1,536: six tiles"}
    ${"openai"}    | ${4096}      | ${2048}      | ${1105} | ${"whichever side is longer"}
    ${"openai"}    | ${2072}      | ${1036}      | ${1105} | ${"scaled to 1,536 and a rounding error: still three tiles along"}
    ${"openai"}    | ${100_000}   | ${10}        | ${765}  | ${"a very long strip is scaled to 2,048 × 0.2"}
    ${"anthropic"} | ${750}       | ${100}       | ${100}  | ${"w·h / 750"}
    ${"anthropic"} | ${751}       | ${100}       | ${101}  | ${"rounded up"}
    ${"anthropic"} | ${1000}      | ${1000}      | ${1334} | ${"about a megapixel"}
    ${"anthropic"} | ${1568}      | ${1568}      | ${1600} | ${"above 1.15 megapixels it is scaled down"}
    ${"anthropic"} | ${8000}      | ${4000}      | ${1600} | ${"however large"}
    ${"anthropic"} | ${15_680}    | ${100}       | ${21}   | ${"the long side is scaled to 1,568"}
    ${"google"}    | ${384}       | ${384}       | ${258}  | ${"a small image is one tile"}
    ${"google"}    | ${385}       | ${384}       | ${258}  | ${"so is one up to 768"}
    ${"google"}    | ${769}       | ${768}       | ${516}  | ${"one pixel more is a second tile"}
    ${"google"}    | ${1536}      | ${1536}      | ${1032} | ${"four tiles"}
    ${"llama"}     | ${512}       | ${512}       | ${1600} | ${"its price is not published"}
    ${"unknown"}   | ${512}       | ${512}       | ${1600} | ${"whose price it is is not known"}
    ${"openai"}    | ${undefined} | ${512}       | ${1600} | ${"half a size is none"}
    ${"openai"}    | ${512}       | ${undefined} | ${1600} | ${"half a size is none"}
    ${"openai"}    | ${0}         | ${512}       | ${1600} | ${"a broken header"}
    ${"anthropic"} | ${-1}        | ${512}       | ${1600} | ${"a broken header"}
    ${"google"}    | ${NaN}       | ${512}       | ${1600} | ${"a broken header"}
    ${"google"}    | ${Infinity}  | ${512}       | ${1600} | ${"a broken header"}
  `("$family, $width × $height → $tokens: $because", (row: ImageRow) => {
    expect(imageTokens({ widthPixels: row.width, heightPixels: row.height }, row.family)).toBe(row.tokens);
  });

  test("without a size at all the price is flat", () => {
    expect(imageTokens(undefined, "openai")).toBe(1600);
  });

  test("whatever its size, an image costs a whole number of tokens", () => {
    const anyFamily = fc.constantFrom<TokenizerFamily>("openai", "anthropic", "google", "llama", "unknown");
    const anySide = fc.integer({ min: 1, max: 20_000 });
    fc.assert(
      fc.property(anySide, anySide, anyFamily, (widthPixels, heightPixels, family) => {
        const tokens = imageTokens({ widthPixels, heightPixels }, family);
        expect(Number.isInteger(tokens) && tokens > 0).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

interface ImageRow {
  family: TokenizerFamily;
  width?: number;
  height?: number;
  tokens: number;
}
