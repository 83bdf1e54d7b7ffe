import {
  DEFAULT_CHAT_FOLDER,
  DEFAULT_SYSTEM_PROMPT,
  resolveSettings,
  SETTING_KEYS,
  type SettingKey,
} from "../../src/settings/settingsTable";

const LONG = "x".repeat(100_000);

describe("an untouched setting has its default", () => {
  it("and nothing counts as chosen", () => {
    expect(resolveSettings({})).toEqual({
      provider: "openai-compatible",
      baseUrl: "",
      model: "",
      apiKeySecret: "",
      autoCompactThreshold: 128_000,
      requestBudgetSafetyTokens: 4096,
      requestBudgetPressureRatio: 0.9,
      compactionReasoning: "prefer-low",
      systemPrompt: DEFAULT_SYSTEM_PROMPT,
      includeActiveNote: true,
      chatFolder: "Copilot chats",
      idleTimeoutSeconds: 300,
      chosen: [],
    });
  });

  it.each(["contextWindowTokens", "maxInputTokens", "maxOutputTokens", "ollamaNumCtx"] as const)(
    "and %s is absent, because figures of a model are never invented",
    (key) => expect(Object.hasOwn(resolveSettings({}), key)).toBe(false),
  );

  it("and the default system prompt is short", () => {
    expect(DEFAULT_SYSTEM_PROMPT.length).toBeGreaterThan(100);
    expect(DEFAULT_SYSTEM_PROMPT.length).toBeLessThan(800);
  });
});

