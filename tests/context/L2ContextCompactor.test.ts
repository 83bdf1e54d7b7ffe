import fc from "fast-check";
import { createTokenMeter, type TokenMeter } from "../../src/budget/requestCost";
import { priceOfBlock } from "../../src/context/artifactCosts";
import { BLOCK_REGISTRY } from "../../src/context/blockRegistry";
import { compactForCarryForward, shortenToTokens } from "../../src/context/L2ContextCompactor";
import type { ContextArtifact } from "../../src/context/PromptContextTypes";
import { renderBlock } from "../../src/context/renderer";
import { anArtifact, aPlainMeter } from "../fixtures";
import { artifacts } from "./arbitraries";
import { measuringMeter, words } from "./measuring";

describe("compactForCarryForward keeps the structure and a preview of each section", () => {
  it("headings stay, each section keeps about 500 characters, what is left out is marked", () => {
    const compacted = compactForCarryForward(anArtifact("P.md", `intro\n# A\n${words(2_000)}\n## B\nshort`));
    expect(compacted.content).toBe(`intro\n\n# A\n${words(2_000).slice(0, 499)} […]\n\n## B\nshort`);
  });

  it.each`
    what                                    | content                                    | chars              | ends
    ${"21 sections: 20 and how many more"}  | ${"# H\ntext\n".repeat(21) + words(5_000)} | ${[150, 250]}      | ${"[and 1 more section]"}
    ${"940 sections: 20 and how many more"} | ${`# H\n${words(600)}\n`.repeat(940)}      | ${[9_000, 11_000]} | ${"[and 920 more sections]"}
    ${"no headings: 2,000 characters"}      | ${words(60_000)}                           | ${[1_900, 2_010]}  | ${"[…]"}
    ${"one line of a million characters"}   | ${"x".repeat(1_000_000)}                   | ${[2_000, 2_010]}  | ${"[…]"}
    ${"a heading of a million characters"}  | ${"# " + "x".repeat(1_000_000)}            | ${[150, 210]}      | ${"x"}
    ${"code fences are not headings"}       | ${"```\n# no\n" + words(9_000) + "\n```"}  | ${[1_900, 2_010]}  | ${"[…]"}
    ${"emoji are cut between characters"}   | ${"😀".repeat(3_000)}                      | ${[1_990, 2_010]}  | ${"😀 […]"}
    ${"blank lines only"}                   | ${"\n".repeat(100_000)}                    | ${[0, 10]}         | ${"[…]"}
  `("$what", ({ content, chars, ends }: { content: string; chars: [number, number]; ends: string }) => {
    const compacted = compactForCarryForward(anArtifact("P.md", content)).content;
    expect(compacted.length).toBeGreaterThanOrEqual(chars[0]);
    expect(compacted.length).toBeLessThanOrEqual(chars[1]);
    expect(compacted.endsWith(ends)).toBe(true);
  });

  it("says what it was and where it comes from", () => {
    const compacted = compactForCarryForward(anArtifact("https://x", words(9_000), { kind: "url", title: "X" }));
    expect(compacted).toMatchObject({ id: "https://x", kind: "prior_context", originKind: "url", title: "X" });
    expect(renderBlock(compacted).split("\n")[0]).toBe('<prior_context source="https://x" type="url">');
  });

  it.each`
    what                        | artifact                                                           | because
    ${"a small note"}           | ${anArtifact("P.md", "# A\nshort")}                                | ${"nothing would be gained"}
    ${"an empty note"}          | ${anArtifact("P.md", "")}                                          | ${"nothing would be gained"}
    ${"a long selection"}       | ${anArtifact("selection:1", words(90_000), { kind: "selection" })} | ${"it cannot be fetched again"}
    ${"what was compacted"}     | ${compactForCarryForward(anArtifact("P.md", words(90_000)))}       | ${"it would lose more each time"}
    ${"an image that has gone"} | ${anArtifact("a.png", "", { kind: "image" })}                      | ${"only its name is left"}
  `("$what stays the same object: $because", ({ artifact }: { artifact: ContextArtifact }) => {
    expect(compactForCarryForward(artifact)).toBe(artifact);
  });

  it("an image leaves its name, not its picture", () => {
    const image = { mimeType: "image/png", base64: "AAAA" };
    const compacted = compactForCarryForward(anArtifact("a.png", "", { kind: "image", image }));
    expect(compacted.image).toBeUndefined();
    expect(renderBlock(compacted)).toBe("[image: a.png]");
  });

  it("whatever the artifact: never longer, the same id and source, done twice as done once", () => {
    fc.assert(
      fc.property(artifacts(), (artifact) => {
        const once = compactForCarryForward(artifact);
        expect(once.content.length).toBeLessThanOrEqual(artifact.content.length);
        expect([once.id, once.source, once.hash]).toEqual([artifact.id, artifact.source, artifact.hash]);
        expect(compactForCarryForward(once)).toBe(once);
        expect(compactForCarryForward({ ...artifact })).toEqual(once);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("shortenToTokens: headings, then text from the start, and a marker (four characters a token)", () => {
  const note = anArtifact("P.md", `# A\n${words(1_000)}\n# B\n${words(1_000)}`);

  it.each`
    shareTokens | kept                                                                                    | because
    ${36}       | ${/^<note source="P.md">\nHeadings:\n# A\n\nText from the start:\n# A\nw/}              | ${"the first heading fits its quarter"}
    ${100}      | ${/^<note source="P.md">\nHeadings:\n# A\n# B\n\nText from the start:\n# A\nword word/} | ${"both headings fit"}
  `("$shareTokens tokens: $because", ({ shareTokens, kept }: { shareTokens: number; kept: RegExp }) => {
    const block = renderBlock(shortenToTokens(note, shareTokens, aPlainMeter()));
    expect(block).toMatch(kept);
    expect(block).toMatch(/\n\[shortened from 510 tokens; ask for a section, or raise the limit\]\n<\/note>$/);
  });

  it.each`
    fullChars     | marker
    ${2_000}      | ${"shortened from 508 tokens"}
    ${244_000}    | ${"shortened from 61k tokens"}
    ${11_000_000} | ${"shortened from 2.8M tokens"}
  `("a text of $fullChars characters is $marker", ({ fullChars, marker }: { fullChars: number; marker: string }) => {
    expect(shortenToTokens(anArtifact("P.md", words(fullChars)), 200, aPlainMeter()).content).toContain(marker);
  });

  it.each(["selection", "paste"] as const)(
    "of a %s its head and its tail stay, since it cannot be fetched again",
    (kind) => {
      const content = `START ${words(5_000)} END`;
      const shortened = shortenToTokens(anArtifact("s:1", content, { kind, source: "P.md" }), 200, aPlainMeter());
      expect(shortened.content).toMatch(
        /^START word[^[]*\n\[shortened from 1k tokens: the middle is left out[^\]]*\]\n[^[]*word +END$/,
      );
      expect(shortened.content.length).toBeGreaterThan(500);
    },
  );

  it("what fits whole is the same object, and one token less is not", () => {
    const fullTokens = priceOfBlock(note, "own", aPlainMeter()).upperTokens;
    expect(shortenToTokens(note, fullTokens, aPlainMeter())).toBe(note);
    expect(shortenToTokens(note, fullTokens - 1, aPlainMeter())).not.toBe(note);
  });

  it("shortened twice, it still says from how much", () => {
    const once = shortenToTokens(anArtifact("P.md", words(244_000)), 1_000, aPlainMeter());
    const twice = shortenToTokens(once, 500, aPlainMeter());
    expect(twice.content.match(/shortened from 61k tokens/g)).toHaveLength(1);
    expect(twice.shortenedFromTokens).toBe(once.shortenedFromTokens);
  });

  it("of a picture that does not fit the text stays as long as it fits", () => {
    const image = { mimeType: "image/png", base64: "AAAA" };
    const shortened = shortenToTokens(anArtifact("a.png", "a caption", { kind: "image", image }), 100, aPlainMeter());
    expect(shortened.image).toBeUndefined();
    expect(shortened.content).toBe("a caption");
  });

  const meters = fc.constantFrom<TokenMeter>(
    aPlainMeter(),
    createTokenMeter({ family: "openai", calibration: 1 }),
    createTokenMeter({ family: "unknown", calibration: 1.3 }),
  );
  const shares = fc.integer({ min: 0, max: 1_200 });
  const longArtifacts = artifacts().map((artifact) => ({ ...artifact, content: artifact.content.repeat(9) }));

  it("whatever the artifact and the share: the block fits, or there is no text in it", () => {
    fc.assert(
      fc.property(longArtifacts, shares, meters, (artifact, shareTokens, meter) => {
        const shortened = shortenToTokens(artifact, shareTokens, meter);
        const fits = priceOfBlock(shortened, "own", meter).upperTokens <= shareTokens;
        expect(fits || shortened.content === "").toBe(true);
        expect([shortened.id, shortened.hash]).toEqual([artifact.id, artifact.hash]);
        expect(shortenToTokens({ ...artifact }, shareTokens, meter)).toEqual(shortened);
      }),
      { numRuns: 1000 },
    );
  });

  it("more share never gives less text", () => {
    fc.assert(
      fc.property(longArtifacts, shares, shares, meters, (artifact, a, b, meter) => {
        const less = shortenToTokens(artifact, Math.min(a, b), meter);
        const more = shortenToTokens(artifact, Math.max(a, b), meter);
        expect(ownTextOf(more).length).toBeGreaterThanOrEqual(ownTextOf(less).length);
      }),
      { numRuns: 1000 },
    );
  });

  it("a share is used up to a few percent, but for what a whole word or heading would take", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 20_000 }), (shareTokens) => {
        const shortened = shortenToTokens(anArtifact("P.md", words(100_000)), shareTokens, aPlainMeter());
        const usedTokens = priceOfBlock(shortened, "own", aPlainMeter()).upperTokens;
        expect(usedTokens).toBeGreaterThanOrEqual(shareTokens * 0.97 - 2);
      }),
    );
  });

  it.each(Object.keys(BLOCK_REGISTRY))("a %s that is cut is well-formed text", (kind) => {
    const artifact = anArtifact("x", "😀".repeat(4_000), { kind: kind as ContextArtifact["kind"] });
    for (let shareTokens = 60; shareTokens < 90; shareTokens++) {
      const { content } = shortenToTokens(artifact, shareTokens, aPlainMeter());
      expect([...content].filter((character) => /^[\ud800-\udfff]$/.test(character))).toEqual([]);
    }
  });

  it("a text of 11 million characters takes no more than its length once, and a few times what is kept", () => {
    const workOf = (chars: number) => {
      const { meter, countedChars } = measuringMeter();
      shortenToTokens(anArtifact("P.md", words(chars)), 4_000, meter);
      return countedChars();
    };
    const work = workOf(11_000_000);
    // Twice the length: the estimate for the marker and the upper bound for the decision.
    expect(work).toBeLessThan(2 * 11_000_000 + 40 * 4_000 * 4);
    expect(work / workOf(1_100_000)).toBeLessThan(11);
  });
});

/** What is left of the artifact itself: without our labels and our marker. */
function ownTextOf({ content }: ContextArtifact): string {
  return content
    .replace(/\n\[shortened from [^\]]*\]\n?/, "")
    .replace(/^Headings:\n/, "")
    .replace("\n\nText from the start:\n", "");
}
