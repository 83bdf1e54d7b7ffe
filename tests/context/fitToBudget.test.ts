import { compactForCarryForward } from "../../src/context/L2ContextCompactor";
import { fitToBudget, type FittedPlan } from "../../src/context/fitToBudget";
import type { ContextArtifact, TurnPlan } from "../../src/context/PromptContextTypes";
import type { LayerReport } from "../../src/context/requestReport";
import { anArtifact, aPlainMeter, aPlan } from "../fixtures";
import { measuringMeter, words } from "./measuring";

const meter = aPlainMeter();
const fit = (plan: Partial<TurnPlan>, inputBudgetTokens: number, newestTurnTokens = 0): FittedPlan =>
  fitToBudget(aPlan(plan), inputBudgetTokens, { meter, newestTurnTokens });
const note = (id: string, chars = 400) => anArtifact(id, words(chars));
const source = (id: string, chars = 400) => anArtifact(id, words(chars), { kind: "project_source" });
const image = { mimeType: "image/png", base64: "AAAA" };
const idsOf = (artifacts: readonly ContextArtifact[]) => artifacts.map(({ id }) => id);
const layer = (fitted: FittedPlan, id: LayerReport["id"]) => fitted.layers.find((one) => one.id === id);
/** "A.md full", "B.md shortened" … of one layer. */
const states = (fitted: FittedPlan, id: LayerReport["id"]) =>
  layer(fitted, id)?.segments.map((segment) => `${segment.id} ${segment.state}`);

describe("a turn that fits is left as it is", () => {
  it("nothing is changed, object by object, and nothing is said", () => {
    const plan = aPlan({
      systemPrompt: "You help.",
      projectContext: [source("P.md")],
      library: [note("L.md")],
      earlierContext: [note("E.md")],
      turnContext: [note("T.md")],
      tools: [{ name: "read", schemaJson: "{}" }],
    });
    const fitted = fitToBudget(plan, 10_000, { meter, newestTurnTokens: 500 });
    expect(fitted.plan).toEqual(plan);
    expect(fitted.plan.library[0]).toBe(plan.library[0]);
    expect(fitted.warnings).toEqual([]);
    expect(fitted.layers.map(({ id }) => id)).toEqual(["L1_SYSTEM", "L2_PREVIOUS", "L3_TURN", "L5_USER"]);
    expect(fitted.layers.flatMap(({ segments }) => segments.map(({ state }) => state))).not.toContain("shortened");
  });

  it("an empty turn is one", () => {
    const fitted = fit({ user: { text: "", images: [] } }, 1_500);
    expect(fitted.layers.map(({ tokens }) => tokens)).toEqual([0, 0, 0, 4]);
    expect(fitted.fixedTokens).toBe(8);
  });
});

describe("what is fixed is priced before anything else", () => {
  it("the limit for L2 and L3 is the budget without L1, L5, the tools and the newest turn up to an eighth", () => {
    const usable = (more: Partial<TurnPlan>, newestTurnTokens = 0) =>
      fit({ ...more, turnContext: [note("T.md", 100_000)] }, 8_000, newestTurnTokens).layers[2]?.tokens ?? 0;
    const all = usable({});
    expect(all).toBeGreaterThan(7_800);
    expect(all - usable({ systemPrompt: words(8_000) })).toBeGreaterThan(1_900);
    expect(all - usable({ tools: [{ name: "t", schemaJson: words(8_000) }] })).toBeGreaterThan(1_900);
    expect(all - usable({ user: { text: words(8_000), images: [] } })).toBeGreaterThan(1_900);
    expect(all - usable({}, 400)).toBeGreaterThan(300);
    expect(usable({}, 1_000)).toBe(usable({}, 90_000));
  });

  it("what the newest turn needs at the very least is kept free even above an eighth", () => {
    const turnContext = [note("T.md", 100_000)];
    const fitted = (newestTurnFloorTokens: number) =>
      fitToBudget(aPlan({ turnContext }), 8_000, { meter, newestTurnTokens: 5_000, newestTurnFloorTokens }).fixedTokens;
    expect(fitted(0)).toBeGreaterThan(6_800);
    expect(fitted(3_000)).toBeLessThanOrEqual(5_000);
    expect(fitted(100)).toBe(fitted(0));
  });

  it.each`
    what               | plan
    ${"system prompt"} | ${{ systemPrompt: words(40_000) }}
    ${"question"}      | ${{ user: { text: words(40_000), images: [] } }}
    ${"tool schemas"}  | ${{ tools: [{ name: "t", schemaJson: words(40_000) }] }}
  `("a $what over the budget is never cut; everything else is left out", ({ plan }: { plan: Partial<TurnPlan> }) => {
    const given = aPlan({
      ...plan,
      projectContext: [source("P.md")],
      library: [note("L.md")],
      turnContext: [note("T.md")],
    });
    const fitted = fitToBudget(given, 8_000, { meter, newestTurnTokens: 100 });
    expect(fitted.plan.systemPrompt).toBe(given.systemPrompt);
    expect(fitted.plan.user).toBe(given.user);
    expect(fitted.plan.tools).toBe(given.tools);
    expect([fitted.plan.projectContext, fitted.plan.library, fitted.plan.turnContext]).toEqual([[], [], []]);
    expect(states(fitted, "L3_TURN")).toEqual(["L.md left-out", "T.md left-out"]);
  });
});

