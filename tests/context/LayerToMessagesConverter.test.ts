import { envelopeToMessages } from "../../src/context/LayerToMessagesConverter";
import { buildEnvelope } from "../../src/context/planEnvelope";
import type { TurnPlan } from "../../src/context/PromptContextTypes";
import { anArtifact, aPlainMeter, aPlan } from "../fixtures";

const envelopeOf = (plan: Partial<TurnPlan>) => buildEnvelope(aPlan(plan), aPlainMeter());
const messagesOf = (plan: Partial<TurnPlan>) => envelopeToMessages(envelopeOf(plan));
const image = { mimeType: "image/png", base64: "AAAA" };

const everything: Partial<TurnPlan> = {
  systemPrompt: "You help.",
  projectContext: [anArtifact("P.md", "p", { kind: "project_source" })],
  library: [anArtifact("L.md", "l")],
  earlierContext: [anArtifact("E.md", "e")],
  turnContext: [anArtifact("T.md", "t")],
  user: { text: "  why?\n", images: [] },
};

describe("what changes comes late", () => {
  it("system is L1 and the library, user is earlier context, this turn's context and what was typed", () => {
    expect(messagesOf(everything)).toEqual({
      system: {
        role: "system",
        content:
          'You help.\n\n<project_source source="P.md">\np\n</project_source>\n\n<note source="L.md">\nl\n</note>',
      },
      user: {
        role: "user",
        content:
          '<prior_context source="E.md" type="note">\ne\n</prior_context>\n\n<note source="T.md">\nt\n</note>\n\n  why?\n',
      },
    });
  });

  it.each`
    plan                                                                          | system                                | user                                  | because
    ${{}}                                                                         | ${undefined}                          | ${"the question"}                     | ${"an empty system message is refused by some providers"}
    ${{ library: [anArtifact("L.md", "l")] }}                                     | ${'<note source="L.md">\nl\n</note>'} | ${"the question"}                     | ${"the library alone is a system message"}
    ${{ user: { text: "", images: [] } }}                                         | ${undefined}                          | ${""}                                 | ${"nothing was typed"}
    ${{ user: { text: "", images: [] }, turnContext: [anArtifact("T.md", "t")] }} | ${undefined}                          | ${'<note source="T.md">\nt\n</note>'} | ${"context alone needs no blank lines after it"}
  `("$because", ({ plan, system, user }: { plan: Partial<TurnPlan>; system?: string; user: string }) => {
    expect(messagesOf(plan).system?.content).toBe(system);
    expect(messagesOf(plan).user.content).toBe(user);
  });

  it("images follow the text, those of the context first", () => {
    const turnContext = [anArtifact("a.png", "", { kind: "image", image, title: "a.png" })];
    expect(
      messagesOf({ turnContext, user: { text: "look", images: [{ ...image, name: "b.png" }] } }).user.content,
    ).toEqual([
      { type: "text", text: '<image source="a.png">\n\n</image>\n\nlook' },
      { type: "image", image, name: "a.png" },
      { type: "image", image, name: "b.png" },
    ]);
  });

  it("an image alone needs no empty text beside it", () => {
    expect(messagesOf({ user: { text: "", images: [{ ...image, name: "b.png" }] } }).user.content).toEqual([
      { type: "image", image, name: "b.png" },
    ]);
  });
});

describe("the envelope", () => {
  it("is plain data that survives being stored", () => {
    const envelope = envelopeOf(everything);
    expect(JSON.parse(JSON.stringify(envelope))).toEqual(envelope);
  });

  it("has the layers with their segments and figures (four characters a token)", () => {
    const { layers, ...rest } = envelopeOf(everything);
    expect(rest).toMatchObject({ version: 1, conversationId: "chat", messageId: "m1", images: [] });
    expect(layers.map(({ id, tokens }) => [id, tokens])).toEqual([
      ["L1_SYSTEM", 4 + 3 + 13],
      ["L2_PREVIOUS", 8 + 16],
      ["L3_TURN", 8],
      ["L5_USER", 4 + 2],
    ]);
    expect(layers[1]?.segments.map(({ id, place }) => [id, place])).toEqual([
      ["L.md", "library"],
      ["E.md", "late"],
    ]);
  });

  it.each`
    change                                                               | because
    ${{ systemPrompt: "You help" }}                                      | ${"L1"}
    ${{ library: [] }}                                                   | ${"L2"}
    ${{ turnContext: [anArtifact("T.md", "u")] }}                        | ${"L3"}
    ${{ user: { text: "why?", images: [] } }}                            | ${"L5"}
    ${{ user: { text: "  why?\n", images: [{ ...image, name: "a" }] } }} | ${"an image"}
  `(
    "has another hash when $because changed, and the same when nothing did",
    ({ change }: { change: Partial<TurnPlan> }) => {
      expect(envelopeOf({ ...everything, ...change }).hash).not.toBe(envelopeOf(everything).hash);
      expect(envelopeOf({ ...everything }).hash).toBe(envelopeOf(everything).hash);
    },
  );
});
