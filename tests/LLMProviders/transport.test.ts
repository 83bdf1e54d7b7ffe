import { createTransport, type RequestUrlPort } from "../../src/LLMProviders/transport";
import type { FetchLike } from "../../src/LLMProviders/wire";
import { addressOfNobody, answers, startFaultServer, type FaultServer } from "../support/faultServer";

type HostRequest = Parameters<RequestUrlPort>[0];

/** A page that may read nothing: every fetch fails as it does for CORS. */
const blockedPage: FetchLike = () => Promise.reject(new TypeError("Failed to fetch"));

/** A host that answers everything with this. */
function aHost(reply: Partial<Awaited<ReturnType<RequestUrlPort>>> & { readonly text?: string } = {}) {
  const asked: HostRequest[] = [];
  const { text = "from the host", ...rest } = reply;
  const requestUrl: RequestUrlPort = async (request) => {
    asked.push(request);
    return { status: 200, headers: {}, arrayBuffer: new TextEncoder().encode(text).buffer, ...rest };
  };
  return { requestUrl, asked };
}

const noHost: RequestUrlPort = () => Promise.reject(new Error("net::ERR_CONNECTION_REFUSED"));

describe("a server that the page may read", () => {
  let server: FaultServer;
  beforeEach(async () => {
    server = await startFaultServer(answers.json({ hello: 1 }));
  });
  afterEach(() => server.close());

  it("is asked by fetch, and the host is left alone", async () => {
    const host = aHost();
    const response = await createTransport(host).fetch(`${server.baseUrl}/models`);
    expect([await response.json(), host.asked]).toEqual([{ hello: 1 }, []]);
  });

  it.each([400, 401, 404, 429, 500, 503])(
    "may refuse with %p: that is an answer, no reason to ask again",
    async (status) => {
      server.willAnswer(answers.error(status, "no"));
      const host = aHost();
      const response = await createTransport(host).fetch(server.baseUrl);
      expect([response.status, host.asked, server.requests.length]).toEqual([status, [], 1]);
    },
  );

  it("passes pieces on while they come", async () => {
    server.willAnswer(answers.hangInTheMiddle(["first"]));
    const response = await createTransport(aHost()).fetch(`${server.baseUrl}/chat/completions`, aChatRequest());
    const reader = response.body?.getReader();
    let text = "";
    while (!text.includes("first")) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    await expect(server.requests[0]?.ended).resolves.toBe("client-left");
  });

  it.each<[string, () => [RequestInfo | URL, RequestInit?]]>([
    ["text", () => [server.baseUrl, { method: "POST", body: '{"a":"é"}' }]],
    ["a URL object", () => [new URL(server.baseUrl), { method: "post", body: '{"a":"é"}' }]],
    ["bytes", () => [server.baseUrl, { method: "POST", body: new TextEncoder().encode('{"a":"é"}') }]],
    ["a buffer", () => [server.baseUrl, { method: "POST", body: new TextEncoder().encode('{"a":"é"}').buffer }]],
    ["a blob", () => [server.baseUrl, { method: "POST", body: new Blob(['{"a":"é"}']) }]],
    ["a stream", () => [server.baseUrl, { method: "POST", body: new Response('{"a":"é"}').body }]],
    ["a Request", () => [new Request(server.baseUrl, { method: "POST", body: '{"a":"é"}' })]],
    [
      "a Request, changed",
      () => [new Request(server.baseUrl, { method: "PUT", body: "x" }), { method: "POST", body: '{"a":"é"}' }],
    ],
  ])("gets a body given as %s", async (_, request) => {
    await createTransport(aHost()).fetch(...request());
    expect(server.requests[0]).toMatchObject({ method: "POST", json: { a: "é" } });
  });

  it("gets the headers it needs, and none that describe the machine", async () => {
    await createTransport(aHost()).fetch(server.baseUrl, {
      headers: {
        Authorization: "Bearer k",
        "Content-Type": "application/json",
        "X-Stainless-OS": "Linux",
        "OpenAI-Organization": "org",
        "OpenAI-Project": "p",
        "User-Agent": "sdk/1 (linux; x64)",
      },
    });
    const { headers } = server.requests[0] ?? { headers: {} };
    expect(headers).toMatchObject({ authorization: "Bearer k", "content-type": "application/json" });
    expect(JSON.stringify(headers)).not.toMatch(/stainless|linux|openai-/i);
  });

  it("declares the type that a body of its own kind has", async () => {
    await createTransport(aHost()).fetch(server.baseUrl, { method: "POST", body: new URLSearchParams({ a: "1" }) });
    expect(server.requests[0]).toMatchObject({ text: "a=1" });
    expect(server.requests[0]?.headers["content-type"]).toMatch(/urlencoded/);
  });
});

