// @ts-check
/** Small helpers both servers share: reading a body, listening on loopback, ending for good, reading errors. */

/**
 * @param {AsyncIterable<Buffer>} request
 * @returns {Promise<Buffer>}
 */
export async function readBody(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

/**
 * @param {import("node:http").Server} server
 * @param {number} port 0 takes a free one
 * @returns {Promise<{ url: string, port: number, close: () => Promise<void> }>}
 */
export async function listenOnLoopback(server, port) {
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(undefined));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}/`,
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve(undefined));
        server.closeAllConnections();
      }),
  };
}

/**
 * Node's own code of an error, "" where it has none. By its shape, since a test runner's errors belong to another realm.
 * @param {unknown} error
 */
export function codeOf(error) {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

/** @param {unknown} error */
export function messageOf(error) {
  return typeof error === "object" && error !== null && "message" in error ? String(error.message) : String(error);
}
