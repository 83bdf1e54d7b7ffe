import {
  checkBaseUrl,
  checkFolder,
  checkIdleSeconds,
  checkOptionalTokens,
  checkRatio,
  checkSafety,
  checkThreshold,
  readOptionalTokens,
  type Check,
} from "../../src/ui/settings/settingChecks";

describe("what the settings tab takes", () => {
  it.each`
    check                  | entry                       | taken    | because
    ${checkThreshold}      | ${2000}                     | ${true}  | ${"the least"}
    ${checkThreshold}      | ${2_000_000}                | ${true}  | ${"the most"}
    ${checkThreshold}      | ${1999}                     | ${false} | ${"one below the least"}
    ${checkThreshold}      | ${2_000_001}                | ${false} | ${"one above the most"}
    ${checkThreshold}      | ${0}                        | ${false} | ${"what a number field makes of letters"}
    ${checkThreshold}      | ${NaN}                      | ${false} | ${"no number"}
    ${checkThreshold}      | ${2000.5}                   | ${false} | ${"there are no half tokens"}
    ${checkSafety}         | ${0}                        | ${true}  | ${"no margin is a choice"}
    ${checkSafety}         | ${-1}                       | ${false} | ${"it would widen the limit"}
    ${checkRatio}          | ${0.01}                     | ${true}  | ${"the least"}
    ${checkRatio}          | ${1}                        | ${true}  | ${"the most"}
    ${checkRatio}          | ${0.29}                     | ${true}  | ${"0.29 × 100 is not 29 in binary"}
    ${checkRatio}          | ${0.005}                    | ${false} | ${"below the least"}
    ${checkRatio}          | ${1.01}                     | ${false} | ${"above the most"}
    ${checkRatio}          | ${0.905}                    | ${false} | ${"between two steps"}
    ${checkRatio}          | ${NaN}                      | ${false} | ${"no number"}
    ${checkIdleSeconds}    | ${0}                        | ${true}  | ${"waiting for ever is a choice"}
    ${checkIdleSeconds}    | ${1.5}                      | ${false} | ${"whole seconds"}
    ${checkOptionalTokens} | ${""}                       | ${true}  | ${"not known"}
    ${checkOptionalTokens} | ${" 131,072 "}              | ${true}  | ${"as people write it"}
    ${checkOptionalTokens} | ${"128k"}                   | ${false} | ${"128,000 or 131,072?"}
    ${checkOptionalTokens} | ${"0"}                      | ${false} | ${"no model takes nothing"}
    ${checkOptionalTokens} | ${"-5"}                     | ${false} | ${"below nothing"}
    ${checkOptionalTokens} | ${"1e6"}                    | ${false} | ${"nobody means that"}
    ${checkOptionalTokens} | ${"12,34"}                  | ${false} | ${"a comma in a wrong place"}
    ${checkOptionalTokens} | ${"9007199254740993"}       | ${false} | ${"not a safe number"}
    ${checkBaseUrl}        | ${""}                       | ${true}  | ${"not set yet"}
    ${checkBaseUrl}        | ${"http://localhost:11434"} | ${true}  | ${"a local server"}
    ${checkBaseUrl}        | ${"localhost:1234"}         | ${false} | ${"no scheme"}
    ${checkBaseUrl}        | ${"https://"}               | ${false} | ${"no host"}
    ${checkFolder}         | ${"Copilot chats/2026/"}    | ${true}  | ${"a slash at the end is a habit"}
    ${checkFolder}         | ${"../elsewhere"}           | ${false} | ${"it leaves the vault"}
    ${checkFolder}         | ${" / "}                    | ${false} | ${"no folder at all"}
  `(
    "$check.name: $entry → $taken: $because",
    ({ check, entry, taken }: { check: Check<unknown>; entry: unknown; taken: boolean }) => {
      const message = check(entry);
      expect(message === undefined).toBe(taken);
      if (message !== undefined) expect(message).toMatch(/^[A-Z].*\.$/);
    },
  );

  it.each`
    entry          | tokens
    ${""}          | ${undefined}
    ${"  "}        | ${undefined}
    ${"8192"}      | ${8192}
    ${"131,072"}   | ${131072}
    ${"1 000 000"} | ${1000000}
    ${"131_072"}   | ${131072}
    ${"many"}      | ${"unreadable"}
  `("the entry “$entry” is $tokens", ({ entry, tokens }: { entry: string; tokens: unknown }) => {
    expect(readOptionalTokens(entry)).toBe(tokens);
  });
});
