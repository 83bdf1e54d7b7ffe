import { addressOfNobody, answers, startFaultServer, type FaultServer } from "../support/faultServer";

describe("the fault server does what it is told", () => {
  let server: FaultServer;
  beforeEach(async () => {
    server = await startFaultServer();
  });
  afterEach(() => server.close());
  const ask = (init?: RequestInit) =>
    fetch(`${server.baseUrl}/chat/completions`, { method: "POST", body: '{"a":1}', ...init });

  it("captures what was asked, as text and as JSON", async () => {
    await (await ask()).text();
    expect(server.requests).toMatchObject([
      { method: "POST", path: "/v1/chat/completions", text: '{"a":1}', json: { a: 1 } },
    ]);
    await expect(server.requests[0]?.ended).resolves.toBe("finished");
  });

  it("plays its script in order and repeats the last answer", async () => {
    server.willAnswer(answers.error(500, "oops"), answers.rateLimit("7"));
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await ask()).status);
    expect(statuses).toEqual([500, 429, 429]);
  });

  it("sends its pieces one by one, then breaks the connection", async () => {
    server.willAnswer(answers.cutInTheMiddle(["Hel", "lo"]));
    const response = await ask();
    await expect(response.text()).rejects.toThrow();
    await expect(server.requests[0]?.ended).resolves.toBe("cut");
  });

  it("notices that a client gave up waiting", async () => {
    server.willAnswer(answers.hangBeforeFirstByte());
    const abort = new AbortController();
    const asked = ask({ signal: abort.signal });
    await server.received(1);
    abort.abort();
    await expect(asked).rejects.toThrow();
    await expect(server.requests[0]?.ended).resolves.toBe("client-left");
  });

  it("can be nobody at all, or someone who hangs up at once", async () => {
    await expect(fetch(await addressOfNobody())).rejects.toMatchObject({ name: "TypeError" });
    server.willAnswer(answers.refuse());
    await expect(ask()).rejects.toMatchObject({ name: "TypeError" });
  });

  it("gives a path its own script", async () => {
    server.willAnswerAt("/api/tags", answers.json({ models: [] }));
    expect(await (await fetch(`${server.origin}/api/tags?x=1`)).json()).toEqual({ models: [] });
    expect((await ask()).headers.get("content-type")).toBe("text/event-stream");
  });

  it("can send five million characters", async () => {
    server.willAnswer(answers.long(5_000_000));
    expect((await (await ask()).text()).length).toBeGreaterThan(5_000_000);
  });
});
