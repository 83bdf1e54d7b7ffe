import { OpenAIClient } from "@langchain/openai";
import fc from "fast-check";
import { withoutSecrets } from "../../src/LLMProviders/failureDetail";
import { failureDetail } from "../../src/LLMProviders/providerErrors";
import { networkError, unreadableReply } from "../../src/LLMProviders/wire";

const { APIError } = OpenAIClient;

function refusal(status: number, error: unknown): Error {
  return APIError.generate(status, { error } as object, undefined, new Headers());
}

describe("the provider's own wording", () => {
  it.each<[string, unknown, string]>([
    ["is what it said, without the SDK's additions", refusal(400, { message: "no such\n  role" }), "no such role"],
    ["is the text where the error is a text", refusal(400, "no such role"), "no such role"],
    [
      "is the innermost one where a gateway wraps it",
      refusal(400, { message: "Provider returned error", metadata: { raw: '{"error":{"message":"too hot"}}' } }),
      "Provider returned error · too hot",
    ],
    [
      "is a page's text without its tags",
      new APIError(502, undefined, "<html><style>a{}</style><h1>502 Bad Gateway</h1></html>", new Headers()),
      "502 502 Bad Gateway",
    ],
    [
      "is what the system said when nothing answered",
      networkError([new TypeError("Failed to fetch"), new Error("net::ERR_CONNECTION_REFUSED")]),
      "Failed to fetch; net::ERR_CONNECTION_REFUSED",
    ],
    ["is what an unreadable reply began with", unreadableReply("<p>Please sign in</p>"), "Please sign in"],
    [
      "has no link that LangChain adds",
      Object.assign(refusal(404, undefined), {
        message: "404 none\n\nTroubleshooting URL: https://docs.langchain.com/x",
      }),
      "404 none",
    ],
    ["is nothing where there are no words", {}, ""],
    ["is nothing for nothing", undefined, "undefined"],
  ])("%s", (_, error, expected) => expect(failureDetail(error)).toBe(expected));

  it("has no piece of the answer that a parser quotes", () => {
    const cause = (() => {
      try {
        return JSON.parse('{"my diary": oops}') as unknown;
      } catch (error) {
        return error;
      }
    })();
    expect(failureDetail(cause)).not.toContain("diary");
    expect(failureDetail(cause)).not.toBe("");
  });

  it("has nothing of fields that quote the request", () => {
    const detail = failureDetail(refusal(422, { detail: [{ msg: "field required", input: { content: "my diary" } }] }));
    expect(detail).toBe("field required");
  });

  it("is one short line", () => {
    const detail = failureDetail(refusal(400, { message: "word\n".repeat(1000) }));
    expect([detail.length, detail.includes("\n"), detail.endsWith("…")]).toEqual([300, false, true]);
  });
});

describe("secrets are taken out", () => {
  it.each([
    ["Incorrect API key provided: sk-proj-abcdEFGH1234. You can find", "sk-proj-abcdEFGH1234", "OpenAI quotes the key"],
    ["Incorrect API key provided: sk-abc***********wxyz.", "wxyz", "a masked key is still half of one"],
    ["Incorrect API key provided: hunter2hunter2", "hunter2", "it is named as a key"],
    ["header Authorization: Bearer abc.def-123_x~y", "abc.def", "it is named as a token"],
    ["Authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz", "it is named as a login"],
    ['{"x-api-key": "s3cretvalue"}', "s3cretvalue", "it is named as a key"],
    ["?api_key=s3cretvalue&x=1", "s3cretvalue", "it is named as a key"],
    ["?key=AIzaSyA1234567890abcdefg", "AIzaSyA", "it is named and shaped as a key"],
    ["token: s3cretvalue", "s3cretvalue", "it is named as a token"],
    ["password=s3cretvalue", "s3cretvalue", "it is named as a password"],
    ["http://me:s3cretvalue@host/v1", "s3cretvalue", "it is a login in an address"],
    ["gsk_abcdefghijklmnop failed", "gsk_abc", "Groq's keys begin so"],
    ["xai-abcdefghijkl failed", "xai-abc", "xAI's keys begin so"],
    ["hf_abcdefghijkl failed", "hf_abc", "Hugging Face's keys begin so"],
    ["AIzaSyA1234567890abcdefg failed", "AIzaSyA", "Google's keys begin so"],
    ["eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl failed", "eyJzdWIiOi", "signed tokens begin so"],
    ["0123456789abcdef0123456789abcdef failed", "0123456789abcdef", "long, and neither a word nor a number"],
  ])("%s", (text, secret) => {
    expect(failureDetail(refusal(400, { message: text }))).not.toContain(secret);
    expect(withoutSecrets(text)).toContain("[removed]");
  });

  it.each([
    "maximum context length is 128000 tokens, you requested 1048576 tokens",
    "The model `meta-llama/Llama-3.3-70B-Instruct-Turbo` does not exist",
    "Unsupported parameter: 'max_completion_tokens' is not supported",
    'model "qwen3:30b-a3b-instruct-2507-q4_K_M" not found, try pulling it first',
    "Missing API key",
    "tokens per min (TPM): Limit 30000, Requested 41256",
  ])("but %s stays as it is", (text) => expect(withoutSecrets(text)).toBe(text));

  test("wherever a key stands in whatever text, it does not come out", () =>
    fc.assert(
      fc.property(fc.string(), fc.stringMatching(/^[A-Za-z0-9]{20,48}$/), fc.string(), (before, key, after) => {
        const message = `${before} sk-${key} ${after}`;
        expect(failureDetail(refusal(401, { message }))).not.toContain(key);
      }),
    ));
});