describe("project context", () => {
  it("over half of the budget it is fitted again, for instance when a request is rebuilt for a smaller model", () => {
    const fitted = fit({ projectContext: [source("A.md", 400), source("B.md", 400_000)] }, 10_000);
    expect(states(fitted, "L1_SYSTEM")).toEqual(["A.md full", "B.md shortened"]);
    expect(layer(fitted, "L1_SYSTEM")?.tokens).toBeLessThanOrEqual(5_000);
    expect(fitted.reducedSources).toBe(1);
  });

  it("where prompt and question leave less than half, it gets what they leave", () => {
    const fitted = fit({ systemPrompt: words(20_000), projectContext: [source("A.md", 400_000)] }, 8_000, 5_000);
    expect(fitted.fixedTokens).toBeLessThanOrEqual(7_000);
    expect(states(fitted, "L1_SYSTEM")).toEqual(["system-prompt full", "A.md shortened"]);
  });
});

describe("the library has a lasting place", () => {
  it.each`
    library                                        | stays               | moves       | because
    ${[note("A.md", 8_000), note("B.md", 4_000)]}  | ${["A.md", "B.md"]} | ${[]}       | ${"together they are under half of what L1 leaves"}
    ${[note("A.md", 19_000), note("B.md", 4_000)]} | ${["A.md"]}         | ${["B.md"]} | ${"B would take it over half, so it stays with this turn"}
    ${[note("A.md", 21_000), note("B.md", 4_000)]} | ${["B.md"]}         | ${["A.md"]} | ${"A alone is over half; B fits"}
  `("$because", ({ library, stays, moves }: { library: ContextArtifact[]; stays: string[]; moves: string[] }) => {
    const fitted = fit({ library, turnContext: [note("T.md")] }, 10_000);
    expect(idsOf(fitted.plan.library)).toEqual(stays);
    expect(idsOf(fitted.plan.turnContext)).toEqual([...moves, "T.md"]);
  });

  it("a note of the library that has to be shortened goes with this turn: a share that moves would move all after it", () => {
    const library = [note("A.md", 4_000), note("B.md", 15_000)];
    const fitted = fit({ library, turnContext: [note("T.md", 90_000), note("U.md", 90_000)] }, 10_000);
    expect(idsOf(fitted.plan.library)).toEqual(["A.md"]);
    expect(states(fitted, "L2_PREVIOUS")).toEqual(["A.md full"]);
    expect(states(fitted, "L3_TURN")).toEqual(["B.md shortened", "T.md shortened", "U.md shortened"]);
  });
});

describe("what gives way when L2 and L3 are over", () => {
  it("earlier context leaves first, least recently attached first, before anything attached is shortened", () => {
    const earlierContext = [note("E1.md"), note("E2.md"), note("E3.md")];
    const fitted = fit({ earlierContext, turnContext: [note("T.md", 39_200)] }, 10_000);
    expect(states(fitted, "L2_PREVIOUS")).toEqual(["E1.md left-out", "E2.md left-out", "E3.md full"]);
    expect(states(fitted, "L3_TURN")).toEqual(["T.md full"]);
  });

  it("earlier context is under an eighth of the budget even where there is room", () => {
    const earlierContext = Array.from({ length: 20 }, (_, index) => note(`E${index}.md`));
    const kept = fit({ earlierContext }, 10_000).plan.earlierContext;
    expect(idsOf(kept)[0]).toBe("E11.md");
    expect(kept).toHaveLength(9);
  });

  it("what was compacted before is told from what is there in full", () => {
    const earlierContext = [compactForCarryForward(note("E1.md", 9_000)), note("E2.md")];
    expect(states(fit({ earlierContext }, 20_000), "L2_PREVIOUS")).toEqual(["E1.md shortened", "E2.md full"]);
  });

  it("then what is attached shares what there is, and each one is named in the report with its full cost", () => {
    const fitted = fit({ turnContext: [note("A.md", 244_000), note("B.md"), note("C.md", 244_000)] }, 10_000);
    expect(states(fitted, "L3_TURN")).toEqual(["A.md shortened", "B.md full", "C.md shortened"]);
    expect(layer(fitted, "L3_TURN")?.segments[0]?.fullTokens).toBe(61_008);
    expect(fitted.plan.turnContext[0]?.content).toContain(
      "[shortened from 61k tokens; ask for a section, or raise the limit]",
    );
  });

  it("a selection shrinks last", () => {
    const selection = anArtifact("selection:1", words(30_000), { kind: "selection", recoverable: false });
    const fitted = fit({ turnContext: [note("A.md", 244_000), selection] }, 10_000);
    expect(states(fitted, "L3_TURN")).toEqual(["A.md shortened", "selection:1 full"]);
  });

  it("2,000 notes become one line", () => {
    const turnContext = Array.from({ length: 2_000 }, (_, index) => note(`N${index}.md`));
    const fitted = fit({ turnContext }, 10_000);
    expect(idsOf(fitted.plan.turnContext)).toEqual(["listing"]);
    expect(fitted.plan.turnContext[0]?.content).toMatch(/and 1980 more\]$/);
    expect(layer(fitted, "L3_TURN")?.segments).toHaveLength(2_001);
  });
});

