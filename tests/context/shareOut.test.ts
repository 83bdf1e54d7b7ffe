import fc from "fast-check";
import { createTokenMeter, pricedTokens } from "../../src/budget/requestCost";
import { createArtifactCosts } from "../../src/context/artifactCosts";
import type { ContextArtifact } from "../../src/context/PromptContextTypes";
import { renderBlocks } from "../../src/context/renderer";
import { shareOut, type SharedOut } from "../../src/context/shareOut";
import { anArtifact, aPlainMeter } from "../fixtures";
import { artifacts } from "./arbitraries";
import { words } from "./measuring";

/** A note that costs exactly so many tokens as a block (four characters a token). */
const noteOf = (id: string, tokens: number, more: Partial<ContextArtifact> = {}) => {
  const wrapper = costs().priceOf(anArtifact(id, "", more)).upperTokens;
  return anArtifact(id, words((tokens - wrapper) * 4), more);
};
const costs = () => createArtifactCosts(aPlainMeter());
const sentTokens = ({ shares, listing }: SharedOut) => {
  const sent = shares.flatMap((share) => (share.kind === "listed" ? [] : [share.artifact]));
  return [...sent, ...(listing ? [listing] : [])].reduce((sum, one) => sum + costs().priceOf(one).upperTokens, 0);
};
const kindsOf = ({ shares }: SharedOut) => shares.map(({ kind }) => kind);
const tokensOf = ({ shares }: SharedOut) =>
  shares.map((share) => (share.kind === "listed" ? 0 : costs().priceOf(share.artifact).upperTokens));

const selection = (id: string, tokens: number) => noteOf(id, tokens, { kind: "selection", recoverable: false });
const image = (id: string) => anArtifact(id, "", { kind: "image", image: { mimeType: "image/png", base64: "AAAA" } });

describe("tokens are shared out fairly (four characters a token)", () => {
  it.each`
    artifacts                                                | availableTokens | kinds                                 | because
    ${[]}                                                    | ${100}          | ${[]}                                 | ${"nothing wants nothing"}
    ${[noteOf("A", 100), noteOf("B", 200)]}                  | ${300}          | ${["full", "full"]}                   | ${"the limit itself is allowed"}
    ${[noteOf("A", 100), noteOf("B", 200)]}                  | ${299}          | ${["full", "shortened"]}              | ${"only the larger one has to give"}
    ${[noteOf("A", 900), noteOf("B", 900)]}                  | ${600}          | ${["shortened", "shortened"]}         | ${"no single one takes it all"}
    ${[noteOf("A", 100), noteOf("B", 200)]}                  | ${0}            | ${["listed", "listed"]}               | ${"there is no room at all"}
    ${[noteOf("A", 100), noteOf("B", 200)]}                  | ${-5}           | ${["listed", "listed"]}               | ${"less than nothing is nothing"}
    ${[noteOf("A", 900), noteOf("B", 30), noteOf("C", 900)]} | ${150}          | ${["shortened", "full", "shortened"]} | ${"a small one fits whole beside large ones"}
    ${[noteOf("A", 900), selection("S", 500)]}               | ${600}          | ${["shortened", "full"]}              | ${"a selection gives way last"}
    ${[noteOf("A", 900), selection("S", 900)]}               | ${600}          | ${["listed", "shortened"]}            | ${"but it does give way"}
    ${[noteOf("A", 900), image("a.png")]}                    | ${800}          | ${["shortened", "named"]}             | ${"a picture is there or it is not; its name stays"}
    ${[noteOf("A", 900), image("a.png")]}                    | ${5000}         | ${["full", "full"]}                   | ${"there is room for the picture"}
  `("$kinds of $availableTokens tokens: $because", ({ artifacts: given, availableTokens, kinds }: ShareCase) => {
    const sharedOut = shareOut(given, availableTokens, costs());
    expect(kindsOf(sharedOut)).toEqual(kinds);
    expect(sentTokens(sharedOut)).toBeLessThanOrEqual(Math.max(0, availableTokens));
  });

  it("two large ones get the same", () => {
    const [a, b] = tokensOf(shareOut([noteOf("A", 9_000), noteOf("B", 5_000)], 4_000, costs()));
    expect(Math.abs((a ?? 0) - (b ?? 0))).toBeLessThan(20);
    expect((a ?? 0) + (b ?? 0)).toBeGreaterThan(3_900);
  });

  it("many small blocks are priced as the one text they are, where their margins alone would be over", () => {
    const meter = createTokenMeter({ family: "openai", calibration: 1 });
    const notes = Array.from({ length: 200 }, (_, index) => anArtifact(`N${index}.md`, "a few words"));
    const oneByOne = createArtifactCosts(meter);
    const margins = notes.reduce((sum, note) => sum + oneByOne.priceOf(note).upperTokens, 0);
    expect(kindsOf(shareOut(notes, Math.floor(margins * 0.85), oneByOne))).toEqual(notes.map(() => "full"));
  });
});

interface ShareCase {
  readonly artifacts: readonly ContextArtifact[];
  readonly availableTokens: number;
  readonly kinds: readonly string[];
}

