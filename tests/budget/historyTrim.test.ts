import fc from "fast-check";
import { cacheQuantum, MESSAGE_FLOOR_TOKENS, planHistoryTrim, type TrimTurn } from "../../src/budget/historyTrim";

/** A question and its answer. */
const turn = (questionTokens: number, answerTokens: number, pinned = false): TrimTurn => ({
  messages: [
    { tokens: questionTokens, shortens: "question" },
    { tokens: answerTokens, shortens: "answer" },
  ],
  pinned,
});
const tokensOf = (one: TrimTurn): number => one.messages.reduce((sum, message) => sum + message.tokens, 0);
const total = (turns: readonly TrimTurn[]): number => turns.reduce((sum, one) => sum + tokensOf(one), 0);

describe("planHistoryTrim keeps the newest whole turns", () => {
  it.each`
    turns                                          | budget | kept      | because
    ${[]}                                          | ${10}  | ${[]}     | ${"there is nothing to keep"}
    ${[turn(10, 20), turn(10, 40)]}                | ${80}  | ${[0, 1]} | ${"the limit itself is allowed"}
    ${[turn(11, 20), turn(10, 40)]}                | ${80}  | ${[1]}    | ${"one token over drops the oldest turn, not a part of it"}
    ${[turn(1, 9), turn(41, 40), turn(1, 9)]}      | ${30}  | ${[2]}    | ${"no older turn jumps over one that was dropped"}
    ${[turn(10, 10), turn(10, 10)]}                | ${0}   | ${[1]}    | ${"the newest turn stays whatever it costs"}
    ${[turn(10, 10), turn(10, 10)]}                | ${-99} | ${[1]}    | ${"a negative budget is no budget"}
    ${[turn(5, 5, true), turn(9, 9), turn(9, 9)]}  | ${30}  | ${[0, 2]} | ${"a pinned turn stays before an unpinned newer one"}
    ${[turn(20, 5, true), turn(5, 5), turn(9, 9)]} | ${30}  | ${[1, 2]} | ${"a pin over half of the budget is refused"}
  `("$budget tokens: $because", ({ turns, budget, kept }) => {
    expect(planHistoryTrim({ turns, budgetTokens: budget }).keptTurns).toEqual(kept);
  });

  it("names the pins that it refused", () => {
    const turns = [turn(20, 5, true), turn(5, 5), turn(9, 9)];
    expect(planHistoryTrim({ turns, budgetTokens: 30 }).refusedPins).toEqual([0]);
  });
});

describe("planHistoryTrim shortens what must stay", () => {
  it.each`
    newest              | budget | shortened                                                                                              | because
    ${turn(100, 1000)}  | ${600} | ${[{ turnIndex: 0, messageIndex: 1, toTokens: 500 }]}                                                  | ${"the answer gives way first, by just what is needed"}
    ${turn(1000, 1000)} | ${900} | ${[{ turnIndex: 0, messageIndex: 1, toTokens: 64 }, { turnIndex: 0, messageIndex: 0, toTokens: 836 }]} | ${"then the question, once the answer is at its floor"}
    ${turn(1000, 1000)} | ${10}  | ${[{ turnIndex: 0, messageIndex: 1, toTokens: 64 }, { turnIndex: 0, messageIndex: 0, toTokens: 64 }]}  | ${"nothing is shortened below its floor"}
    ${turn(64, 64)}     | ${10}  | ${[]}                                                                                                  | ${"what is at its floor already stays as it is"}
  `("$budget tokens: $because", ({ newest, budget, shortened }) => {
    expect(planHistoryTrim({ turns: [newest], budgetTokens: budget }).shortened).toEqual(shortened);
  });

  it("never touches tool traffic", () => {
    const turns: TrimTurn[] = [{ messages: [{ tokens: 5000, shortens: "fixed" }] }];
    expect(planHistoryTrim({ turns, budgetTokens: 100 }).shortened).toEqual([]);
  });

  it("shares the loss among several long answers", () => {
    const turns: TrimTurn[] = [
      { messages: [700, 300, 100].map((tokens) => ({ tokens, shortens: "answer" as const })) },
    ];
    const plan = planHistoryTrim({ turns, budgetTokens: 600 });
    expect(plan.shortened.map(({ toTokens }) => toTokens)).toEqual([250, 250]);
    expect(plan.keptTokens).toBe(600);
  });
});