describe("each text once", () => {
  it.each`
    plan                                                                                   | turn                                     | because
    ${{ projectContext: [source("A.md")], turnContext: [anArtifact("A.md", words(400))] }} | ${["A.md reference"]}                    | ${"it is in L1 in full"}
    ${{ turnContext: [note("A.md"), note("A.md#Goals")] }}                                 | ${["A.md full", "A.md#Goals reference"]} | ${"the section is in the note"}
    ${{ turnContext: [note("A.md", 244_000), note("A.md#Goals")] }}                        | ${["A.md shortened", "A.md#Goals full"]} | ${"the note is not there in full, so the section keeps its own text"}
    ${{ library: [note("A.md")], turnContext: [note("A.md#Goals")] }}                      | ${["A.md#Goals reference"]}              | ${"the note is in the library"}
    ${{ library: [note("A.md", 244_000)], turnContext: [note("A.md#Goals", 16_000)] }}     | ${["A.md shortened", "A.md#Goals full"]} | ${"a note the library has no room for is no reason to leave out its section"}
  `("$because", ({ plan, turn }: { plan: Partial<TurnPlan>; turn: string[] }) => {
    expect(states(fit(plan, 10_000), "L3_TURN")).toEqual(turn);
  });

  it("a preview in L1 and attached now: the full text is in L3", () => {
    const large = source("A.md", 30_000);
    const attached: ContextArtifact = { ...large, kind: "note" };
    const fitted = fit({ projectContext: [large, source("B.md", 90_000)], turnContext: [attached] }, 20_000);
    expect(states(fitted, "L1_SYSTEM")).toEqual(["A.md shortened", "B.md shortened"]);
    expect(states(fitted, "L3_TURN")).toEqual(["A.md full"]);
    expect(fitted.plan.turnContext[0]).toBe(attached);
  });

  it("what is attached again leaves earlier context", () => {
    const fitted = fit({ earlierContext: [note("A.md")], turnContext: [note("A.md")] }, 10_000);
    expect(fitted.plan.earlierContext).toEqual([]);
    expect(states(fitted, "L2_PREVIOUS")).toEqual(["A.md reference"]);
  });
});

describe("images", () => {
  it("images of the question go along in their order as long as they fit; of the others the name stays, with a warning", () => {
    const images = ["a.png", "b.png", "c.png"].map((name) => ({ ...image, name }));
    const fitted = fit({ user: { text: "look", images } }, 4_000);
    expect(fitted.plan.user.images.map(({ name }) => name)).toEqual(["a.png", "b.png"]);
    expect(fitted.plan.turnContext.map(({ kind, title }) => `${kind} ${title}`)).toEqual(["image c.png"]);
    expect(fitted.warnings).toEqual([{ code: "IMAGE_LEFT_OUT", name: "c.png" }]);
    expect(layer(fitted, "L5_USER")?.tokens).toBe(4 + 1 + 3_200);
  });

  it("an attached image that does not fit is named too", () => {
    const fitted = fit({ turnContext: [anArtifact("a.png", "", { kind: "image", image })] }, 1_000);
    expect(fitted.plan.turnContext[0]?.image).toBeUndefined();
    expect(states(fitted, "L3_TURN")).toEqual(["a.png left-out"]);
    expect(fitted.warnings).toEqual([{ code: "IMAGE_LEFT_OUT", name: "a.png" }]);
  });
});

describe("speed", () => {
  it("an attachment of 11 million characters is counted once, and its shortened form is made once", () => {
    const { meter: measured, countedChars } = measuringMeter();
    const plan = aPlan({ turnContext: [note("A.md", 11_000_000), note("B.md", 40_000)] });
    const first = fitToBudget(plan, 32_000, { meter: measured, newestTurnTokens: 100 });
    const work = countedChars();
    expect(states(first, "L3_TURN")).toEqual(["A.md shortened", "B.md full"]);
    expect(work).toBeLessThan(2 * 11_000_000 + 30 * 32_000 * 4);
  });

  it("ten times the text is at most eleven times the work", () => {
    const workOf = (chars: number) => {
      const { meter: measured, countedChars } = measuringMeter();
      fitToBudget(aPlan({ turnContext: [note("A.md", chars)] }), 32_000, { meter: measured, newestTurnTokens: 100 });
      return countedChars();
    };
    expect(workOf(11_000_000) / workOf(1_100_000)).toBeLessThan(11);
  });
});
