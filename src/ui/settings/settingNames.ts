/**
 * The names of the settings, as the settings tab shows them and as messages refer to them.
 * One table, so that a message never names a setting that does not exist.
 */
export const SETTING_NAMES = {
  baseUrl: "Base URL",
  model: "Model",
  apiKeySecret: "API key",
  contextWindowTokens: "Context window",
  maxInputTokens: "Maximum input",
  maxOutputTokens: "Maximum output",
  ollamaNumCtx: "Ollama context length",
  autoCompactThreshold: "Token budget",
  requestBudgetSafetyTokens: "Safety margin",
  requestBudgetPressureRatio: "Pressure ratio",
  compactionReasoning: "Reasoning effort for summaries",
  systemPrompt: "System prompt",
  includeActiveNote: "Include the active note",
  chatFolder: "Chat folder",
  idleTimeoutSeconds: "Idle timeout",
} as const;

export type NamedSetting = keyof typeof SETTING_NAMES;