const anyTurns = fc.array(
  fc
    .tuple(fc.nat(3000), fc.nat(3000), fc.boolean())
    .map(([question, answer, pinned]) => turn(question, answer, pinned)),
  { maxLength: 40 },
);
const anyUnpinnedTurns = anyTurns.map((turns) => turns.map((one) => ({ ...one, pinned: false })));

describe("whatever the conversation and the budget", () => {
  const runs = { numRuns: 1000 };

  it("keeps within the budget, unless the newest turn at its floor is over it", () => {
    fc.assert(
      fc.property(anyTurns, fc.nat(60_000), fc.nat(9_000), (turns, budgetTokens, cacheQuantumTokens) => {
        const plan = planHistoryTrim({ turns, budgetTokens, cacheQuantumTokens });
        const newest = turns[turns.length - 1];
        const floor =
          newest?.messages.reduce((sum, { tokens }) => sum + Math.min(tokens, MESSAGE_FLOOR_TOKENS), 0) ?? 0;
        return plan.keptTokens <= Math.max(budgetTokens, floor);
      }),
      runs,
    );
  });

  it("drops no turn that would have fitted (minimal cut)", () => {
    fc.assert(
      fc.property(anyUnpinnedTurns, fc.nat(60_000), (turns, budgetTokens) => {
        const { keptTurns } = planHistoryTrim({ turns, budgetTokens });
        const first = keptTurns[0] ?? 0;
        return first === 0 || total(turns.slice(first - 1)) > budgetTokens;
      }),
      runs,
    );
  });

  it("keeps the newest turn, and a suffix", () => {
    fc.assert(
      fc.property(anyUnpinnedTurns, fc.nat(60_000), fc.nat(9_000), (turns, budgetTokens, cacheQuantumTokens) => {
        const { keptTurns } = planHistoryTrim({ turns, budgetTokens, cacheQuantumTokens });
        const suffix = turns.map((_, index) => index).slice(turns.length - keptTurns.length);
        expect(keptTurns).toEqual(suffix);
        expect(keptTurns.length > 0).toBe(turns.length > 0);
      }),
      runs,
    );
  });

  it("never drops more when there is more budget (same quantum)", () => {
    fc.assert(
      fc.property(
        anyUnpinnedTurns,
        fc.nat(60_000),
        fc.nat(9_000),
        fc.nat(9_000),
        (turns, budgetTokens, more, quantum) => {
          const small = planHistoryTrim({ turns, budgetTokens, cacheQuantumTokens: quantum });
          const large = planHistoryTrim({ turns, budgetTokens: budgetTokens + more, cacheQuantumTokens: quantum });
          return large.droppedTurns <= small.droppedTurns;
        },
      ),
      runs,
    );
  });

  it("moves the cut at most once per quantum while a conversation grows", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 2, maxLength: 60 }), (sizes) => {
        const quantum = 1000;
        const turns = sizes.map((tokens) => turn(tokens, tokens));
        const cuts = turns.map((_, index) => {
          const grown = turns.slice(0, index + 1);
          return planHistoryTrim({ turns: grown, budgetTokens: 2500, cacheQuantumTokens: quantum }).droppedTokens;
        });
        const moves = cuts.filter((cut, index) => cut !== (cuts[index - 1] ?? 0)).length;
        return moves <= Math.ceil(total(turns) / quantum);
      }),
      runs,
    );
  });

  it("says what it dropped and kept", () => {
    fc.assert(
      fc.property(anyTurns, fc.nat(60_000), (turns, budgetTokens) => {
        const plan = planHistoryTrim({ turns, budgetTokens });
        const dropped = turns.filter((_, index) => !plan.keptTurns.includes(index));
        expect(plan.droppedTurns).toBe(dropped.length);
        expect(plan.droppedTokens).toBe(total(dropped));
      }),
      runs,
    );
  });
});

describe("cacheQuantum", () => {
  it.each`
    inputBudget | historyBudget | quantum      | because
    ${60_000}   | ${50_000}     | ${15_000}    | ${"a quarter of the input budget"}
    ${60_000}   | ${20_000}     | ${7_500}     | ${"halved until it is at most half of the history budget"}
    ${60_000}   | ${256}        | ${117}       | ${"halved as often as it takes"}
    ${60_000}   | ${255}        | ${undefined} | ${"a tiny history budget is cut minimally"}
    ${60_000}   | ${-5}         | ${undefined} | ${"no room for history at all"}
  `("of $inputBudget and $historyBudget: $because", ({ inputBudget, historyBudget, quantum }) => {
    expect(cacheQuantum(inputBudget, historyBudget)).toBe(quantum);
  });
});