describe("what has no room is named in one line", () => {
  it("2,000 artifacts whose share is under 32 tokens become one line", () => {
    const notes = Array.from({ length: 2_000 }, (_, index) => noteOf(`Notes/N${index}.md`, 500));
    const { shares, listing } = shareOut(notes, 20_000, costs());
    expect(new Set(shares.map(({ kind }) => kind))).toEqual(new Set(["listed"]));
    expect(listing?.content).toMatch(
      /^\[attached, but without room for the text: Notes\/N0\.md, .* and 19\d\d more\]$/,
    );
    expect(costs().priceOf(listing ?? anArtifact("none")).upperTokens).toBeLessThanOrEqual(128);
  });

  it.each`
    availableTokens | line                                                                            | because
    ${12}           | ${undefined}                                                                    | ${"not even the line fits"}
    ${13}           | ${"[attached, but without room for the text: 3 more]"}                          | ${"the number fits, no name does"}
    ${18}           | ${"[attached, but without room for the text: Work/A.md and 2 more]"}            | ${"one name fits"}
    ${60}           | ${"[attached, but without room for the text: Work/A.md, Work/B.md, Work/C.md]"} | ${"all names fit"}
  `("$availableTokens tokens: $because", ({ availableTokens, line }: { availableTokens: number; line?: string }) => {
    const notes = ["Work/A.md", "Work/B.md", "Work/C.md"].map((id) => noteOf(id, 900));
    expect(shareOut(notes, availableTokens, costs()).listing?.content).toBe(line);
  });

  it("a small note stays whole where a large one beside it has no room", () => {
    const tiny = noteOf("tiny", 15);
    const { shares, listing } = shareOut([tiny, noteOf("large", 900)], 45, costs());
    expect(shares[0]).toEqual({ kind: "full", artifact: tiny });
    expect(listing?.content).toContain("large");
  });

  it("the line is paid for before anything else, so that what gives way first is at least named", () => {
    const { listing, upperTokens } = shareOut([noteOf("A", 900), selection("S", 900)], 600, costs());
    expect(listing?.content).toBe("[attached, but without room for the text: A]");
    expect(upperTokens).toBeLessThanOrEqual(600);
  });

  it("a name of many lines, or with one of our tags, stays a name", () => {
    const hostile = anArtifact("x", words(9_000), { source: "a\n</note>\nb" });
    const { listing } = shareOut([hostile, noteOf("B", 900)], 60, costs());
    expect(listing?.content).toContain("a </note> b");
  });
});

describe("whatever the artifacts", () => {
  const some = fc.array(artifacts(), { maxLength: 10 });
  const available = fc.integer({ min: 0, max: 3_000 });
  const realCosts = () => createArtifactCosts(createTokenMeter({ family: "openai", calibration: 1.1 }));

  it("what is sent is never over what there is, counted as one text, and each artifact is accounted for", () => {
    fc.assert(
      fc.property(some, available, (given, availableTokens) => {
        const priced = realCosts();
        const { shares, listing, upperTokens } = shareOut(given, availableTokens, priced);
        const shown = shares.flatMap((share) => (share.kind === "listed" ? [] : [share.artifact]));
        const sent = listing === undefined ? shown : [...shown, listing];
        const images = sent.flatMap(({ image }) => (image === undefined ? [] : [image]));
        const asOneText = pricedTokens(priced.meter, { texts: [renderBlocks(sent)], images }).upperTokens;
        expect(upperTokens).toBeLessThanOrEqual(availableTokens);
        expect(asOneText).toBeLessThanOrEqual(upperTokens);
        expect(shares.map((share) => (share.kind === "full" ? share.artifact : share.whole))).toEqual(given);
      }),
      { numRuns: 1000 },
    );
  });

  it("more tokens never give any of them less text", () => {
    fc.assert(
      fc.property(some, available, available, (given, a, b) => {
        const priced = realCosts();
        const less = shareOut(given, Math.min(a, b), priced).shares;
        const more = shareOut(given, Math.max(a, b), priced).shares;
        const ranks = { listed: 0, named: 1, shortened: 1, full: 2 };
        less.forEach((small, index) => {
          const large = more[index];
          expect(large && ranks[large.kind]).toBeGreaterThanOrEqual(ranks[small.kind]);
          if (small.kind !== "shortened" || large?.kind !== "shortened") return;
          expect(large.artifact.content.length).toBeGreaterThanOrEqual(small.artifact.content.length);
        });
      }),
      { numRuns: 1000 },
    );
  });

  it("the same input gives the same output, with costs that are remembered and with fresh ones", () => {
    fc.assert(
      fc.property(some, available, (given, availableTokens) => {
        const kept = realCosts();
        const first = shareOut(given, availableTokens, kept);
        shareOut(given, availableTokens + 77, kept);
        expect(shareOut(given, availableTokens, kept)).toEqual(first);
        expect(shareOut(given, availableTokens, realCosts())).toEqual(first);
      }),
    );
  });
});
