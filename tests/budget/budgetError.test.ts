import { BudgetError, kindOf } from "../../src/budget/budgetError";
import type { BudgetFigures } from "../../src/budget/budgetError";
import type { BudgetErrorCode, BudgetErrorKind } from "../../src/budget/budgetTypes";

describe("BudgetError", () => {
  it.each`
    code                        | kind                         | because
    ${"INVALID_POLICY"}         | ${"INVALID_REQUEST"}         | ${"a setting is wrong"}
    ${"INVALID_LIMITS"}         | ${"INVALID_REQUEST"}         | ${"a figure of the model is wrong"}
    ${"INVALID_OUTPUT_LIMIT"}   | ${"INVALID_REQUEST"}         | ${"the cap is wrong"}
    ${"OUTPUT_LIMIT_EXCEEDED"}  | ${"INVALID_REQUEST"}         | ${"the cap is too large, whatever the input"}
    ${"NO_INPUT_HEADROOM"}      | ${"INVALID_REQUEST"}         | ${"no input is small enough"}
    ${"INVALID_ESTIMATE"}       | ${"INVALID_REQUEST"}         | ${"our own figure is wrong"}
    ${"INPUT_LIMIT_EXCEEDED"}   | ${"CONTEXT_WINDOW_EXCEEDED"} | ${"a smaller input would pass"}
    ${"CONTEXT_LIMIT_EXCEEDED"} | ${"CONTEXT_WINDOW_EXCEEDED"} | ${"a smaller input would pass"}
    ${"PRESSURE_EXCEEDED"}      | ${"CONTEXT_WINDOW_EXCEEDED"} | ${"a smaller input would pass"}
  `("$code is of kind $kind: $because", ({ code, kind }: { code: BudgetErrorCode; kind: BudgetErrorKind }) => {
    expect(kindOf(code)).toBe(kind);
    expect(new BudgetError(code).kind).toBe(kind);
  });

  test("the message holds the code and the numbers that are known", () => {
    const error = new BudgetError("CONTEXT_LIMIT_EXCEEDED", { neededTokens: 12, availableTokens: 10 });
    expect(error.message).toBe("CONTEXT_LIMIT_EXCEEDED: needed 12, available 10 tokens");
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("BudgetError");
  });

  test("what is not a number at run time is neither kept nor repeated", () => {
    const stored: unknown = { windowTokens: "sk-secret" };
    const error = new BudgetError("INVALID_LIMITS", stored as BudgetFigures);
    expect(error.windowTokens).toBe(undefined);
    expect(error.message).toBe("INVALID_LIMITS");
  });
});

test("a code nobody foresaw fails loudly", () => {
  const unforeseen: unknown = "SOMETHING_NEW";
  expect(() => kindOf(unforeseen as BudgetErrorCode)).toThrow("SOMETHING_NEW");
});