describe("a stored value is taken, mended, or not believed", () => {
  const IGNORED = Symbol("the default holds and nothing is chosen");

  it.each<[SettingKey, unknown, unknown, string]>([
    ["provider", "ollama", "ollama", "it is one of the three"],
    ["provider", "lmstudio", "lmstudio", "it is one of the three"],
    ["provider", "openai-compatible", "openai-compatible", "a choice that equals the default is still a choice"],
    ["provider", "Ollama", IGNORED, "ids are exact"],
    ["provider", "constructor", IGNORED, "an inherited name is no provider"],
    ["provider", ["ollama"], IGNORED, "a list of one is no string"],

    ["baseUrl", "http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1", "text is taken as it is"],
    ["baseUrl", " https://api.example.org/v1\n", "https://api.example.org/v1", "pasting brings blanks along"],
    ["baseUrl", 8080, IGNORED, "a number is no address"],
    ["model", " llama3.1:8b ", "llama3.1:8b", "a blank around a model's name is never meant"],
    ["model", {}, IGNORED, "an object is no name"],
    ["apiKeySecret", "work key", "work key", "names of secrets may hold blanks inside"],
    ["apiKeySecret", true, IGNORED, "a flag is no name"],

    ["autoCompactThreshold", 64_000, 64_000, "it lies in the range"],
    ["autoCompactThreshold", 1999.6, 2000, "it is rounded first"],
    ["autoCompactThreshold", 2000.5, 2001, "halves go up"],
    ["autoCompactThreshold", 0.4, 2000, "any number over 0 is clamped, even one that rounds to 0"],
    ["autoCompactThreshold", 1, 2000, "the smallest budget is 2,000"],
    ["autoCompactThreshold", 1e9, 2_000_000, "the largest budget is 2,000,000"],
    ["autoCompactThreshold", Infinity, 2_000_000, "JSON's 1e999 is a number over 0"],
    ["autoCompactThreshold", 0, IGNORED, "0 is not over 0"],
    ["autoCompactThreshold", -5, IGNORED, "a budget is not negative"],
    ["autoCompactThreshold", NaN, IGNORED, "NaN is no number over 0"],
    ["autoCompactThreshold", -Infinity, IGNORED, "a budget is not negative"],
    ["autoCompactThreshold", "64k", IGNORED, "text is not guessed at"],
    ["autoCompactThreshold", "64000", IGNORED, "digits in quotes are text"],

    ["requestBudgetSafetyTokens", 0, 0, "no allowance is a choice"],
    ["requestBudgetSafetyTokens", 1e9, 1e9, "too much is said when the request is resolved, in numbers"],
    ["requestBudgetSafetyTokens", Number.MAX_SAFE_INTEGER + 1, IGNORED, "it is not a safe integer"],
    ["requestBudgetSafetyTokens", 1999.6, IGNORED, "it is not whole"],
    ["requestBudgetSafetyTokens", -5, IGNORED, "it is negative"],
    ["requestBudgetSafetyTokens", "4096", IGNORED, "text is no number"],

    ["requestBudgetPressureRatio", 0.01, 0.01, "the smallest ratio itself is allowed"],
    ["requestBudgetPressureRatio", 1, 1, "the largest ratio itself is allowed"],
    ["requestBudgetPressureRatio", 0.873, 0.873, "the step belongs to the settings tab"],
    ["requestBudgetPressureRatio", 0.009, IGNORED, "it is under the range"],
    ["requestBudgetPressureRatio", 1.001, IGNORED, "it is over the range"],
    ["requestBudgetPressureRatio", 90, IGNORED, "a percentage is not guessed at"],
    ["requestBudgetPressureRatio", 0, IGNORED, "it is under the range"],

    ["compactionReasoning", "preserve", "preserve", "it is one of the two"],
    ["compactionReasoning", "prefer-low", "prefer-low", "it is one of the two"],
    ["compactionReasoning", "low", IGNORED, "it is none of the two"],

    ["systemPrompt", "Be brief.\n", "Be brief.\n", "a prompt is the user's, byte for byte"],
    ["systemPrompt", "", "", "no system prompt is a choice"],
    ["systemPrompt", LONG, LONG, "length is the budget's business"],
    ["systemPrompt", ["Be brief."], IGNORED, "a list is no text"],

    ["includeActiveNote", false, false, "no is a choice"],
    ["includeActiveNote", "false", IGNORED, "text is no flag"],
    ["includeActiveNote", 0, IGNORED, "a number is no flag"],

    ["chatFolder", "Chats/2026", "Chats/2026", "folders nest"],
    ["chatFolder", "copilot-conversations/", "copilot-conversations", "a slash at the end means nothing (B113)"],
    ["chatFolder", "/Chats//Old/", "Chats/Old", "slashes around and between mean nothing"],
    ["chatFolder", "Chats\\Old", "Chats/Old", "Windows users write it so"],
    ["chatFolder", ".chats", ".chats", "a hidden folder works"],
    ["chatFolder", "..notes", "..notes", "only a name that is all dots climbs"],
    ["chatFolder", "../elsewhere", IGNORED, "it leaves the vault"],
    ["chatFolder", "Chats/./x", IGNORED, "it is not a path of the vault"],
    ["chatFolder", "", IGNORED, "no folder is not a folder"],
    ["chatFolder", " / ", IGNORED, "no folder is not a folder"],

    ["idleTimeoutSeconds", 0, 0, "0 waits for ever"],
    ["idleTimeoutSeconds", 5, 5, "it is whole and not negative"],
    ["idleTimeoutSeconds", 1e9, 86_400, "a timer of 31 years fires at once in a browser"],
    ["idleTimeoutSeconds", Infinity, IGNORED, "for ever is written 0"],
    ["idleTimeoutSeconds", -5, IGNORED, "it is negative"],
    ["idleTimeoutSeconds", 1999.6, IGNORED, "it is not whole"],
  ])("%s %p → %p: %s", (key, stored, expected) => {
    const settings = resolveSettings({ [key]: stored });
    const ignored = expected === IGNORED;
    expect(settings[key]).toEqual(ignored ? resolveSettings({})[key] : expected);
    expect(settings.chosen).toEqual(ignored ? [] : [key]);
  });

  describe.each(["contextWindowTokens", "maxInputTokens", "maxOutputTokens", "ollamaNumCtx"] as const)("%s", (key) => {
    it.each([1, 8192, 1e9, Number.MAX_SAFE_INTEGER])("takes %p, because it is whole and over 0", (stored) =>
      expect(resolveSettings({ [key]: stored })[key]).toBe(stored),
    );
    it.each([0, -5, 1999.6, NaN, Infinity, "64k", "8192", [8192], {}, true])(
      "is absent for %p, because half a figure is none",
      (stored) => expect(Object.hasOwn(resolveSettings({ [key]: stored }), key)).toBe(false),
    );
  });

  it.each(SETTING_KEYS)("%s: null, a list, an object and a symbol are never believed", (key) => {
    for (const stored of [null, undefined, [], {}, [1], Symbol("x"), () => 1])
      expect(resolveSettings({ [key]: stored })).toEqual(resolveSettings({}));
  });
});

describe("settings are a value", () => {
  it("that nobody can change", () => {
    const settings = resolveSettings({ model: "m" });
    expect(Object.isFrozen(settings) && Object.isFrozen(settings.chosen)).toBe(true);
  });

  it("that one bad value does not spoil", () => {
    expect(resolveSettings({ model: "m", autoCompactThreshold: "64k" })).toMatchObject({
      model: "m",
      autoCompactThreshold: 128_000,
      chosen: ["model"],
    });
  });

  it("that inherited names do not reach, and that has no setting for counting turns", () => {
    const inherited = Object.create({ model: "from a prototype" }) as Record<string, unknown>;
    expect(resolveSettings(inherited).model).toBe("");
    expect(SETTING_KEYS).not.toContain("contextTurns");
    expect(resolveSettings({}).chatFolder).toBe(DEFAULT_CHAT_FOLDER);
  });
});
