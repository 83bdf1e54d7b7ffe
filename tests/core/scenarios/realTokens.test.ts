/** The instruments of the scenarios, checked before anything is measured with them. */
import { createRandom } from "./random";
import { countO200k, inSlices, slicesOf } from "./realTokens";
import { createWriter, paragraphOf, WRITING_KINDS } from "./writing";

describe("counting in slices", () => {
  it.each(WRITING_KINDS)("%s counts as the whole does, because a slice ends where no token crosses", (kind) => {
    const text = createWriter(createRandom(7), { kinds: [kind], freshChars: 20_000 }).text(3000);
    expect(slicesOf(text, "after-break").join("")).toBe(text);
    expect(slicesOf(text, "after-break").length).toBeGreaterThan(1);
    expect(inSlices(countO200k, "after-break")(text)).toBe(countO200k(text));
  });

  it("counts a slice once", () => {
    const counted: string[] = [];
    const count = inSlices((slice) => counted.push(slice), "after-break");
    count("one\n\ntwo\n\none\n\n");
    count("two\n\nthree");
    expect(counted).toEqual(["one\n\n", "two\n\n", "three"]);
  });
});

describe("the writer", () => {
  it.each(WRITING_KINDS)("makes %s, the same for the same seed and another for another", (kind) => {
    const made = (seed: number) => paragraphOf(kind, createRandom(seed), 400);
    expect(made(1)).toBe(made(1));
    expect(made(1)).not.toBe(made(2));
    expect(made(1).length).toBeGreaterThanOrEqual(400);
  });

  it.each(WRITING_KINDS)("comes near the number of tokens asked for in %s", (kind) => {
    const text = createWriter(createRandom(3), { kinds: [kind], freshChars: 50_000 }).text(4000);
    expect(countO200k(text) / 4000).toBeGreaterThan(0.8);
    expect(countO200k(text) / 4000).toBeLessThan(1.25);
  });
});
