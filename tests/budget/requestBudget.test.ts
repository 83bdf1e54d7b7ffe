import fc from "fast-check";
import { BudgetError } from "../../src/budget/budgetError";
import type { BudgetErrorCode, BudgetPolicy, ModelCapacity, RequestBudget } from "../../src/budget/budgetTypes";
import {
  admit,
  defaultOutputCap,
  defaultSafetyTokens,
  inputBudgetTokens,
  resolveRequestBudget,
  softBudget,
} from "../../src/budget/requestBudget";
import { aCapacity, aPolicy } from "../fixtures";

interface Figures {
  C?: number;
  I?: number;
  O?: number;
  cap?: number;
}

interface ResolveRow extends Figures {
  safety: number;
  ratio: number;
  hard?: number;
  pressure?: number;
  factor?: string;
}

describe("resolveRequestBudget joins the model's figures, the cap and the safety", () => {
  // hard = min(I, C − R) − safety; pressure = floor(hard × ratio)
  it.each`
    C              | I            | O            | cap          | safety  | ratio    | hard           | pressure       | factor       | because
    ${100_000}     | ${undefined} | ${8_000}     | ${undefined} | ${4096} | ${0.9}   | ${87_904}      | ${79_113}      | ${"context"} | ${"without a cap all of O is reserved"}
    ${100_000}     | ${undefined} | ${8_000}     | ${2_000}     | ${4096} | ${0.9}   | ${93_904}      | ${84_513}      | ${"context"} | ${"a cap that was asked for is reserved instead of O"}
    ${100_000}     | ${undefined} | ${undefined} | ${2_000}     | ${4096} | ${0.9}   | ${93_904}      | ${84_513}      | ${"context"} | ${"with a cap O need not be known"}
    ${400_000}     | ${272_000}   | ${128_000}   | ${undefined} | ${4096} | ${0.9}   | ${267_904}     | ${241_113}     | ${"prompt"}  | ${"I and O are independent: I equal to C − R binds as the prompt limit"}
    ${400_000}     | ${272_001}   | ${128_000}   | ${undefined} | ${4096} | ${0.9}   | ${267_904}     | ${241_113}     | ${"context"} | ${"one above C − R and the window binds"}
    ${400_000}     | ${271_999}   | ${128_000}   | ${undefined} | ${4096} | ${0.9}   | ${267_903}     | ${241_112}     | ${"prompt"}  | ${"one below C − R and the input ceiling binds"}
    ${400_000}     | ${200_000}   | ${128_000}   | ${1_000}     | ${0}    | ${1}     | ${200_000}     | ${200_000}     | ${"prompt"}  | ${"output is never taken from I"}
    ${400_000}     | ${200_000}   | ${128_000}   | ${undefined} | ${1000} | ${1}     | ${199_000}     | ${199_000}     | ${"prompt"}  | ${"safety is taken once, after the minimum"}
    ${10_000}      | ${undefined} | ${10_000}    | ${1}         | ${0}    | ${1}     | ${9_999}       | ${9_999}       | ${"context"} | ${"O equal to C is fine while less is asked for"}
    ${1_000}       | ${undefined} | ${100}       | ${100}       | ${899}  | ${0.9}   | ${1}           | ${0}           | ${"context"} | ${"one token of headroom is headroom"}
    ${1_000}       | ${undefined} | ${100}       | ${100}       | ${0}    | ${0.01}  | ${900}         | ${9}           | ${"context"} | ${"the smallest ratio"}
    ${1_000}       | ${undefined} | ${100}       | ${100}       | ${1}    | ${0.5}   | ${899}         | ${449}         | ${"context"} | ${"pressure is rounded down"}
    ${1_000}       | ${undefined} | ${100}       | ${100}       | ${0}    | ${0.555} | ${900}         | ${499}         | ${"context"} | ${"a ratio between two steps is valid; the step belongs to the settings tab"}
    ${undefined}   | ${50_000}    | ${8_000}     | ${undefined} | ${1000} | ${1}     | ${41_000}      | ${41_000}      | ${"context"} | ${"I alone is read as C, so R does reduce it"}
    ${undefined}   | ${50_000}    | ${undefined} | ${10_000}    | ${1000} | ${1}     | ${39_000}      | ${39_000}      | ${"context"} | ${"I alone with a cap"}
    ${undefined}   | ${undefined} | ${undefined} | ${undefined} | ${4096} | ${0.9}   | ${undefined}   | ${undefined}   | ${undefined} | ${"nothing known: only the user's threshold applies, and no O is needed"}
    ${undefined}   | ${undefined} | ${8_000}     | ${undefined} | ${4096} | ${0.9}   | ${undefined}   | ${undefined}   | ${undefined} | ${"O alone makes no limit of the input"}
    ${undefined}   | ${undefined} | ${undefined} | ${2_000}     | ${4096} | ${0.9}   | ${undefined}   | ${undefined}   | ${undefined} | ${"nor does a cap"}
    ${2 ** 53 - 1} | ${undefined} | ${1}         | ${undefined} | ${0}    | ${1}     | ${2 ** 53 - 2} | ${2 ** 53 - 2} | ${"context"} | ${"the largest safe integer is a capacity"}
  `(
    "C $C, I $I, O $O, cap $cap, safety $safety, ratio $ratio → hard $hard: $because",
    ({ C, I, O, cap, safety, ratio, hard, pressure, factor }: ResolveRow) => {
      const capacity = aCapacity({ contextWindow: C, maxInputTokens: I, maxOutputTokens: O });
      const policy = aPolicy({ requestBudgetSafetyTokens: safety, requestBudgetPressureRatio: ratio });
      const budget = resolveRequestBudget(capacity, policy, cap);
      expect([budget.hard, budget.pressure, budget.factor]).toEqual([hard, pressure, factor]);
      expect([budget.reservedOutput, budget.safetyTokens]).toEqual([cap ?? O, safety]);
    },
  );

  test("where only I is published the budget's capacity holds C = I and its source says so", () => {
    const published = aCapacity({ contextWindow: undefined, maxInputTokens: 50_000, source: "provider catalogue" });
    const { capacity } = resolveRequestBudget(published, aPolicy());
    expect(capacity.contextWindow).toBe(50_000);
    expect(capacity.source).toMatch(/^provider catalogue .*taken as the maximum input/);
  });

  test("what was published completely keeps its source", () => {
    const published = aCapacity({ contextWindow: 50_000, maxOutputTokens: 8_000 });
    expect(resolveRequestBudget(published, aPolicy()).capacity).toEqual(published);
  });
});

