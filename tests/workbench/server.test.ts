/** The page server over real HTTP: what of the vault can be reached, how it is written, how it fails, what is told of changes. */
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { startPageServer } from "../../workbench/server.mjs";

type PageServer = Awaited<ReturnType<typeof startPageServer>>;

let root: string;
let vaultDir: string;
let server: PageServer;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "workbench-server-"));
  vaultDir = path.join(root, "vault");
  await mkdir(path.join(vaultDir, "Notes"), { recursive: true });
  await mkdir(path.join(root, "plugin"));
  await mkdir(path.join(root, "host"));
  await writeFile(path.join(root, "secret.txt"), "not yours");
  await writeFile(path.join(vaultDir, "Notes", "Plan.md"), "# Plan\n");
  await writeFile(path.join(vaultDir, "picture.png"), Buffer.from([1, 2, 3]));
  await writeFile(path.join(root, "plugin", "main.js"), "module.exports = {}");
  await writeFile(path.join(root, "plugin", "manifest.json"), "{}");
  await writeFile(path.join(root, "plugin", "data.json"), '{"key":"secret"}');
  server = await startPageServer({ vaultDir, pluginDir: path.join(root, "plugin"), hostDir: path.join(root, "host") });
});

afterEach(async () => {
  await server.close();
  await rm(root, { recursive: true, force: true });
});

const get = (address: string): Promise<Response> => fetch(server.url + address);
const perform = (op: string, vaultPath: string, extra: Record<string, string> = {}, body = ""): Promise<Response> =>
  fetch(`${server.url}api/fs?${new URLSearchParams({ op, path: vaultPath, ...extra }).toString()}`, {
    method: "POST",
    body,
  });
const onDisk = (vaultPath: string): Promise<string> => readFile(path.join(vaultDir, vaultPath), "utf8");
const codeOf = async (answer: Response): Promise<string> => ((await answer.json()) as { code: string }).code;

describe("only the vault and the plugin's three files can be reached", () => {
  it.each`
    address                               | status | because
    ${"vault/Notes/Plan.md"}              | ${200} | ${"a note of the vault"}
    ${"vault/..%2fsecret.txt"}            | ${400} | ${"an encoded way up"}
    ${"vault/Notes/..%2f..%2fsecret.txt"} | ${400} | ${"a way up from a folder"}
    ${"vault/%2e%2e/secret.txt"}          | ${404} | ${"dots the address itself resolves"}
    ${"vault/link/secret.txt"}            | ${400} | ${"a symbolic link that leads out"}
    ${"vault/Notes%00.md"}                | ${400} | ${"a zero byte"}
    ${"vault/Notes"}                      | ${500} | ${"a folder is no file"}
    ${"vault/Nothing.md"}                 | ${404} | ${"a note that is not there"}
    ${"plugin/main.js"}                   | ${200} | ${"one of the three files"}
    ${"plugin/styles.css"}                | ${200} | ${"a plugin may have no styles"}
    ${"plugin/data.json"}                 | ${404} | ${"the plugin's data is in the vault, nothing else is served"}
    ${"plugin/..%2fsecret.txt"}           | ${404} | ${"not one of the three names"}
    ${"host/..%2f..%2fsecret.txt"}        | ${404} | ${"only the name counts"}
    ${"elsewhere"}                        | ${404} | ${"nothing is there"}
  `("$address → $status: $because", async ({ address, status }: { address: string; status: number }) => {
    await symlink(root, path.join(vaultDir, "link"));
    expect((await get(address)).status).toBe(status);
  });

  it.each(["write", "append", "mkdir", "remove", "rmdir", "stat", "list", "trash"])(
    "%s refuses a path that leads out",
    async (op) => {
      expect(await codeOf(await perform(op, "../secret.txt", { recursive: "true" }, "x"))).toBe("EOUTSIDE");
      expect(await readFile(path.join(root, "secret.txt"), "utf8")).toBe("not yours");
    },
  );

  test("rename and copy refuse a target that leads out", async () => {
    for (const op of ["rename", "copy"]) {
      expect(await codeOf(await perform(op, "Notes/Plan.md", { to: "../stolen.md" }))).toBe("EOUTSIDE");
    }
    expect(await onDisk("Notes/Plan.md")).toBe("# Plan\n");
  });
});