describe("a server that the page may not read (B077)", () => {
  it("is asked once by the host, whose reply is a real Response", async () => {
    const host = aHost({
      status: 207,
      headers: { "Content-Type": "application/json", "retry-after": "7" },
      text: '{"é":1}',
    });
    const { fetch } = createTransport({ ...host, fetch: blockedPage });
    const response = await fetch("https://api.example.org/v1/models", { headers: { Authorization: "Bearer k" } });
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.ok, response.headers.get("retry-after"), await response.json()]).toEqual([
      207,
      true,
      "7",
      { é: 1 },
    ]);
    expect(host.asked).toEqual([
      { url: "https://api.example.org/v1/models", method: "GET", headers: { authorization: "Bearer k" }, throw: false },
    ]);
  });

  it.each<[string, BodyInit]>([
    ["text", "täxt"],
    ["bytes", new TextEncoder().encode("täxt")],
  ])("hands the host a JSON body given as %s as text, because phones carry text better", async (_, body) => {
    const host = aHost();
    const init = { method: "POST", body, headers: { "content-type": "application/json" } };
    await createTransport({ ...host, fetch: blockedPage }).fetch("https://api.example.org/x", init);
    expect(host.asked[0]).toMatchObject({ body: "täxt", contentType: "application/json", method: "POST" });
  });

  it("hands the host other bodies as bytes, and no headers that it sets itself", async () => {
    const host = aHost();
    await createTransport({ ...host, fetch: blockedPage }).fetch("https://api.example.org/x", {
      method: "POST",
      body: new Uint8Array([0, 255]),
      headers: { "content-length": "2", host: "elsewhere" },
    });
    expect(new Uint8Array(host.asked[0]?.body as ArrayBuffer)).toEqual(new Uint8Array([0, 255]));
    expect(host.asked[0]?.headers).toEqual({});
  });

  it("goes straight to the host from then on, per origin and per instance, until it is forgotten", async () => {
    const page = jest.fn(blockedPage);
    const host = aHost();
    const { fetch, forget } = createTransport({ ...host, fetch: page });
    await fetch("https://a.example.org/1");
    await fetch("https://a.example.org/2");
    expect([page.mock.calls.length, host.asked.length]).toEqual([1, 2]);
    await fetch("https://b.example.org/1");
    expect(page).toHaveBeenCalledTimes(2);
    forget("https://a.example.org");
    await fetch("https://a.example.org/3");
    expect(page).toHaveBeenCalledTimes(3);
    await createTransport({ ...host, fetch: page }).fetch("https://a.example.org/4");
    expect(page).toHaveBeenCalledTimes(4);
  });

  it.each([204, 205, 304])("may answer %p, which has no body", async (status) => {
    const host = aHost({ status, text: "" });
    const response = await createTransport({ ...host, fetch: blockedPage }).fetch("https://api.example.org/x");
    expect([response.status, response.body]).toEqual([status, null]);
  });

  it("loses no answer over a header that no page would take", async () => {
    const host = aHost({ headers: { "bad name": "x", "x-note": "naïve…", "x-good": "1" } });
    const response = await createTransport({ ...host, fetch: blockedPage }).fetch("https://api.example.org/x");
    expect([await response.text(), response.headers.get("x-good")]).toEqual(["from the host", "1"]);
  });

  it("may refuse: a refusal through the host is remembered as readable, not asked twice", async () => {
    const host = aHost({ status: 401, text: '{"error":{"message":"no"}}' });
    const response = await createTransport({ ...host, fetch: blockedPage }).fetch("https://api.example.org/x");
    expect([response.status, host.asked.length]).toEqual([401, 1]);
  });
});

