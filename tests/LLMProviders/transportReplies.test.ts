import fc from "fast-check";
import { asEventStream } from "../../src/LLMProviders/openAiReplies";
import { UnreadableReplyError, wholeLines } from "../../src/LLMProviders/wire";

/** What the SDK makes of an event stream: the data of each event, up to the end. */
async function eventsOf(sent: string | readonly string[], contentType = "text/event-stream"): Promise<unknown[]> {
  const response = asEventStream(aReply(typeof sent === "string" ? [sent] : sent, contentType));
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const text = (await response.text()).replace(/\r/g, "");
  return text
    .split("\n\n")
    .map((event) => event.split("\n").flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trim()] : [])))
    .filter((data) => data.length > 0)
    .map((data) => (data[0] === "[DONE]" ? "[DONE]" : (JSON.parse(data.join("\n")) as unknown)));
}

function aReply(pieces: readonly (string | Uint8Array)[], contentType: string): Response {
  const left = pieces.map((piece) => (typeof piece === "string" ? new TextEncoder().encode(piece) : piece));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = left.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
  return new Response(body, { headers: { "content-type": contentType } });
}

const OPENING = aChunk({ role: "assistant", content: "" }, null);
const CLOSING = aChunk({}, "stop");

function aChunk(delta: object, finishReason: string | null) {
  return { object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finishReason }] };
}

const event = (data: unknown) => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
const HEL = aChunk({ content: "Hel" }, null);
const END = aChunk({}, "stop");

describe("a stream of events", () => {
  it("is passed on, after an event that says who speaks", async () => {
    expect(await eventsOf(event(HEL) + event(END) + event("[DONE]"))).toEqual([OPENING, HEL, END, "[DONE]"]);
  });

  it.each(["application/json", "text/plain", "text/html", ""])(
    "is known by what it says, even when declared as %p",
    async (contentType) => {
      expect(await eventsOf(event(HEL) + event(END), contentType)).toEqual([OPENING, HEL, END]);
    },
  );

  it.each([
    [": keep-alive\n\n", "a comment"],
    ["\n\n", "blank lines"],
    ["id: 1\n", "an id"],
    ["retry: 3000\n\n", "a delay"],
    ["event: message\n", "a name"],
  ])("may begin with %j, because %s is part of the format", async (start) => {
    const events = await eventsOf(start + event(HEL) + event(END));
    expect(events.slice(-2)).toEqual([HEL, END]);
  });

  it("may end its lines as Windows does", async () => {
    expect(await eventsOf((event(HEL) + event(END) + event("[DONE]")).replace(/\n/g, "\r\n"))).toEqual([
      OPENING,
      HEL,
      END,
      "[DONE]",
    ]);
  });

  it("that ends with the mark but never gave a reason has ended well, because the mark says so", async () => {
    expect(await eventsOf(event(HEL) + event("[DONE]"))).toEqual([OPENING, HEL, CLOSING, "[DONE]"]);
  });

  it("that only says that it is done has held nothing", async () => {
    expect(await eventsOf(event("[DONE]"))).toEqual(["[DONE]"]);
  });

  it("that ends with neither has been cut, and nothing is added that would hide it", async () => {
    expect(await eventsOf(event(HEL))).toEqual([OPENING, HEL]);
  });

  it("whose last event lacks its blank line is read to the end if that event is whole", async () => {
    expect(await eventsOf(event(HEL) + `data: ${JSON.stringify(END)}`)).toEqual([OPENING, HEL, END]);
    const half = JSON.stringify(END).slice(0, -5);
    const text = await asEventStream(aReply([event(HEL), `data: ${half}`], "text/event-stream")).text();
    expect(text.endsWith(half)).toBe(true);
  });

  it("with an event that is not JSON is passed on, and the SDK says so", async () => {
    const text = await asEventStream(aReply([event(HEL), event('{"choices":[{"del')], "text/event-stream")).text();
    expect(text).toContain('data: {"choices":[{"del\n\n');
  });

  it("that calls its thinking `reasoning` is read like the others", async () => {
    const [, chunk] = await eventsOf(event(aChunk({ content: "", reasoning: "hm" }, null)));
    expect(chunk).toEqual(aChunk({ content: "", reasoning_content: "hm" }, null));
  });

  it("that only talks about reasoning is not touched", async () => {
    const talk = aChunk({ content: 'the key "reasoning":"x" is new' }, null);
    expect(await eventsOf(event(talk))).toEqual([OPENING, talk]);
  });

  it("without a byte is an empty answer, not an error", async () => {
    expect(await eventsOf([])).toEqual([]);
    expect(await eventsOf("\n\n ")).toEqual([]);
  });

  test("is the same however the network tears it apart", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(400), { maxLength: 20 }),
        fc.string({ unit: "grapheme" }),
        async (cuts, said) => {
          const whole =
            event(aChunk({ content: said }, null)) + event(aChunk({ reasoning: "é…" }, null)) + event("[DONE]");
          const bytes = new TextEncoder().encode(whole);
          const ends = [...cuts, bytes.length].sort((a, b) => a - b);
          const pieces = ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
          const torn = await asEventStream(aReply(pieces, "")).text();
          expect(torn).toBe(await asEventStream(aReply([bytes], "")).text());
        },
      ),
    ));
});