describe("resolveRequestBudget refuses, each fault with its own code", () => {
  const valid = { C: 100_000, O: 8_000 };
  it.each`
    fault                                      | code                       | because
    ${{ C: 0 }}                                | ${"INVALID_LIMITS"}        | ${"a window of nothing is no window"}
    ${{ C: -1 }}                               | ${"INVALID_LIMITS"}        | ${"negative"}
    ${{ C: 1.5 }}                              | ${"INVALID_LIMITS"}        | ${"tokens are whole"}
    ${{ C: NaN }}                              | ${"INVALID_LIMITS"}        | ${"not a number"}
    ${{ C: Infinity }}                         | ${"INVALID_LIMITS"}        | ${"a limit is finite"}
    ${{ C: 2 ** 53 }}                          | ${"INVALID_LIMITS"}        | ${"above the safe integers arithmetic is not exact"}
    ${{ C: "100000" }}                         | ${"INVALID_LIMITS"}        | ${"a figure that is text comes from a form that was not parsed"}
    ${{ C: null }}                             | ${"INVALID_LIMITS"}        | ${"absent is written as absent"}
    ${{ I: 0 }}                                | ${"INVALID_LIMITS"}        | ${"I is checked too"}
    ${{ I: 1.5 }}                              | ${"INVALID_LIMITS"}        | ${"I is whole"}
    ${{ O: 0 }}                                | ${"INVALID_LIMITS"}        | ${"O is checked too"}
    ${{ O: -1, cap: 5 }}                       | ${"INVALID_LIMITS"}        | ${"O is checked although a cap was asked for"}
    ${{ C: undefined, O: NaN }}                | ${"INVALID_LIMITS"}        | ${"O is checked although there is no hard limit"}
    ${{ O: undefined }}                        | ${"INVALID_LIMITS"}        | ${"what the answer takes of C must be known"}
    ${{ C: undefined, I: 9000, O: undefined }} | ${"INVALID_LIMITS"}        | ${"the same where C is read from I"}
    ${{ cap: 0 }}                              | ${"INVALID_OUTPUT_LIMIT"}  | ${"a cap of nothing lets nothing be said"}
    ${{ cap: -1 }}                             | ${"INVALID_OUTPUT_LIMIT"}  | ${"negative"}
    ${{ cap: 0.5 }}                            | ${"INVALID_OUTPUT_LIMIT"}  | ${"tokens are whole"}
    ${{ cap: NaN }}                            | ${"INVALID_OUTPUT_LIMIT"}  | ${"not a number"}
    ${{ cap: 2 ** 53 }}                        | ${"INVALID_OUTPUT_LIMIT"}  | ${"unsafe"}
    ${{ cap: NaN, O: undefined }}              | ${"INVALID_OUTPUT_LIMIT"}  | ${"a bad cap is still a cap that was asked for"}
    ${{ cap: 8_001 }}                          | ${"OUTPUT_LIMIT_EXCEEDED"} | ${"one above O is refused, never clamped"}
    ${{ C: undefined, cap: 8_001 }}            | ${"OUTPUT_LIMIT_EXCEEDED"} | ${"also where there is no hard limit"}
    ${{ C: undefined, cap: 0 }}                | ${"INVALID_OUTPUT_LIMIT"}  | ${"also where there is no hard limit"}
    ${{ C: 12_096 }}                           | ${"NO_INPUT_HEADROOM"}     | ${"safety equal to what is left leaves nothing"}
    ${{ C: 8_000 }}                            | ${"NO_INPUT_HEADROOM"}     | ${"O equal to C leaves nothing"}
    ${{ C: 7_000 }}                            | ${"NO_INPUT_HEADROOM"}     | ${"O above C leaves less than nothing"}
    ${{ I: 4_096 }}                            | ${"NO_INPUT_HEADROOM"}     | ${"safety equal to the input ceiling leaves nothing"}
  `("$fault → $code: $because", ({ fault, code }: { fault: Figures; code: BudgetErrorCode }) => {
    const { C, I, O, cap }: Figures = { ...valid, ...fault };
    const capacity = aCapacity({ contextWindow: C, maxInputTokens: I, maxOutputTokens: O });
    expect(codeOf(() => resolveRequestBudget(capacity, aPolicy(), cap))).toBe(code);
  });

  it.each`
    fault                                       | because
    ${{ requestBudgetSafetyTokens: -1 }}        | ${"safety is not negative"}
    ${{ requestBudgetSafetyTokens: 0.5 }}       | ${"safety is whole"}
    ${{ requestBudgetSafetyTokens: 2 ** 53 }}   | ${"safety is safe"}
    ${{ requestBudgetSafetyTokens: NaN }}       | ${"safety is a number"}
    ${{ requestBudgetSafetyTokens: "4096" }}    | ${"safety is no text"}
    ${{ requestBudgetSafetyTokens: undefined }} | ${"safety is there"}
    ${{ requestBudgetPressureRatio: 0 }}        | ${"below 0.01"}
    ${{ requestBudgetPressureRatio: 0.0099 }}   | ${"just below 0.01"}
    ${{ requestBudgetPressureRatio: 1.0001 }}   | ${"above 1"}
    ${{ requestBudgetPressureRatio: NaN }}      | ${"not a number"}
    ${{ requestBudgetPressureRatio: "0.9" }}    | ${"text"}
    ${{ compactionReasoning: "low" }}           | ${"a mode nobody knows"}
    ${{ compactionReasoning: undefined }}       | ${"a mode that is missing"}
    ${{ pressureRatio: 0.9 }}                   | ${"a key nobody knows is a figure somebody believes in"}
  `("policy $fault → INVALID_POLICY: $because", ({ fault }: { fault: Partial<BudgetPolicy> }) => {
    const capacity = aCapacity({ contextWindow: 100_000, maxOutputTokens: 8_000 });
    expect(codeOf(() => resolveRequestBudget(capacity, { ...aPolicy(), ...fault }))).toBe("INVALID_POLICY");
  });

  test("a policy that is no record is INVALID_POLICY", () => {
    const nothing: unknown = null;
    expect(codeOf(() => resolveRequestBudget(aCapacity(), nothing as BudgetPolicy))).toBe("INVALID_POLICY");
  });

  it.each([[0.01], [1]])("a ratio of %p is within its bounds", (requestBudgetPressureRatio) => {
    const policy = aPolicy({ requestBudgetPressureRatio });
    expect(codeOf(() => resolveRequestBudget(aCapacity(), policy))).toBe(undefined);
  });

  it.each`
    faults                                  | code                       | because
    ${{ ratio: 2, C: 0, cap: 0 }}           | ${"INVALID_POLICY"}        | ${"the policy is looked at before the limits"}
    ${{ ratio: 0.9, C: 0, cap: 0 }}         | ${"INVALID_LIMITS"}        | ${"the limits before the cap"}
    ${{ ratio: 0.9, C: 100, cap: 2 ** 53 }} | ${"INVALID_OUTPUT_LIMIT"}  | ${"a bad cap before one that is too large"}
    ${{ ratio: 0.9, C: 100, cap: 8_001 }}   | ${"OUTPUT_LIMIT_EXCEEDED"} | ${"the cap before the headroom"}
    ${{ ratio: 0.9, C: 100, cap: 50 }}      | ${"NO_INPUT_HEADROOM"}     | ${"the headroom last"}
  `(
    "$faults → $code first: $because",
    ({ faults, code }: { faults: { ratio: number; C: number; cap: number }; code: BudgetErrorCode }) => {
      const capacity = aCapacity({ contextWindow: faults.C, maxOutputTokens: 8_000 });
      const policy = aPolicy({ requestBudgetPressureRatio: faults.ratio });
      expect(codeOf(() => resolveRequestBudget(capacity, policy, faults.cap))).toBe(code);
    },
  );

  test("NO_INPUT_HEADROOM carries the numbers of the impossible combination", () => {
    const capacity = aCapacity({ contextWindow: 8_192, maxOutputTokens: 8_000 });
    expect(errorOf(() => resolveRequestBudget(capacity, aPolicy()))).toMatchObject({
      kind: "INVALID_REQUEST",
      windowTokens: 8_192,
      outputTokens: 8_000,
      safetyTokens: 4_096,
      availableTokens: -3_904,
    });
  });
});

