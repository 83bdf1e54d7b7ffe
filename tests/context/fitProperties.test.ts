/** The properties of docs/budget.md 3 that concern L1 to L3 and L5, over any turn. */
import fc from "fast-check";
import { createTokenMeter, pricedTokens, type TokenMeter } from "../../src/budget/requestCost";
import { fitToBudget, type FittedPlan } from "../../src/context/fitToBudget";
import { envelopeToMessages, type LayerMessages } from "../../src/context/LayerToMessagesConverter";
import { createMessageCoster } from "../../src/context/messageCost";
import { buildEnvelope } from "../../src/context/planEnvelope";
import type { ContextArtifact, ProcessedMessage, TurnPlan } from "../../src/context/PromptContextTypes";
import { renderBlock, renderBlocks } from "../../src/context/renderer";
import { aPlainMeter } from "../fixtures";
import { plans } from "./arbitraries";

const meters = fc.constantFrom<TokenMeter>(
  aPlainMeter(),
  aPlainMeter(),
  createTokenMeter({ family: "openai", calibration: 1 }),
  createTokenMeter({ family: "unknown", calibration: 1.3 }),
  createTokenMeter({ family: "anthropic", calibration: 0.7 }),
);
const budgets = fc.integer({ min: 0, max: 6_000 });
const newest = fc.integer({ min: 0, max: 2_000 });
const runs = { numRuns: 1000 };

const messagesOf = ({ plan }: FittedPlan, meter: TokenMeter) => envelopeToMessages(buildEnvelope(plan, meter));
const textOf = (message: ProcessedMessage | undefined) => {
  const content = message?.content ?? "";
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
};
const tokensOf = (plan: TurnPlan, { system, user }: LayerMessages, meter: TokenMeter) => {
  const costOf = createMessageCoster(meter);
  const tools = pricedTokens(meter, { texts: plan.tools.map(({ schemaJson }) => schemaJson) }).upperTokens;
  return tools + costOf(user).upperTokens + (system === undefined ? 0 : costOf(system).upperTokens);
};
/** What no step of the ladder may cut: system prompt, tools, what was typed. */
const uncuttable = (plan: TurnPlan): TurnPlan => ({
  ...plan,
  projectContext: [],
  library: [],
  earlierContext: [],
  turnContext: [],
  user: { ...plan.user, images: [] },
});

it("the messages fit whenever they can, with the newest turn beside them", () => {
  fc.assert(
    fc.property(plans, budgets, newest, meters, (plan, inputBudgetTokens, newestTurnTokens, meter) => {
      const fitted = fitToBudget(plan, inputBudgetTokens, { meter, newestTurnTokens });
      const tokens = tokensOf(plan, messagesOf(fitted, meter), meter);
      const reserveTokens = Math.min(newestTurnTokens, Math.floor(inputBudgetTokens / 8));
      const atLeast = fitToBudget(uncuttable(plan), inputBudgetTokens, { meter, newestTurnTokens }).fixedTokens;
      expect(tokens).toBeLessThanOrEqual(Math.max(inputBudgetTokens - reserveTokens, atLeast));
      expect(tokens).toBeLessThanOrEqual(fitted.fixedTokens);
    }),
    runs,
  );
});

it("what fits in full is left in full", () => {
  fc.assert(
    fc.property(plans, meters, (plan, meter) => {
      const roomy = fitToBudget(plan, 1_000_000, { meter, newestTurnTokens: 0 });
      expect(roomy.plan.projectContext).toEqual(plan.projectContext);
      expect(roomy.plan.user).toBe(plan.user);
      expect(roomy.warnings).toEqual([]);
      const states = new Set(roomy.layers.flatMap(({ segments }) => segments.map(({ state }) => state)));
      expect([...states].filter((state) => state !== "full" && state !== "reference")).toEqual([]);
    }),
    runs,
  );
});

it("what was typed is byte-identical and last, and the system prompt is byte-identical and first", () => {
  fc.assert(
    fc.property(plans, budgets, meters, (plan, inputBudgetTokens, meter) => {
      const fitted = fitToBudget(plan, inputBudgetTokens, { meter, newestTurnTokens: 0 });
      const messages = messagesOf(fitted, meter);
      expect(textOf(messages.user).endsWith(plan.user.text)).toBe(true);
      expect(textOf(messages.system).startsWith(plan.systemPrompt)).toBe(true);
      expect(fitted.plan.tools).toBe(plan.tools);
    }),
    runs,
  );
});

it("the same input gives the same output, and equal artifacts count as much as the same ones", () => {
  const copied = (artifacts: readonly ContextArtifact[]) => artifacts.map((artifact) => ({ ...artifact }));
  fc.assert(
    fc.property(plans, budgets, newest, meters, (plan, inputBudgetTokens, newestTurnTokens, meter) => {
      const options = { meter, newestTurnTokens };
      const copy = {
        ...plan,
        projectContext: copied(plan.projectContext),
        library: copied(plan.library),
        earlierContext: copied(plan.earlierContext),
        turnContext: copied(plan.turnContext),
      };
      const fitted = fitToBudget(plan, inputBudgetTokens, options);
      expect(fitToBudget(copy, inputBudgetTokens, options)).toEqual(fitted);
      expect(buildEnvelope(fitted.plan, meter)).toEqual(buildEnvelope(fitted.plan, meter));
    }),
    runs,
  );
});

