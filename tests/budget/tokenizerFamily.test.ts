import type { TokenizerFamily } from "../../src/budget/budgetTypes";
import { familyOf } from "../../src/budget/tokenizerFamily";

describe("familyOf reads the vocabulary out of the model id, else out of the provider", () => {
  it.each`
    modelId                              | provider               | family         | because
    ${"gpt-4o"}                          | ${undefined}           | ${"openai"}    | ${"gpt"}
    ${"gpt-4o-mini-2024-07-18"}          | ${undefined}           | ${"openai"}    | ${"dated"}
    ${"gpt-4.1-nano"}                    | ${undefined}           | ${"openai"}    | ${"gpt"}
    ${"gpt-5"}                           | ${undefined}           | ${"openai"}    | ${"gpt"}
    ${"gpt-5.2-codex"}                   | ${undefined}           | ${"openai"}    | ${"gpt"}
    ${"gpt-oss:20b"}                     | ${"ollama"}            | ${"openai"}    | ${"the open one has the same vocabulary"}
    ${"chatgpt-4o-latest"}               | ${undefined}           | ${"openai"}    | ${"gpt inside a word"}
    ${"o1"}                              | ${undefined}           | ${"openai"}    | ${"o-series"}
    ${"o3-mini"}                         | ${undefined}           | ${"openai"}    | ${"o-series"}
    ${"openai/o4-mini-high"}             | ${"openrouter"}        | ${"openai"}    | ${"o-series behind a maker's prefix"}
    ${"GPT-4O"}                          | ${undefined}           | ${"openai"}    | ${"case does not matter"}
    ${"gpt-4"}                           | ${"openai"}            | ${"unknown"}   | ${"the vocabulary before o200k is dearer outside English"}
    ${"gpt-4-turbo"}                     | ${"openai"}            | ${"unknown"}   | ${"the vocabulary before o200k"}
    ${"gpt-4-0613"}                      | ${"openai"}            | ${"unknown"}   | ${"the vocabulary before o200k"}
    ${"gpt-3.5-turbo"}                   | ${"openai"}            | ${"unknown"}   | ${"the vocabulary before o200k"}
    ${"gpt-35-turbo"}                    | ${"azure"}             | ${"unknown"}   | ${"as Azure spells it"}
    ${"gpt-neox-20b"}                    | ${undefined}           | ${"unknown"}   | ${"only the name begins like OpenAI's"}
    ${"claude-sonnet-4-5"}               | ${undefined}           | ${"anthropic"} | ${"claude"}
    ${"anthropic/claude-3.7-sonnet"}     | ${"openrouter"}        | ${"anthropic"} | ${"a gateway's prefix"}
    ${"us.anthropic.claude-opus-4-v1:0"} | ${"bedrock"}           | ${"anthropic"} | ${"a gateway's prefix"}
    ${"gemini-2.5-pro"}                  | ${undefined}           | ${"google"}    | ${"gemini"}
    ${"models/gemini-flash-latest"}      | ${undefined}           | ${"google"}    | ${"as Google lists it"}
    ${"gemma3:4b"}                       | ${"ollama"}            | ${"google"}    | ${"gemma has the same vocabulary"}
    ${"llama3.2"}                        | ${"ollama"}            | ${"llama"}     | ${"llama"}
    ${"meta-llama/Llama-4-Scout-17B"}    | ${"groq"}              | ${"llama"}     | ${"llama"}
    ${"llama2:13b"}                      | ${"ollama"}            | ${"unknown"}   | ${"an older vocabulary, dearer than its successor's"}
    ${"codellama:7b"}                    | ${"ollama"}            | ${"unknown"}   | ${"an older vocabulary"}
    ${"qwen3:8b"}                        | ${"ollama"}            | ${"qwen"}      | ${"qwen"}
    ${"Qwen2.5-Coder-32B-Instruct"}      | ${"lm-studio"}         | ${"qwen"}      | ${"qwen"}
    ${"qwq-32b"}                         | ${undefined}           | ${"qwen"}      | ${"a qwen by another name"}
    ${"deepseek-chat"}                   | ${undefined}           | ${"deepseek"}  | ${"deepseek"}
    ${"deepseek-r1:671b"}                | ${"ollama"}            | ${"deepseek"}  | ${"the whole model"}
    ${"deepseek-r1:8b"}                  | ${"ollama"}            | ${"unknown"}   | ${"a distilled one: which vocabulary depends on when it was pulled"}
    ${"deepseek-r1-distill-llama-70b"}   | ${"groq"}              | ${"llama"}     | ${"a distilled model keeps its own vocabulary"}
    ${"DeepSeek-R1-Distill-Qwen-7B"}     | ${"lm-studio"}         | ${"qwen"}      | ${"a distilled model keeps its own vocabulary"}
    ${"mistral-large-latest"}            | ${undefined}           | ${"mistral"}   | ${"mistral"}
    ${"mistral-nemo"}                    | ${"ollama"}            | ${"mistral"}   | ${"mistral"}
    ${"codestral-latest"}                | ${undefined}           | ${"mistral"}   | ${"the maker's other names"}
    ${"devstral-small"}                  | ${undefined}           | ${"mistral"}   | ${"the maker's other names"}
    ${"pixtral-12b"}                     | ${undefined}           | ${"mistral"}   | ${"the maker's other names"}
    ${"mixtral-8x7b"}                    | ${"groq"}              | ${"unknown"}   | ${"an older vocabulary"}
    ${"mistral"}                         | ${"ollama"}            | ${"unknown"}   | ${"Ollama's plain name is the first, with the older vocabulary"}
    ${"my-finetune"}                     | ${"openai"}            | ${"openai"}    | ${"the id says nothing, the provider does"}
    ${"my-deployment"}                   | ${"Azure OpenAI"}      | ${"openai"}    | ${"Azure's ids are the user's own names"}
    ${"my-finetune"}                     | ${"mistral"}           | ${"mistral"}   | ${"the provider"}
    ${"my-finetune"}                     | ${"ollama"}            | ${"unknown"}   | ${"a local server runs anything"}
    ${"my-finetune"}                     | ${"openai-compatible"} | ${"unknown"}   | ${"a dialect is no vocabulary"}
    ${"grok-4"}                          | ${"xai"}               | ${"unknown"}   | ${"a vocabulary that was not fitted"}
    ${""}                                | ${undefined}           | ${"unknown"}   | ${"nothing is said"}
    ${"foo1-bar"}                        | ${undefined}           | ${"unknown"}   | ${"an o1 inside a word is no o-series"}
  `(
    "$modelId of $provider → $family: $because",
    (row: { modelId: string; provider?: string; family: TokenizerFamily }) => {
      expect(familyOf(row.modelId, row.provider)).toBe(row.family);
    },
  );
});