describe("an error inside a 200", () => {
  const error = { message: "Input is too long", code: 400 };
  it.each<[string, string, unknown]>([
    ["the usual shape", event({ error }), { error }],
    ["a name and the usual shape (LM Studio)", `event: error\n${event({ error })}`, { error }],
    ["a name and the bare error", `event: error\n${event(error)}`, { error }],
    ["a name and plain text", "event: error\ndata: out of memory\n\n", { error: "out of memory" }],
    ["a field of its own (older llama.cpp)", `error: ${JSON.stringify(error)}\n\n`, { error }],
    ["no field at all", `: hi\n\n${JSON.stringify({ error })}\n`, { error }],
    ["an object called error (vLLM)", event({ object: "error", ...error }), { error: { object: "error", ...error } }],
    ["a detail (FastAPI)", event({ detail: "no such model" }), { error: { detail: "no such model" } }],
    ["one JSON without events", JSON.stringify({ error }), { error }],
    ["one JSON with a text", JSON.stringify({ error: "no" }), { error: "no" }],
    ["one JSON in a list (Gemini)", JSON.stringify([{ error }]), { error }],
  ])("as %s reaches the field where the SDK looks", async (_, sent, expected) => {
    expect((await eventsOf(sent)).at(-1)).toEqual(expected);
  });

  it("after words keeps the words", async () => {
    expect(await eventsOf(event(HEL) + `event: error\n${event(error)}`)).toEqual([OPENING, HEL, { error }]);
  });

  it("is not seen in an event after one that was only named so", async () => {
    const usage = { usage: { prompt_tokens: 1 } };
    expect((await eventsOf(`event: error\n\n${event(usage)}`)).at(-1)).toEqual(usage);
  });

  it("is not seen in an ordinary event with an empty error", async () => {
    const chunk = { ...HEL, error: null };
    expect(await eventsOf(event(chunk))).toEqual([OPENING, chunk]);
  });

  it("is not seen in an event that only has usage", async () => {
    const usage = { usage: { prompt_tokens: 1 } };
    expect((await eventsOf(event(HEL) + event(usage))).at(-1)).toEqual(usage);
  });
});

describe("a whole JSON answer", () => {
  const whole = {
    id: "c1",
    object: "chat.completion",
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "length" }],
    usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
  };

  it("becomes the events of one, with its reason and its usage", async () => {
    const rest = { id: "c1", object: "chat.completion.chunk", model: "m" };
    expect(await eventsOf(JSON.stringify(whole, null, 2))).toEqual([
      { ...rest, choices: [{ index: 0, delta: { role: "assistant", content: "Hello" }, finish_reason: "length" }] },
      { ...rest, choices: [], usage: whole.usage },
      "[DONE]",
    ]);
  });

  it.each<[string, object, object]>([
    ["no reason: it came whole", { message: { content: "x" } }, { delta: { content: "x" }, finish_reason: "stop" }],
    ["parts instead of text", { message: { content: [{ text: "a" }, { text: "b" }] } }, { delta: { content: "ab" } }],
    ["no text", { message: { content: null } }, { delta: { content: "" } }],
    ["thinking", { message: { content: "x", reasoning: "hm" } }, { delta: { reasoning_content: "hm" } }],
    [
      "tool calls",
      { message: { content: null, tool_calls: [{ id: "a" }, { id: "b" }] } },
      {
        delta: {
          tool_calls: [
            { index: 0, id: "a" },
            { index: 1, id: "b" },
          ],
        },
      },
    ],
    ["nothing", {}, { delta: { role: "assistant", content: "" } }],
  ])("may have %s", async (_, choice, expected) => {
    const [first] = await eventsOf(JSON.stringify({ choices: [choice] }));
    expect(first).toMatchObject({ choices: [expected] });
  });

  it("without a choice is an empty answer", async () => {
    expect(await eventsOf(JSON.stringify({ choices: [] }))).toEqual(["[DONE]"]);
  });
});

describe("anything else is an error of its own, never an empty answer", () => {
  it.each([
    ["a web page", "<!doctype html><style>a{}</style><p>Please <b>sign in</b></p>", "Please sign in"],
    ["a greeting", "upstream is having a moment", "upstream is having a moment"],
    ["half a JSON", '{"choices":[{"mess', '{"choices":[{"mess'],
    ["JSON of something else", '{"status":"ok"}', '{"status":"ok"}'],
    ["a JSON text", '"hello"', '"hello"'],
    ["a long text", "x".repeat(500), `${"x".repeat(160)}…`],
  ])("%s", async (_, sent, quoted) => {
    const read = asEventStream(aReply([sent], "text/event-stream")).text();
    await expect(read).rejects.toEqual(new UnreadableReplyError(quoted));
    await expect(read).rejects.toBeInstanceOf(SyntaxError);
  });
});

test("wholeLines gives back every byte, and no piece but the last ends inside a line", () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: fc.constantFrom("a", "é", "😀", "\n", "\r\n") })), async (texts) => {
      const bytes = texts.map((text) => new TextEncoder().encode(text));
      async function* source() {
        yield* bytes;
      }
      const got: string[] = [];
      for await (const lines of wholeLines(source())) got.push(lines);
      expect(got.join("")).toBe(texts.join(""));
      expect(got.slice(0, -1).every((lines) => lines.endsWith("\n"))).toBe(true);
    }),
  ));
