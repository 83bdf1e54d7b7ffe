/** The icons of lucide as JSON text: name → [tag, attributes][]. Made at build time (build.mjs). */
declare module "virtual:lucide" {
  const json: string;
  export default json;
}

/** The names that obsidian.d.ts exports and their members. Made at build time (typings.mjs). */
declare module "virtual:obsidian-typings" {
  const typings: import("./strictness").Typings;
  export default typings;
}
