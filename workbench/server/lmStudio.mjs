// @ts-check
/** What LM Studio tells beside the OpenAI protocol: which models there are, and with which window one is loaded. */
import { sendJson } from "./sending.mjs";

/**
 * @param {import("./modelState.mjs").ModelState} state
 * @param {import("./openai.mjs").Exchange} exchange
 * @returns {Promise<boolean>} whether the path was one of its own
 */
export async function answerLmStudio({ settings }, { response, path }) {
  if (path !== "/api/v0/models") return false;
  const loaded = settings.loadedContextTokens;
  const data = settings.models.map((id) => ({
    id,
    object: "model",
    type: "llm",
    publisher: "workbench",
    arch: "quote",
    compatibility_type: "gguf",
    quantization: "F16",
    state: loaded === undefined ? "not-loaded" : "loaded",
    max_context_length: settings.windowTokens,
    ...(loaded === undefined ? {} : { loaded_context_length: loaded }),
  }));
  sendJson(response, 200, { object: "list", data });
  return true;
}
