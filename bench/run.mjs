/**
 * `npm run bench [-- name …]`: every benchmark, or the named ones. Figures are ratios taken in one run: the
 * milliseconds of a machine mean little, what is compared stands beside them.
 */
const benches = {
  bundle: () => import("./bundle.mjs"),
  assemble: () => import("./assemble.mjs"),
  estimator: () => import("./estimator.mjs"),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`No benchmark named ${unknown.join(", ")}. There are: ${Object.keys(benches).join(", ")}`);
  process.exit(2);
}
for (const [name, load] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n## ${name}\n`);
  await (await load()).run();
}