describe("admit lets equality pass and refuses one token more", () => {
  const promptBound = resolveRequestBudget(
    aCapacity({ contextWindow: 10_000, maxInputTokens: 1_000, maxOutputTokens: 100 }),
    aPolicy({ requestBudgetSafetyTokens: 0, requestBudgetPressureRatio: 0.9 }),
  );
  const contextBound = resolveRequestBudget(
    aCapacity({ contextWindow: 1_100, maxOutputTokens: 100 }),
    aPolicy({ requestBudgetSafetyTokens: 0, requestBudgetPressureRatio: 0.9 }),
  );
  const unlimited = resolveRequestBudget(aCapacity({ contextWindow: undefined, maxOutputTokens: 100 }), aPolicy());

  it.each`
    limit        | budget          | tokens         | pressure | code                        | because
    ${"prompt"}  | ${promptBound}  | ${1_000}       | ${false} | ${undefined}                | ${"equality passes"}
    ${"prompt"}  | ${promptBound}  | ${1_001}       | ${false} | ${"INPUT_LIMIT_EXCEEDED"}   | ${"the input ceiling binds"}
    ${"context"} | ${contextBound} | ${1_000}       | ${false} | ${undefined}                | ${"equality passes"}
    ${"context"} | ${contextBound} | ${1_001}       | ${false} | ${"CONTEXT_LIMIT_EXCEEDED"} | ${"the window binds"}
    ${"context"} | ${contextBound} | ${999.1}       | ${false} | ${undefined}                | ${"999.1 is rounded up to the limit"}
    ${"context"} | ${contextBound} | ${1_000.1}     | ${false} | ${"CONTEXT_LIMIT_EXCEEDED"} | ${"1000.1 is rounded up to one over"}
    ${"context"} | ${contextBound} | ${0}           | ${true}  | ${undefined}                | ${"nothing always fits"}
    ${"context"} | ${contextBound} | ${900}         | ${true}  | ${undefined}                | ${"equality passes the pressure limit too"}
    ${"context"} | ${contextBound} | ${900.1}       | ${true}  | ${"PRESSURE_EXCEEDED"}      | ${"rounded up to one over pressure"}
    ${"context"} | ${contextBound} | ${901}         | ${true}  | ${"PRESSURE_EXCEEDED"}      | ${"over pressure, under hard"}
    ${"context"} | ${contextBound} | ${901}         | ${false} | ${undefined}                | ${"pressure is only looked at when asked for"}
    ${"context"} | ${contextBound} | ${1_001}       | ${true}  | ${"CONTEXT_LIMIT_EXCEEDED"} | ${"hard comes before pressure"}
    ${"prompt"}  | ${promptBound}  | ${1_001}       | ${true}  | ${"INPUT_LIMIT_EXCEEDED"}   | ${"hard comes before pressure"}
    ${"none"}    | ${unlimited}    | ${2 ** 53 - 1} | ${true}  | ${undefined}                | ${"without a hard limit any size passes"}
    ${"none"}    | ${unlimited}    | ${NaN}         | ${false} | ${"INVALID_ESTIMATE"}       | ${"but not what is no estimate"}
    ${"context"} | ${contextBound} | ${NaN}         | ${false} | ${"INVALID_ESTIMATE"}       | ${"NaN is over no limit, and must not pass for it"}
    ${"context"} | ${contextBound} | ${Infinity}    | ${false} | ${"INVALID_ESTIMATE"}       | ${"not finite"}
    ${"context"} | ${contextBound} | ${-1}          | ${false} | ${"INVALID_ESTIMATE"}       | ${"negative"}
    ${"context"} | ${contextBound} | ${-0.5}        | ${false} | ${"INVALID_ESTIMATE"}       | ${"negative, although rounding up gives 0"}
    ${"context"} | ${contextBound} | ${2 ** 53}     | ${false} | ${"INVALID_ESTIMATE"}       | ${"unsafe"}
    ${"context"} | ${contextBound} | ${"12"}        | ${false} | ${"INVALID_ESTIMATE"}       | ${"text is no estimate"}
  `(
    "$tokens against $limit, pressure $pressure → $code: $because",
    ({
      budget,
      tokens,
      pressure,
      code,
    }: {
      budget: RequestBudget;
      tokens: number;
      pressure: boolean;
      code?: BudgetErrorCode;
    }) => {
      expect(codeOf(() => admit(budget, tokens, { pressure }))).toBe(code);
    },
  );

  test("without options only the hard limit is looked at", () => {
    expect(codeOf(() => admit(contextBound, 901))).toBe(undefined);
  });

  test("a refusal carries what was needed, what there is and what the limit is made of", () => {
    expect(errorOf(() => admit(contextBound, 1_000.1))).toMatchObject({
      code: "CONTEXT_LIMIT_EXCEEDED",
      kind: "CONTEXT_WINDOW_EXCEEDED",
      neededTokens: 1_001,
      availableTokens: 1_000,
      windowTokens: 1_100,
      outputTokens: 100,
      safetyTokens: 0,
    });
    expect(errorOf(() => admit(contextBound, 950, { pressure: true }))).toMatchObject({
      code: "PRESSURE_EXCEEDED",
      kind: "CONTEXT_WINDOW_EXCEEDED",
      neededTokens: 950,
      availableTokens: 900,
    });
  });
});