it("more budget never gives anything that is attached less text", () => {
  const ranks = { "left-out": 0, listed: 0, shortened: 1, summarised: 1, full: 2, reference: 2 };
  fc.assert(
    fc.property(plans, budgets, budgets, meters, (plan, a, b, meter) => {
      // Pictures and project context take from the same budget by rules of their own; here it is about what is attached.
      const turn = { ...plan, projectContext: [], user: { ...plan.user, images: [] } };
      const attached = new Set([...plan.library, ...plan.turnContext].map(({ id }) => id));
      const stateOf = (budget: number) =>
        new Map(
          fitToBudget(turn, budget, { meter, newestTurnTokens: 0 })
            .layers.slice(1, 3)
            .flatMap(({ segments }) => segments)
            .filter(({ id }) => attached.has(id))
            .reverse()
            .map(({ id, state }) => [id, ranks[state]]),
        );
      const less = stateOf(Math.min(a, b));
      const more = stateOf(Math.max(a, b));
      attached.forEach((id) => expect(more.get(id)).toBeGreaterThanOrEqual(less.get(id) ?? 0));
    }),
    runs,
  );
});

it("each id is there in full once, and every reference points at something that is", () => {
  fc.assert(
    fc.property(plans, budgets, meters, (plan, inputBudgetTokens, meter) => {
      const fitted = fitToBudget({ ...plan, projectContext: [] }, inputBudgetTokens, { meter, newestTurnTokens: 0 });
      const segments = fitted.layers.slice(1, 3).flatMap((layer) => layer.segments);
      const full = segments.filter(({ state }) => state === "full").map(({ id }) => id);
      expect(new Set(full).size).toBe(full.length);
      const referring = fitted.plan.turnContext.flatMap(
        ({ content }) => /^\[part of (.*), which is here in full\]$/.exec(content)?.[1] ?? [],
      );
      referring.forEach((id) => expect(full).toContain(id));
    }),
    runs,
  );
});

it("project context is under half of the budget, the library under half of what L1 leaves, earlier context under an eighth", () => {
  fc.assert(
    fc.property(plans, budgets, meters, (plan, inputBudgetTokens, meter) => {
      const { plan: sent } = fitToBudget(plan, inputBudgetTokens, { meter, newestTurnTokens: 0 });
      const tokens = (text: string) => pricedTokens(meter, { texts: text === "" ? [] : [text] }).upperTokens;
      const l1 = renderBlocks(sent.projectContext);
      const besideL1 = Math.max(
        0,
        inputBudgetTokens - tokens(l1) - (plan.systemPrompt === "" ? 0 : tokens(plan.systemPrompt)),
      );
      expect(tokens(l1)).toBeLessThanOrEqual(inputBudgetTokens / 2);
      expect(tokens(renderBlocks(sent.library))).toBeLessThanOrEqual(besideL1 / 2);
      expect(tokens(renderBlocks(sent.earlierContext, "earlier"))).toBeLessThanOrEqual(inputBudgetTokens / 8);
    }),
    runs,
  );
});

it("every artifact is accounted for, and the figures of a layer add up", () => {
  fc.assert(
    fc.property(plans, budgets, meters, (plan, inputBudgetTokens, meter) => {
      const fitted = fitToBudget(plan, inputBudgetTokens, { meter, newestTurnTokens: 0 });
      const reported = new Set(fitted.layers.flatMap(({ segments }) => segments.map(({ id }) => id)));
      [...plan.projectContext, ...plan.library, ...plan.earlierContext, ...plan.turnContext].forEach(({ id }) =>
        expect(reported.has(id)).toBe(true),
      );
      const envelope = buildEnvelope(fitted.plan, meter);
      fitted.layers.forEach(({ id, tokens }) =>
        expect(envelope.layers.find((layer) => layer.id === id)?.tokens).toBe(tokens),
      );
    }),
    runs,
  );
});

it("hostile content stays inside its block: the closing tags of ours are as many as the blocks that were sent", () => {
  fc.assert(
    fc.property(plans, budgets, meters, (plan, inputBudgetTokens, meter) => {
      const { plan: sent } = fitToBudget({ ...plan, user: { text: "", images: [] } }, inputBudgetTokens, {
        meter,
        newestTurnTokens: 0,
      });
      const blocks = [...sent.library, ...sent.turnContext].map((artifact) => renderBlock(artifact));
      const earlier = sent.earlierContext.map((artifact) => renderBlock(artifact, "earlier"));
      [...blocks, ...earlier].forEach((block) => {
        const closing =
          block.match(/<\/\s*(note|embed|selection|paste|image|url|pdf|passage|tool_result|prior_context)\s*>/gi) ?? [];
        expect(closing).toHaveLength(block.startsWith("[") ? 0 : 1);
      });
    }),
    runs,
  );
});