describe("a server that nobody reaches", () => {
  it("is a network error with the wording of both ways, and is tried by fetch again the next time", async () => {
    const { fetch } = createTransport({ requestUrl: noHost });
    const address = await addressOfNobody();
    for (let i = 0; i < 2; i++)
      await expect(fetch(address)).rejects.toMatchObject({
        name: "NetworkError",
        message: expect.stringMatching(/ECONNREFUSED.*; net::ERR_CONNECTION_REFUSED/) as string,
      });
  });

  it("is the same where it hangs up before a word", async () => {
    const server = await startFaultServer(answers.refuse());
    await expect(createTransport({ requestUrl: noHost }).fetch(server.baseUrl)).rejects.toMatchObject({
      name: "NetworkError",
    });
    await server.close();
  });

  it("is the same where the host answers with no status at all", async () => {
    const host = aHost({ status: 0 });
    const asked = createTransport({ ...host, fetch: blockedPage }).fetch("https://api.example.org/x");
    await expect(asked).rejects.toMatchObject({ name: "NetworkError" });
  });

  it("is tried by fetch again when the host's way breaks later, because both may have changed", async () => {
    const page = jest.fn(blockedPage);
    const replies = [() => aHost().requestUrl, () => noHost, () => aHost().requestUrl];
    const { fetch } = createTransport({
      requestUrl: (request) => (replies.shift()?.() ?? noHost)(request),
      fetch: page,
    });
    await fetch("https://api.example.org/1");
    await expect(fetch("https://api.example.org/2")).rejects.toMatchObject({ name: "NetworkError" });
    expect(page).toHaveBeenCalledTimes(1);
    await fetch("https://api.example.org/3");
    expect(page).toHaveBeenCalledTimes(2);
  });

  it("is told from a bug: what is not fetch's way to fail is passed on as it is", async () => {
    const host = aHost();
    const broken: FetchLike = () => Promise.reject(new RangeError("bug"));
    await expect(createTransport({ ...host, fetch: broken }).fetch("https://x.example.org")).rejects.toThrow(
      RangeError,
    );
    expect(host.asked).toEqual([]);
  });
});

describe("stopping", () => {
  it("before the first word reaches the connection", async () => {
    const server = await startFaultServer(answers.hangBeforeFirstByte());
    const host = aHost();
    const stop = new AbortController();
    const asked = createTransport(host).fetch(server.baseUrl, { signal: stop.signal });
    await server.received(1);
    stop.abort();
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    await expect(server.requests[0]?.ended).resolves.toBe("client-left");
    expect(host.asked).toEqual([]);
    await server.close();
  });

  it("in the middle of a chat reply reaches the connection too", async () => {
    const server = await startFaultServer(answers.hangInTheMiddle(["a"]));
    const stop = new AbortController();
    const init = { ...aChatRequest(), signal: stop.signal };
    const response = await createTransport(aHost()).fetch(`${server.baseUrl}/chat/completions`, init);
    const read = response.text();
    stop.abort();
    await expect(read).rejects.toMatchObject({ name: "AbortError" });
    await expect(server.requests[0]?.ended).resolves.toBe("client-left");
    await server.close();
  });

  it("while the host is asked ends the waiting, with the reason that was given", async () => {
    const stop = new AbortController();
    const asked = createTransport({ requestUrl: () => new Promise(() => undefined), fetch: blockedPage }).fetch(
      "https://api.example.org/x",
      { signal: stop.signal },
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
  });

  it("beforehand asks nobody", async () => {
    const page = jest.fn(blockedPage);
    const host = aHost();
    const asked = createTransport({ ...host, fetch: page }).fetch("https://x.example.org", {
      signal: AbortSignal.abort(),
    });
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    expect([page.mock.calls.length, host.asked.length]).toEqual([0, 0]);
  });

  it("is no network error that would send the host after it", async () => {
    const stop = new AbortController();
    const host = aHost();
    const page: FetchLike = () => {
      stop.abort();
      return Promise.reject(new TypeError("Failed to fetch"));
    };
    await expect(
      createTransport({ ...host, fetch: page }).fetch("https://x.example.org", { signal: stop.signal }),
    ).rejects.toThrow();
    expect(host.asked).toEqual([]);
  });
});

function aChatRequest(): RequestInit {
  return { method: "POST", body: JSON.stringify({ model: "m", stream: true, messages: [] }) };
}
