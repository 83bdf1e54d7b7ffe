/**
 * A loopback model server that answers as it is told to, wrongly if it is told so, and remembers what it was asked.
 * Owns: serving scripted answers, capturing requests. Does not own: counting tokens or enforcing a window.
 *
 *   const server = await startFaultServer(answers.text(["Hel", "lo"]));
 *   … talk to server.baseUrl …
 *   expect(server.requests[0]?.json).toMatchObject({ model: "m" });
 *   await server.close();
 */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { answers, type ScriptedAnswer } from "./faultAnswers";

export { answers } from "./faultAnswers";
export type { ScriptedAnswer } from "./faultAnswers";

/** How a connection ended. */
export type ConnectionEnd = "finished" | "cut" | "client-left";

export interface CapturedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; undefined where it is none. */
  readonly json: unknown;
  readonly ended: Promise<ConnectionEnd>;
}

export interface FaultServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** The origin with `/v1`, as an OpenAI-compatible base URL. */
  readonly baseUrl: string;
  /** Everything asked so far but preflights, oldest first. */
  readonly requests: readonly CapturedRequest[];
  /** What the next requests get, in order; the last one repeats. Replaces what was scripted before. */
  readonly willAnswer: (...script: readonly ScriptedAnswer[]) => void;
  /** The same for one path (without query), which then no longer takes from the common script. */
  readonly willAnswerAt: (path: string, ...script: readonly ScriptedAnswer[]) => void;
  /** Resolves once this many requests have arrived in all. */
  readonly received: (count: number) => Promise<void>;
  /** Breaks every connection and frees the port. */
  readonly close: () => Promise<void>;
}

export interface FaultServerOptions {
  /** false = a provider that no page may read (no CORS headers, preflights answered 405). Default true. */
  readonly cors?: boolean;
}

export async function startFaultServer(
  first: ScriptedAnswer = answers.text(["Hello."]),
  { cors = true }: FaultServerOptions = {},
): Promise<FaultServer> {
  const requests: CapturedRequest[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const byPath = new Map<string, ScriptedAnswer[]>();
  let script: ScriptedAnswer[] = [first];

  const server = http.createServer((request, response) => {
    if (cors) allowAnyOrigin(request, response);
    if (request.method === "OPTIONS") return void response.writeHead(cors ? 204 : 405).end();
    const marks: ConnectionMarks = { cutByUs: false };
    const ended = endOf(response, marks);
    void readBody(request).then(async (text) => {
      const path = request.url ?? "/";
      const queue = byPath.get(path.replace(/\?.*$/, "")) ?? script;
      requests.push({
        method: request.method ?? "",
        path,
        headers: request.headers,
        text,
        json: parsed(text),
        ended,
      });
      for (const { count, resolve } of waiting) if (requests.length >= count) resolve();
      await play((queue.length > 1 ? queue.shift() : queue[0]) ?? first, response, marks);
    });
  });

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${portOf(server)}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    requests,
    willAnswer: (...next) => {
      script = [...next];
    },
    willAnswerAt: (path, ...next) => {
      byPath.set(path, [...next]);
    },
    received: (count) =>
      requests.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push({ count, resolve });
          }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A base URL at which nothing listens: connections are refused. */
export async function addressOfNobody(): Promise<string> {
  const server = http.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return `http://127.0.0.1:${port}/v1`;
}

/** Tells a connection that was cut on purpose from one whose client left. */
interface ConnectionMarks {
  cutByUs: boolean;
}

async function play(
  { status, headers, steps }: ScriptedAnswer,
  response: http.ServerResponse,
  marks: ConnectionMarks,
): Promise<void> {
  if (status !== undefined) {
    response.writeHead(status, headers);
    response.flushHeaders();
  }
  for (const step of steps) {
    if (response.destroyed) return;
    switch (step.do) {
      case "send":
        response.write(step.data);
        break;
      case "wait":
        await new Promise((resolve) => setTimeout(resolve, step.ms));
        break;
      case "hang":
        return;
      case "cut":
        marks.cutByUs = true;
        response.socket?.destroy();
        return;
    }
  }
  response.end();
}

function endOf(response: http.ServerResponse, marks: ConnectionMarks): Promise<ConnectionEnd> {
  return new Promise((resolve) => {
    response.on("close", () => resolve(response.writableFinished ? "finished" : marks.cutByUs ? "cut" : "client-left"));
  });
}

function readBody(request: http.IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => resolve(Buffer.concat(parts).toString("utf8")));
  });
}

function allowAnyOrigin(request: http.IncomingMessage, response: http.ServerResponse): void {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-methods", "*");
  response.setHeader("access-control-allow-headers", request.headers["access-control-request-headers"] ?? "*");
  response.setHeader("access-control-expose-headers", "*");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // Not JSON: the captured text says what it was.
  }
}

function portOf(server: http.Server): number {
  return (server.address() as AddressInfo).port;
}