describe("whatever the capacities, the budget does what the rules say word by word", () => {
  const oddNumber = fc.constantFrom(0, -1, 1.5, NaN, Infinity, 2 ** 53);
  const anyLimit = fc.option(fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 60 }) }, oddNumber), {
    nil: undefined,
  });
  const anyCapacity: fc.Arbitrary<ModelCapacity> = fc.record({
    contextWindow: anyLimit,
    maxInputTokens: anyLimit,
    maxOutputTokens: anyLimit,
    source: fc.constant("test"),
  });
  const anyPolicy: fc.Arbitrary<BudgetPolicy> = fc.record({
    requestBudgetSafetyTokens: fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 20 }) }, oddNumber),
    requestBudgetPressureRatio: fc.oneof(fc.constantFrom(0.01, 0.5, 0.9, 1), fc.constantFrom(0, 1.1, NaN)),
    compactionReasoning: fc.constant("preserve"),
  });
  const anyEstimate = fc.oneof(fc.double({ min: 0, max: 70, noNaN: true }), fc.nat({ max: 70 }), oddNumber);

  test("resolve and admit agree with the rules read one after the other", () => {
    fc.assert(
      fc.property(
        anyCapacity,
        anyPolicy,
        anyLimit,
        anyEstimate,
        fc.boolean(),
        (capacity, policy, cap, tokens, pressure) => {
          const outcome = codeOf(() => admit(resolveRequestBudget(capacity, policy, cap), tokens, { pressure }));
          expect(outcome).toBe(codeByTheBook(capacity, policy, cap, tokens, pressure));
        },
      ),
      { numRuns: 5000 },
    );
  });

  test("what is admitted fits: input, output and safety together are within C, input and safety within I", () => {
    fc.assert(
      fc.property(anyCapacity, anyPolicy, anyLimit, anyEstimate, (capacity, policy, cap, tokens) => {
        const budget = resolved(capacity, policy, cap);
        if (budget === undefined || codeOf(() => admit(budget, tokens)) !== undefined) return;
        const { contextWindow, maxInputTokens } = capacity;
        const inputTokens = tokens + policy.requestBudgetSafetyTokens;
        const reserved = budget.reservedOutput ?? 0;
        if (contextWindow !== undefined) expect(inputTokens + reserved).toBeLessThanOrEqual(contextWindow);
        if (maxInputTokens !== undefined) expect(inputTokens).toBeLessThanOrEqual(maxInputTokens);
      }),
      { numRuns: 5000 },
    );
  });
});

