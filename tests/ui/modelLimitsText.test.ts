import { resolveSettings } from "../../src/settings/settingsTable";
import { limitsInWords } from "../../src/ui/settings/modelLimitsText";

describe("what the token budget means for the chosen model", () => {
  it.each`
    stored                                                                                   | says                                              | isProblem | because
    ${{ model: "m" }}                                                                        | ${["123,904", "4,096", "“m” are not known"]}      | ${false}  | ${"without figures only the threshold applies"}
    ${{ model: "m", contextWindowTokens: 8192 }}                                             | ${["“m” takes less", "5,068", "5,632", "2,048"]}  | ${false}  | ${"the window of a small model is narrower than the threshold"}
    ${{ model: "m", contextWindowTokens: 1_000_000, maxOutputTokens: 8000 }}                 | ${["123,904", "987,904"]}                         | ${false}  | ${"a large model takes more than the threshold"}
    ${{ contextWindowTokens: 8000, maxOutputTokens: 8000, requestBudgetSafetyTokens: 7000 }} | ${["8,000", "2,000", "7,000", "“Safety margin”"]} | ${true}   | ${"the three numbers contradict each other"}
  `(
    "$stored → $says: $because",
    ({ stored, says, isProblem }: { stored: Record<string, unknown>; says: string[]; isProblem: boolean }) => {
      const meaning = limitsInWords(resolveSettings(stored));
      for (const words of says) expect(meaning.text).toContain(words);
      expect(meaning.isProblem).toBe(isProblem);
    },
  );
});
