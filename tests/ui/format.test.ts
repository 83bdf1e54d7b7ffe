import { exactFigure, shortFigure, tokensInWords } from "../../src/ui/format";

describe("figures for narrow places", () => {
  it.each`
    value         | short
    ${0}          | ${"0"}
    ${999}        | ${"999"}
    ${1000}       | ${"1k"}
    ${1249}       | ${"1.2k"}
    ${9949}       | ${"9.9k"}
    ${9950}       | ${"10k"}
    ${128_000}    | ${"128k"}
    ${999_499}    | ${"999k"}
    ${999_500}    | ${"1M"}
    ${1_500_000}  | ${"1.5M"}
    ${12_000_000} | ${"12M"}
    ${NaN}        | ${"?"}
  `("$value is $short", ({ value, short }: { value: number; short: string }) => {
    expect(shortFigure(value)).toBe(short);
  });
});

test("whole figures are grouped, and one is not many", () => {
  expect([exactFigure(1234567.4), tokensInWords(1), tokensInWords(2000)]).toEqual([
    "1,234,567",
    "1 token",
    "2,000 tokens",
  ]);
});
