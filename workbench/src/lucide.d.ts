/** The icons of lucide as data: name → [tag, attributes][]. Made at build time (build.mjs). */
declare module "virtual:lucide" {
  const nodes: Record<string, readonly (readonly [tag: string, attributes: Record<string, string>])[]>;
  export default nodes;
}

/** The names that obsidian.d.ts exports and their members. Made at build time (typings.mjs). */
declare module "virtual:obsidian-typings" {
  const typings: import("./strictness").Typings;
  export default typings;
}
