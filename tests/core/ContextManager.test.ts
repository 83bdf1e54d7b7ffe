/** Where an attached note stands in the requests of a chat. Rules: docs/budget.md 3.2. */
import type { Attachment } from "../../src/core/chatTypes";
import { aChat, aDraft, aNoteAttachment } from "../support/aChat";
import { startFaultServer, type FaultServer } from "../support/faultServer";

let server: FaultServer;
// Evaluated on the first send; here, so that no test has to wait for it.
beforeAll(() => import("../../src/LLMProviders/chatRuntime"), 60_000);
beforeEach(async () => (server = await startFaultServer()));
afterEach(() => server.close());

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

const PLAN = "Beans go into the south bed.";

/** Asks so many questions with the same attachments, and says where the plan stood in each request. */
function chatWith(attachment: Attachment, notes: Record<string, string> = { "Plan.md": PLAN }) {
  const { chat } = aChat({ baseUrl: server.baseUrl, notes, settings: { systemPrompt: "Be brief." } });
  const ask = (text: string, attachments: readonly Attachment[] = [attachment]) =>
    chat.send(aDraft(text, { attachments }));
  const places = () =>
    server.requests.map(({ json }) => {
      const { messages } = json as Body;
      const holds = (role: "system" | "user") =>
        messages.some((message) => message.role === role && /<note [^]*south bed/.test(message.content));
      return [holds("system") ? "system" : "", holds("user") ? "user" : ""].join("");
    });
  return { chat, notes, ask, places };
}

describe("a note that stays attached", () => {
  it("moves into the system message with the third question, and then stays there", async () => {
    const { ask, places } = chatWith(aNoteAttachment("Plan.md"));
    for (const text of ["1", "2", "3", "4", "5"]) await ask(text);
    expect(places()).toEqual(["user", "user", "system", "system", "system"]);
  });

  it("leaves the beginning of the request as it was", async () => {
    const { ask } = chatWith(aNoteAttachment("Plan.md"));
    for (const text of ["1", "2", "3", "4"]) await ask(text);
    const [third, fourth] = server.requests.slice(2).map(({ json }) => (json as Body).messages);
    expect(fourth?.slice(0, 5)).toEqual(third?.slice(0, 5));
    expect(third?.slice(0, 5).map(({ role }) => role)).toEqual(["system", "user", "assistant", "user", "assistant"]);
  });

  it("goes back to the question once its text has changed, as it is now", async () => {
    const { ask, notes, places } = chatWith(aNoteAttachment("Plan.md"));
    for (const text of ["1", "2", "3"]) await ask(text);
    notes["Plan.md"] = `${PLAN} And peas.`;
    for (const text of ["4", "5", "6", "7"]) await ask(text);
    expect(places()).toEqual(["user", "user", "system", "user", "user", "user", "user"]);
    expect(JSON.stringify(server.requests[6]?.json)).toContain("And peas.");
  });

  it("stays with the question where it only came along because it was open", async () => {
    const { ask, places } = chatWith({ ...aNoteAttachment("Plan.md"), followed: true });
    for (const text of ["1", "2", "3", "4"]) await ask(text);
    expect(places()).toEqual(["user", "user", "user", "user"]);
  });

  it("leaves the request when it is taken off, and starts anew when it comes back", async () => {
    const { ask, places } = chatWith(aNoteAttachment("Plan.md"));
    for (const text of ["1", "2", "3"]) await ask(text);
    await ask("4", []);
    for (const text of ["5", "6"]) await ask(text);
    expect(places()).toEqual(["user", "user", "system", "", "user", "user"]);
  });

  it("is counted by the branch: a question asked again has those before it, and not itself", async () => {
    const { chat, ask, places } = chatWith(aNoteAttachment("Plan.md"));
    for (const text of ["1", "2"]) await ask(text);
    const second = chat.getState().messages[3]?.id ?? "";
    for (let again = 0; again < 3; again++) await chat.regenerate(second);
    expect(places()).toEqual(["user", "user", "user", "user", "user"]);
  });

  it("is remembered with the hash of its text as it was sent", async () => {
    const { chat, ask } = chatWith(aNoteAttachment("Plan.md"));
    await ask("1");
    const [question] = chat.getState().messages;
    expect(question).toMatchObject({
      attachments: [{ id: "Plan.md", hash: expect.stringMatching(/^[0-9a-f]{14}$/) as string }],
    });
  });

  it("is previewed where it will stand", async () => {
    const { chat, ask } = chatWith(aNoteAttachment("Plan.md"));
    for (const text of ["1", "2"]) await ask(text);
    const report = await chat.preview(aDraft("3", { attachments: [aNoteAttachment("Plan.md")] }));
    const segments = (id: string) => report.layers.find((layer) => layer.id === id)?.segments.map((one) => one.id);
    expect([segments("L2_PREVIOUS"), segments("L3_TURN")]).toEqual([["Plan.md"], []]);
  });
});
