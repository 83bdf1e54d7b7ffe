/** `npm start`: its flags, its refusals, and that it ends without leaving anything behind. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { readFlags } from "../../workbench/startFlags.mjs";

jest.setTimeout(120_000);

const script = path.join(__dirname, "..", "..", "workbench", "start.mjs");

describe("flags", () => {
  it.each`
    args                                              | flags                                               | because
    ${[]}                                             | ${{ open: true, inPlace: false, vault: undefined }} | ${"nothing has to be said"}
    ${["--vault", "a", "--in-place"]}                 | ${{ vault: "a", inPlace: true }}                    | ${"a folder of one's own, written to"}
    ${["--model-url", "http://x/v1", "--model", "m"]} | ${{ modelUrl: "http://x/v1", model: "m" }}          | ${"a real server"}
    ${["--window", "8192", "--port", "0"]}            | ${{ windowTokens: 8192, port: 0 }}                  | ${"figures are numbers"}
    ${["--no-open"]}                                  | ${{ open: false }}                                  | ${"for machines without a browser"}
  `("$args: $because", ({ args, flags }: { args: string[]; flags: object }) => {
    expect(readFlags(args)).toMatchObject(flags);
  });

  it.each`
    args                            | words                                | because
    ${["--vaultt", "a"]}            | ${"--vaultt"}                        | ${"there is no such flag"}
    ${["notes"]}                    | ${"notes"}                           | ${"a word that belongs to no flag"}
    ${["--vault"]}                  | ${"--vault"}                         | ${"a folder is missing"}
    ${["--in-place"]}               | ${"--in-place needs --vault"}        | ${"the sample is never written to"}
    ${["--model", "m"]}             | ${"--model needs --model-url"}       | ${"the stand-in has one model"}
    ${["--model-url", "localhost"]} | ${"begins with http:// or https://"} | ${"no address"}
    ${["--window", "12"]}           | ${"--window 12"}                     | ${"too small to work with"}
    ${["--window", "8k"]}           | ${"--window 8k"}                     | ${"no number"}
    ${["--port", "70000"]}          | ${"--port 70000"}                    | ${"no port"}
  `("$args is refused: $because", ({ args, words }: { args: string[]; words: string }) => {
    expect(() => readFlags(args)).toThrow(words);
  });
});

describe("the command", () => {
  const running = new Set<ChildProcessWithoutNullStreams>();
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "workbench-start-"));
  });
  afterEach(async () => {
    for (const child of running) child.kill("SIGKILL");
    running.clear();
    await rm(folder, { recursive: true, force: true });
  });

  interface Run {
    readonly child: ChildProcessWithoutNullStreams;
    output(): string;
    readonly ended: Promise<number | null>;
  }

  function start(...args: string[]): Run {
    const child = spawn(process.execPath, [script, "--no-open", "--port", "0", ...args], {
      env: { ...process.env, TMPDIR: folder },
    });
    running.add(child);
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (text += part.toString()));
    const ended = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));
    return { child, output: () => text, ended };
  }

  async function untilReady(run: Run): Promise<string> {
    for (
      let waited = 0;
      waited < 90_000 && run.child.exitCode === null && !run.output().includes("Ctrl+C");
      waited += 100
    ) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    if (run.child.exitCode !== null) throw new Error(`it ended early:\n${run.output()}`);
    // Without the query, which opens the sidebar.
    return /^ {2}(http:[^\s?]+)\?run=vault-copilot:open$/m.exec(run.output())?.[1] ?? "";
  }

  it.each`
    args                        | words                             | because
    ${["--vault", "/no/where"]} | ${"There is no folder /no/where"} | ${"a folder that is not there"}
    ${["--vault", __filename]}  | ${"is a file, not a folder"}      | ${"a file"}
    ${["--nonsense"]}           | ${"npm start -- --help"}          | ${"a flag that is not there"}
  `("$because ends it with 2 and plain words", async ({ args, words }: { args: string[]; words: string }) => {
    const run = start(...args);
    expect(await run.ended).toBe(2);
    expect(run.output()).toContain(words);
    expect(run.output()).not.toContain("    at ");
  });

  test("--help tells every flag and ends it with 0", async () => {
    const run = start("--help");
    expect(await run.ended).toBe(0);
    for (const flag of ["--vault", "--in-place", "--model-url", "--model", "--window", "--port", "--no-open"]) {
      expect(run.output()).toContain(flag);
    }
  });

  test("it serves a copy of the vault, set up for the stand-in, and removes it at the end", async () => {
    const vault = path.join(folder, "My notes");
    await mkdir(vault);
    await writeFile(path.join(vault, "A.md"), "text of A");
    const run = start("--vault", vault, "--window", "9000");
    const url = await untilReady(run);
    const { name, files } = (await (await fetch(`${url}api/snapshot`)).json()) as {
      name: string;
      files: { path: string; text?: string }[];
    };
    expect(name).toBe("My notes");
    const settings = JSON.parse(files.find((file) => file.path.endsWith("data.json"))?.text ?? "{}") as {
      baseUrl: string;
    };
    expect(settings).toMatchObject({ model: "quoting-stand-in", contextWindowTokens: 9000 });
    expect((await fetch(`${settings.baseUrl}/models`)).status).toBe(200);
    await fetch(`${url}api/fs?op=write&path=A.md`, { method: "POST", body: "changed" });
    run.child.kill("SIGINT");
    expect(await run.ended).toBe(0);
    expect(await readFile(path.join(vault, "A.md"), "utf8")).toBe("text of A");
    expect((await readdir(folder)).filter((entry) => entry.startsWith("workbench-vault-"))).toEqual([]);
  });

  test("in place it writes to the folder itself, and leaves the plugin's own settings as they are", async () => {
    const dataFile = path.join(folder, ".obsidian", "plugins", "vault-copilot", "data.json");
    await mkdir(path.dirname(dataFile), { recursive: true });
    await writeFile(dataFile, '{"baseUrl":"http://127.0.0.1:9/v1"}');
    await writeFile(path.join(folder, "A.md"), "text of A");
    const run = start("--vault", folder, "--in-place");
    const url = await untilReady(run);
    await fetch(`${url}api/fs?op=write&path=A.md`, { method: "POST", body: "changed" });
    run.child.kill("SIGINT");
    expect(await run.ended).toBe(0);
    expect(await readFile(path.join(folder, "A.md"), "utf8")).toBe("changed");
    expect(await readFile(dataFile, "utf8")).toBe('{"baseUrl":"http://127.0.0.1:9/v1"}');
  });

  test("in place, settings that point at the stand-in go with it, and others stay", async () => {
    const run = start("--vault", folder, "--in-place");
    const url = await untilReady(run);
    const address = `${url}vault/.obsidian/plugins/vault-copilot/data.json`;
    const settings = (await (await fetch(address)).json()) as { model: string };
    expect(settings.model).toBe("quoting-stand-in");
    const body = JSON.stringify({ ...settings, model: "mine", theme: "blue" });
    await fetch(`${url}api/fs?op=write&path=.obsidian/plugins/vault-copilot/data.json`, { method: "POST", body });
    run.child.kill("SIGINT");
    expect(await run.ended).toBe(0);
    const left = await readFile(path.join(folder, ".obsidian/plugins/vault-copilot/data.json"), "utf8");
    expect(JSON.parse(left)).toEqual({ model: "mine", theme: "blue" });
  });

  test("a server that was named is put into the settings, and no stand-in is started", async () => {
    const vault = path.join(folder, "notes");
    await mkdir(vault);
    const run = start("--vault", vault, "--model-url", "http://127.0.0.1:9/v1", "--model", "mine");
    const url = await untilReady(run);
    const settings = (await (await fetch(`${url}vault/.obsidian/plugins/vault-copilot/data.json`)).json()) as object;
    expect(settings).toEqual({ baseUrl: "http://127.0.0.1:9/v1", model: "mine" });
    expect(run.output()).not.toContain("quoting-stand-in");
    run.child.kill("SIGINT");
    expect(await run.ended).toBe(0);
  });
});
