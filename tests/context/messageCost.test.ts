import { createTokenMeter, type TokenMeter } from "../../src/budget/requestCost";
import { createMessageCoster } from "../../src/context/messageCost";
import type { ProcessedMessage } from "../../src/context/PromptContextTypes";
import { aPlainMeter } from "../fixtures";

const image = { mimeType: "image/png", base64: "A".repeat(100_000) };

describe("a message costs all that is sent of it (four characters a token)", () => {
  it.each`
    message                                                                                             | tokens           | because
    ${{ role: "user", content: "" }}                                                                    | ${4}             | ${"the message itself has an overhead"}
    ${{ role: "user", content: "12345678" }}                                                            | ${4 + 2}         | ${"and its text"}
    ${{ role: "user", content: [{ type: "text", text: "1234" }, { type: "text", text: "5678" }] }}      | ${4 + 1 + 1}     | ${"every text part counts"}
    ${{ role: "user", content: [{ type: "image", image, name: "a.png" }] }}                             | ${4 + 1600}      | ${"an image of unknown size has a flat price, never that of its base64"}
    ${{ role: "assistant", content: "", toolCalls: [{ id: "1", name: "read", arguments: '{"a":1}' }] }} | ${4 + 1 + 2 + 8} | ${"a call costs its name, its arguments and 8"}
    ${{ role: "tool", content: "12345678", toolCallId: "1" }}                                           | ${4 + 2}         | ${"a result is text"}
  `("$message: $because", ({ message, tokens }: { message: ProcessedMessage; tokens: number }) => {
    expect(createMessageCoster(aPlainMeter())(message)).toEqual({ estimateTokens: tokens, upperTokens: tokens });
  });

  it("both figures are the meter's: an estimate to show and an upper bound to count with", () => {
    const meter = createTokenMeter({ family: "openai", calibration: 1.5 });
    const cost = createMessageCoster(meter)({ role: "user", content: "some words to count" });
    expect(cost.estimateTokens).toBe(4 + meter.estimate("some words to count"));
    expect(cost.upperTokens).toBe(4 + meter.upper("some words to count"));
  });

  it("the same message object is counted once, an equal one again", () => {
    const { meter, counted } = countingMeter();
    const coster = createMessageCoster(meter);
    const message: ProcessedMessage = { role: "user", content: "once" };
    coster(message);
    const afterFirst = counted();
    expect(coster(message)).toEqual(coster({ ...message }));
    expect(counted()).toBe(2 * afterFirst);
  });
});

function countingMeter(): { meter: TokenMeter; counted: () => number } {
  const plain = aPlainMeter();
  let texts = 0;
  const meter = {
    ...plain,
    estimate: (text: string) => ((texts += 1), plain.estimate(text)),
    upper: (text: string) => ((texts += 1), plain.upper(text)),
  };
  return { meter, counted: () => texts };
}
