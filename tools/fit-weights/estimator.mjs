/** The plugin's own estimator, bundled from its sources, so that tools and benchmarks measure what is shipped. */
import { build } from "esbuild";

const SOURCES = `
  export * from "./src/budget/tokenEstimator";
  export * from "./src/budget/tokenFeatures";
  export * from "./src/budget/tokenizerWeights";
`;

export async function loadEstimator() {
  const { outputFiles } = await build({
    stdin: { contents: SOURCES, resolveDir: new URL("../..", import.meta.url).pathname, loader: "ts" },
    bundle: true,
    format: "esm",
    write: false,
    target: "es2022",
  });
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}
