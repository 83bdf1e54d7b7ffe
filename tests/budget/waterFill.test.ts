import fc from "fast-check";
import { waterFill } from "../../src/budget/waterFill";

describe("waterFill shares fairly, and nobody gets more than wanted", () => {
  it.each`
    wants              | available    | shares                | because
    ${[]}              | ${100}       | ${[]}                 | ${"nobody is there"}
    ${[5]}             | ${5}         | ${[5]}                | ${"what fits exactly fits whole"}
    ${[6]}             | ${5}         | ${[5]}                | ${"one alone gets all there is"}
    ${[10, 20, 30]}    | ${60}        | ${[10, 20, 30]}       | ${"equality needs no cut"}
    ${[10, 20, 30]}    | ${59}        | ${[10, 20, 29]}       | ${"the largest gives way first"}
    ${[10, 100, 100]}  | ${90}        | ${[10, 40, 40]}       | ${"what the small one does not want is shared by the others"}
    ${[100, 10, 100]}  | ${90}        | ${[40, 10, 40]}       | ${"the order of wants is kept"}
    ${[100, 100, 100]} | ${100}       | ${[34, 33, 33]}       | ${"the odd token goes to the first in order"}
    ${[9, 9, 9, 1]}    | ${12}        | ${[4, 4, 3, 1]}       | ${"odd tokens go only to those who want more"}
    ${[3, 3]}          | ${1}         | ${[1, 0]}             | ${"tokens are whole"}
    ${[3, 3]}          | ${1.9}       | ${[1, 0]}             | ${"a fraction of a token buys nothing"}
    ${[3, 0]}          | ${100}       | ${[3, 0]}             | ${"wanting nothing is allowed"}
    ${[3, -4, NaN]}    | ${100}       | ${[3, 0, 0]}          | ${"a want that is no amount wants nothing"}
    ${[3, 4]}          | ${0}         | ${[0, 0]}             | ${"there is nothing"}
    ${[3, 4]}          | ${-5}        | ${[0, 0]}             | ${"a debt is not shared out"}
    ${[3, 4]}          | ${NaN}       | ${[0, 0]}             | ${"an unknown amount is no amount"}
    ${[3, 4]}          | ${Infinity}  | ${[3, 4]}             | ${"without a limit everybody gets what is wanted"}
    ${[1e9, 1e9]}      | ${1_000_001} | ${[500_001, 500_000]} | ${"the work does not depend on the amount"}
  `(
    "$wants of $available → $shares: $because",
    ({ wants, available, shares }: { wants: number[]; available: number; shares: number[] }) => {
      expect(waterFill(wants, available)).toEqual(shares);
    },
  );

  const anyWants = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 12 });
  const anyAvailable = fc.integer({ min: 0, max: 300 });

  test("whatever is wanted, it equals pouring one token at a time, round after round", () => {
    fc.assert(
      fc.property(anyWants, anyAvailable, (wants, available) => {
        expect(waterFill(wants, available)).toEqual(pourOneByOne(wants, available));
      }),
      { numRuns: 1000 },
    );
  });

  test("all that is there is given away, until everybody has what they want", () => {
    fc.assert(
      fc.property(anyWants, anyAvailable, (wants, available) => {
        expect(sum(waterFill(wants, available))).toBe(Math.min(available, sum(wants)));
      }),
      { numRuns: 1000 },
    );
  });

  test("more to share never gives anybody less", () => {
    fc.assert(
      fc.property(anyWants, anyAvailable, fc.nat({ max: 40 }), (wants, available, more) => {
        const before = waterFill(wants, available);
        const after = waterFill(wants, available + more);
        expect(after.every((share, index) => share >= (before[index] ?? 0))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

function pourOneByOne(wants: readonly number[], available: number): number[] {
  const shares = wants.map(() => 0);
  let left = available;
  let poured = true;
  while (poured) {
    poured = false;
    for (const [index, want] of wants.entries()) {
      const share = shares[index] ?? 0;
      if (left === 0 || share >= want) continue;
      shares[index] = share + 1;
      left -= 1;
      poured = true;
    }
  }
  return shares;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