describe("writing", () => {
  test("a written note is on disk, with its figures in the answer and nothing half-written beside it", async () => {
    const answer = await perform("write", "Notes/Plan.md", {}, "new text");
    const { stat } = (await answer.json()) as { stat: { size: number; type: string; mtime: number } };
    expect(stat).toMatchObject({ size: 8, type: "file" });
    expect(await onDisk("Notes/Plan.md")).toBe("new text");
    expect(await readdir(path.join(vaultDir, "Notes"))).toEqual(["Plan.md"]);
  });

  test("bytes come through as they are", async () => {
    const bytes = new Uint8Array([0, 255, 10, 13, 128]);
    await fetch(`${server.url}api/fs?op=write&path=data.bin`, { method: "POST", body: bytes });
    expect(new Uint8Array(await (await get("vault/data.bin")).arrayBuffer())).toEqual(bytes);
  });

  it.each`
    op          | vaultPath          | extra                    | code           | because
    ${"write"}  | ${"New/Plan.md"}   | ${{}}                    | ${"ENOENT"}    | ${"as in Obsidian, a folder is not made by writing into it"}
    ${"write"}  | ${"Notes"}         | ${{}}                    | ${"EISDIR"}    | ${"a folder cannot be written"}
    ${"remove"} | ${"Nothing.md"}    | ${{}}                    | ${"ENOENT"}    | ${"what is not there cannot go"}
    ${"rename"} | ${"Notes/Plan.md"} | ${{ to: "picture.png" }} | ${"EEXIST"}    | ${"nothing is overwritten by a rename"}
    ${"copy"}   | ${"Notes/Plan.md"} | ${{ to: "picture.png" }} | ${"EEXIST"}    | ${"nor by a copy"}
    ${"rmdir"}  | ${"Notes"}         | ${{}}                    | ${"ENOTEMPTY"} | ${"only an empty folder goes without being told"}
    ${"dance"}  | ${"Notes/Plan.md"} | ${{}}                    | ${"EINVAL"}    | ${"no such operation"}
  `(
    "$op $vaultPath → $code: $because",
    async ({
      op,
      vaultPath,
      extra,
      code,
    }: {
      op: string;
      vaultPath: string;
      extra: Record<string, string>;
      code: string;
    }) => {
      expect(await codeOf(await perform(op, vaultPath, extra, "x"))).toBe(code);
      expect(await onDisk("Notes/Plan.md")).toBe("# Plan\n");
    },
  );

  test("a rename by case alone is allowed", async () => {
    expect((await perform("rename", "Notes/Plan.md", { to: "Notes/plan.md" })).status).toBe(200);
    expect(await readdir(path.join(vaultDir, "Notes"))).toEqual(["plan.md"]);
  });

  test("the trash keeps both of two notes with one name", async () => {
    await perform("trash", "Notes/Plan.md");
    await perform("write", "Notes/Plan.md", {}, "second");
    await perform("trash", "Notes/Plan.md");
    expect((await readdir(path.join(vaultDir, ".trash"))).sort()).toEqual(["Plan 2.md", "Plan.md"]);
    expect(await onDisk(".trash/Plan 2.md")).toBe("second");
  });
});

test("the snapshot holds folders, figures, and the text of text files only", async () => {
  const { files, folders } = (await (await get("api/snapshot")).json()) as {
    folders: string[];
    files: { path: string; text?: string; size: number }[];
  };
  expect(folders).toEqual(["Notes"]);
  expect(files.find((file) => file.path === "Notes/Plan.md")).toMatchObject({ text: "# Plan\n", size: 7 });
  expect(files.find((file) => file.path === "picture.png")).not.toHaveProperty("text");
});

describe("faults that a test asks for", () => {
  const fail = (fault: object): Promise<Response> =>
    fetch(`${server.url}api/fault`, { method: "POST", body: JSON.stringify(fault) });

  it.each`
    fault                                                  | answers                       | because
    ${{ path: "Notes/Plan.md", code: "ENOSPC" }}           | ${["ENOSPC", "ok", "ok"]}     | ${"one write when no number is given"}
    ${{ path: "Notes/Plan.md", code: "EACCES", times: 2 }} | ${["EACCES", "EACCES", "ok"]} | ${"as many as were asked for"}
    ${{ path: "*", code: "EBUSY" }}                        | ${["EBUSY", "ok", "ok"]}      | ${"a star stands for any path"}
    ${{ path: "Other.md", code: "ENOSPC" }}                | ${["ok", "ok", "ok"]}         | ${"another path is another matter"}
  `("$fault → $answers: $because", async ({ fault, answers }: { fault: object; answers: string[] }) => {
    await fail(fault);
    const seen: string[] = [];
    for (const [index] of answers.entries()) {
      const answer = await perform("write", "Notes/Plan.md", {}, `text ${index}`);
      seen.push(answer.ok ? "ok" : await codeOf(answer));
    }
    expect(seen).toEqual(answers);
  });

  test("a write that failed leaves the old text; one that failed partly leaves half of the new", async () => {
    await fail({ path: "Notes/Plan.md", code: "ENOSPC" });
    await perform("write", "Notes/Plan.md", {}, "0123456789");
    expect(await onDisk("Notes/Plan.md")).toBe("# Plan\n");
    await fail({ path: "Notes/Plan.md", code: "ENOSPC", partly: true });
    await perform("write", "Notes/Plan.md", {}, "0123456789");
    expect(await onDisk("Notes/Plan.md")).toBe("01234");
  });
});

