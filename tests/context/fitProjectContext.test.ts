import fc from "fast-check";
import { createArtifactCosts } from "../../src/context/artifactCosts";
import { fitProjectContext } from "../../src/context/fitProjectContext";
import type { ContextArtifact } from "../../src/context/PromptContextTypes";
import { anArtifact, aPlainMeter } from "../fixtures";
import { artifacts } from "./arbitraries";
import { words } from "./measuring";

const source = (id: string, chars: number) => anArtifact(id, `# ${id}\n${words(chars)}`, { kind: "project_source" });
const meter = aPlainMeter();
const tokensOf = (fitted: readonly ContextArtifact[]) => {
  const costs = createArtifactCosts(meter);
  return fitted.reduce((sum, artifact) => sum + costs.priceOf(artifact).upperTokens, 0);
};

describe("project sources take at most half of the input budget", () => {
  it("what fits is left as it is, object by object", () => {
    const sources = [source("A.md", 400), source("B.md", 400)];
    const fitted = fitProjectContext(sources, 1_000, { meter });
    expect(fitted.reducedCount).toBe(0);
    fitted.artifacts.forEach((artifact, index) => expect(artifact).toBe(sources[index]));
  });

  it("500,000 tokens in three sources: the small one stays whole, the large ones share, and it is said how many", () => {
    const sources = [source("A.md", 1_000_000), source("B.md", 400), source("C.md", 1_000_000)];
    const fitted = fitProjectContext(sources, 100_000, { meter });
    expect(fitted.artifacts.map(({ id }) => id)).toEqual(["A.md", "B.md", "C.md"]);
    expect(fitted.segments.map(({ state }) => state)).toEqual(["shortened", "full", "shortened"]);
    expect(fitted.reducedCount).toBe(2);
    expect(fitted.artifacts[0]?.content).toMatch(/^Headings:\n# A\.md\n\nText from the start:\n# A\.md\nword/);
    expect(tokensOf(fitted.artifacts)).toBeLessThanOrEqual(50_000);
    expect(tokensOf(fitted.artifacts)).toBeGreaterThan(49_000);
  });

  it("the figures of the report are those of the sources", () => {
    const { segments } = fitProjectContext([source("A.md", 40_000)], 2_000, { meter });
    expect(segments).toMatchObject([{ id: "A.md", state: "shortened", fullTokens: 10_015 }]);
    expect(segments[0]?.tokens).toBeGreaterThan(950);
  });

  it("no sources are no context", () => {
    expect(fitProjectContext([], 1_000, { meter })).toEqual({
      artifacts: [],
      segments: [],
      upperTokens: 0,
      reducedCount: 0,
    });
  });

  it("whatever the sources: within half, the same from turn to turn, and fitted again it does not change", () => {
    const sources = fc.array(artifacts(fc.constant("project_source")), { maxLength: 8 });
    fc.assert(
      fc.property(sources, fc.integer({ min: 0, max: 2_000 }), (given, inputBudgetTokens) => {
        const fitted = fitProjectContext(given, inputBudgetTokens, { meter });
        const again = fitProjectContext(
          given.map((one) => ({ ...one })),
          inputBudgetTokens,
          { meter },
        );
        expect(fitted.upperTokens).toBeLessThanOrEqual(Math.floor(inputBudgetTokens / 2));
        expect(again.artifacts).toEqual(fitted.artifacts);
        expect(fitProjectContext(fitted.artifacts, inputBudgetTokens, { meter }).artifacts).toEqual(fitted.artifacts);
      }),
      { numRuns: 1000 },
    );
  });
});
