import { readFileSync, statSync } from "node:fs";
import { lookbehindLiterals } from "../../build/lookbehind.mjs";

interface Metafile {
  inputs: Record<string, { imports: { path: string; kind: string }[] }>;
}

/** The files that are evaluated when the plugin loads: everything that is reached without an import(). */
function eagerFiles(): ReadonlySet<string> {
  const { inputs } = JSON.parse(readFileSync("meta.json", "utf8")) as Metafile;
  const eager = new Set<string>();
  const visit = (path: string): void => {
    if (eager.has(path)) return;
    eager.add(path);
    for (const edge of inputs[path]?.imports ?? []) if (edge.kind !== "dynamic-import") visit(edge.path);
  };
  visit("src/main.ts");
  return eager;
}

test("nothing heavy is evaluated when the plugin loads", () => {
  const packages = new Set(
    [...eagerFiles()].flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );
  expect([...packages].filter((name) => name !== "preact")).toEqual([]);
});

test("but the heavy packages are in the bundle, so that the test above looks at the right file", () => {
  const { inputs } = JSON.parse(readFileSync("meta.json", "utf8")) as Metafile;
  expect(Object.keys(inputs).some((path) => path.includes("node_modules/@langchain/core/"))).toBe(true);
  expect(eagerFiles().has("src/core/ChatManager.ts")).toBe(true);
});

test("main.js is under 1.5 MB", () => {
  expect(statSync("main.js").size).toBeLessThan(1_500_000);
});

test("main.js holds no lookbehind literal, which older iOS cannot read", () => {
  expect(lookbehindLiterals(readFileSync("main.js", "utf8"))).toEqual([]);
});

test.each`
  code                          | literals         | because
  ${"x = /(?<=a)b/"}            | ${["/(?<=a)b/"]} | ${"a lookbehind literal"}
  ${"x = /(?<!a)b/"}            | ${["/(?<!a)b/"]} | ${"a negative one"}
  ${"x = /(?<name>a)/"}         | ${[]}            | ${"a named group is none"}
  ${'x = new RegExp("(?<=a)")'} | ${[]}            | ${"a string waits until it is used"}
`("$because: $code", ({ code, literals }) => {
  expect(lookbehindLiterals(code)).toEqual(literals);
});