describe("the output cap when nobody chose one", () => {
  it.each`
    C            | I            | O            | cap          | because
    ${200_000}   | ${undefined} | ${64_000}    | ${64_000}    | ${"a large window can spare all of O"}
    ${64_000}    | ${undefined} | ${32_000}    | ${32_000}    | ${"64,000 is not small, and half of C is not more than half"}
    ${64_000}    | ${undefined} | ${32_001}    | ${16_000}    | ${"more than half of C is cut to a quarter"}
    ${63_999}    | ${undefined} | ${8_000}     | ${8_000}     | ${"in a small window O stays if it is under a quarter"}
    ${63_999}    | ${undefined} | ${16_000}    | ${15_999}    | ${"in a small window at most a quarter, rounded down"}
    ${8_192}     | ${undefined} | ${8_192}     | ${2_048}     | ${"a model that claims its whole window as output"}
    ${8_192}     | ${undefined} | ${undefined} | ${2_048}     | ${"O missing: a quarter"}
    ${200_000}   | ${undefined} | ${undefined} | ${50_000}    | ${"O missing: a quarter of a large window too"}
    ${400_000}   | ${272_000}   | ${128_000}   | ${128_000}   | ${"an input ceiling beside C changes nothing"}
    ${undefined} | ${1_000_000} | ${65_536}    | ${65_536}    | ${"I alone is read as C"}
    ${undefined} | ${8_000}     | ${undefined} | ${2_000}     | ${"I alone is read as C"}
    ${undefined} | ${undefined} | ${8_000}     | ${8_000}     | ${"C unknown: O"}
    ${undefined} | ${undefined} | ${undefined} | ${undefined} | ${"nothing known: none is sent"}
    ${3}         | ${undefined} | ${undefined} | ${1}         | ${"a cap of 0 is none that a provider takes"}
  `("C $C, I $I, O $O → $cap: $because", ({ C, I, O, cap }: Figures) => {
    expect(defaultOutputCap({ contextWindow: C, maxInputTokens: I, maxOutputTokens: O, source: "test" })).toBe(cap);
  });

  it.each`
    C            | I            | safety   | because
    ${65_536}    | ${undefined} | ${4_096} | ${"a sixteenth of it is just the fixed figure"}
    ${65_535}    | ${undefined} | ${4_095} | ${"below that a sixteenth, rounded down"}
    ${8_192}     | ${undefined} | ${512}   | ${"a small local model"}
    ${1_000_000} | ${undefined} | ${4_096} | ${"never more than the fixed figure"}
    ${undefined} | ${8_192}     | ${512}   | ${"I alone is read as C"}
    ${undefined} | ${undefined} | ${4_096} | ${"nothing known: the fixed figure"}
  `("safety for C $C, I $I → $safety: $because", ({ C, I, safety }: { C?: number; I?: number; safety: number }) => {
    expect(defaultSafetyTokens({ contextWindow: C, maxInputTokens: I, source: "test" })).toBe(safety);
  });

  test("whatever window and output a model publishes, the defaults leave at least a third of it for the input", () => {
    const anyC = fc.integer({ min: 16, max: 2_000_000 });
    const anyO = fc.option(fc.integer({ min: 1, max: 4_000_000 }), { nil: undefined });
    fc.assert(
      fc.property(anyC, anyO, (contextWindow, maxOutputTokens) => {
        const capacity = aCapacity({ contextWindow, maxOutputTokens });
        const policy = aPolicy({ requestBudgetSafetyTokens: defaultSafetyTokens(capacity) });
        const { hard } = resolveRequestBudget(capacity, policy, defaultOutputCap(capacity));
        expect(hard).toBeGreaterThan(contextWindow / 3);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("the user's threshold", () => {
  it.each`
    threshold    | reserve  | input        | because
    ${128_000}   | ${4_096} | ${123_904}   | ${"the default"}
    ${16_384}    | ${4_096} | ${12_288}    | ${"a quarter is just the largest reserve"}
    ${16_383}    | ${4_095} | ${12_288}    | ${"below that a quarter, rounded down"}
    ${2_000}     | ${500}   | ${1_500}     | ${"the smallest threshold"}
    ${2_000_000} | ${4_096} | ${1_995_904} | ${"the largest threshold"}
  `(
    "T $threshold → reserve $reserve, input $input: $because",
    ({ threshold, reserve, input }: { threshold: number; reserve: number; input: number }) => {
      expect(softBudget(threshold)).toEqual({ outputReserveTokens: reserve, softInputTokens: input });
    },
  );

  it.each`
    soft   | pressure     | tokens | because
    ${100} | ${undefined} | ${100} | ${"no capacity is known: the threshold alone"}
    ${100} | ${99}        | ${99}  | ${"the model is the smaller one"}
    ${100} | ${101}       | ${100} | ${"the user is the smaller one"}
    ${100} | ${0}         | ${0}   | ${"a pressure limit of 0 is a limit"}
  `(
    "assembling works to $tokens of soft $soft and pressure $pressure: $because",
    ({ soft, pressure, tokens }: { soft: number; pressure?: number; tokens: number }) => {
      expect(inputBudgetTokens(soft, { pressure })).toBe(tokens);
    },
  );
});

function codeByTheBook(
  { contextWindow: C, maxInputTokens: I, maxOutputTokens: O }: ModelCapacity,
  { requestBudgetSafetyTokens: safety, requestBudgetPressureRatio: ratio }: BudgetPolicy,
  cap: number | undefined,
  tokens: number,
  pressureAsked: boolean,
): BudgetErrorCode | undefined {
  const whole = (value: number) => Number.isSafeInteger(value);
  if (!(whole(safety) && safety >= 0) || !(ratio >= 0.01 && ratio <= 1)) return "INVALID_POLICY";
  if ([C, I, O].some((limit) => limit !== undefined && !(whole(limit) && limit > 0))) return "INVALID_LIMITS";
  const limited = C !== undefined || I !== undefined;
  if (limited && O === undefined && cap === undefined) return "INVALID_LIMITS";
  if (cap !== undefined && !(whole(cap) && cap > 0)) return "INVALID_OUTPUT_LIMIT";
  if (cap !== undefined && O !== undefined && cap > O) return "OUTPUT_LIMIT_EXCEEDED";
  const window = C ?? I ?? Infinity;
  const left = window - (cap ?? O ?? 0);
  const hard = Math.min(I ?? Infinity, left) - safety;
  if (hard <= 0) return "NO_INPUT_HEADROOM";
  if (!Number.isFinite(tokens) || tokens < 0 || !whole(Math.ceil(tokens))) return "INVALID_ESTIMATE";
  if (Math.ceil(tokens) > hard) return I !== undefined && I <= left ? "INPUT_LIMIT_EXCEEDED" : "CONTEXT_LIMIT_EXCEEDED";
  if (pressureAsked && limited && Math.ceil(tokens) > Math.floor(hard * ratio)) return "PRESSURE_EXCEEDED";
  return undefined;
}

function resolved(capacity: ModelCapacity, policy: BudgetPolicy, cap: number | undefined): RequestBudget | undefined {
  try {
    return resolveRequestBudget(capacity, policy, cap);
  } catch {
    return undefined;
  }
}

function errorOf(act: () => unknown): BudgetError | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof BudgetError) return error;
    throw error;
  }
}

function codeOf(act: () => unknown): BudgetErrorCode | undefined {
  return errorOf(act)?.code;
}