describe("changes that others make", () => {
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  /** The paths told while `act` ran and for a moment after it. */
  async function toldDuring(act: () => Promise<unknown>): Promise<string[]> {
    const events = await get("api/events");
    const reader = events.body?.getReader();
    await reader?.read();
    const told: string[] = [];
    const listening = (async () => {
      for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
        for (const [, name] of new TextDecoder().decode(part.value).matchAll(/data: (.*)/g))
          told.push(JSON.parse(name ?? "") as string);
      }
    })();
    await act();
    await pause(300);
    await reader?.cancel();
    await listening;
    return [...new Set(told)];
  }
  const write = (vaultPath: string, text: string): Promise<void> => writeFile(path.join(vaultDir, vaultPath), text);

  it.each`
    act                                                                                                             | told                                       | because
    ${() => write("Notes/Other.md", "x")}                                                                           | ${["Notes/Other.md"]}                      | ${"a new note"}
    ${() => write("Notes/Plan.md", "x")}                                                                            | ${["Notes/Plan.md"]}                       | ${"a changed note"}
    ${() => rm(path.join(vaultDir, "Notes/Plan.md"))}                                                               | ${["Notes/Plan.md"]}                       | ${"a note that went"}
    ${() => perform("write", "Notes/Plan.md", {}, "by the page")}                                                   | ${[]}                                      | ${"what the page wrote itself is no news"}
    ${() => mkdir(path.join(vaultDir, "New/Deep"), { recursive: true }).then(() => write("New/Deep/Note.md", "x"))} | ${["New", "New/Deep", "New/Deep/Note.md"]} | ${"a folder that came, with what is in it"}
  `("$told: $because", async ({ act, told }: { act: () => Promise<unknown>; told: string[] }) => {
    expect((await toldDuring(act)).sort()).toEqual(told);
  });

  test("a note that the page replaced is still watched", async () => {
    await perform("write", "Notes/Plan.md", {}, "by the page");
    expect(await toldDuring(() => write("Notes/Plan.md", "by somebody"))).toEqual(["Notes/Plan.md"]);
  });
});

describe("requestUrl's proxy", () => {
  const forward = async (request: object): Promise<Record<string, unknown>> =>
    (await (await fetch(`${server.url}api/proxy`, { method: "POST", body: JSON.stringify(request) })).json()) as Record<
      string,
      unknown
    >;

  test("hands a request on and the whole answer back, without CORS", async () => {
    const target = createServer((request, response) => {
      response.writeHead(418, { "x-answer": "yes" });
      response.end(`${request.method ?? ""} ${request.headers["content-type"] ?? ""}`);
    });
    await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
    const { port } = target.address() as { port: number };
    const answer = await forward({
      url: `http://127.0.0.1:${port}/`,
      method: "POST",
      contentType: "text/x",
      body: "hi",
    });
    target.close();
    expect(answer).toMatchObject({
      status: 418,
      headers: { "x-answer": "yes" },
      base64: Buffer.from("POST text/x").toString("base64"),
    });
  });

  it.each`
    url                       | error                           | because
    ${"http://192.0.2.1/"}    | ${"net::ERR_BLOCKED_BY_CLIENT"} | ${"only this machine is reached"}
    ${"https://example.org/"} | ${"net::ERR_BLOCKED_BY_CLIENT"} | ${"by name neither"}
    ${"http://127.0.0.1:9/"}  | ${"net::ERR_"}                  | ${"nobody listens there"}
  `("$url → $error: $because", async ({ url, error }: { url: string; error: string }) => {
    expect((await forward({ url })).error).toEqual(expect.stringContaining(error));
  });
});
