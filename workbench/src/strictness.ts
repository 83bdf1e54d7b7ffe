/**
 * Makes everything that Obsidian has and the workbench has not fail by name, instead of being undefined.
 * Owns: the stubs on exports and on classes. The list of names comes from obsidian.d.ts at build time (typings.mjs).
 */

export interface ClassTyping {
  readonly extends?: string;
  /** Public members that are not optional. */
  readonly members: readonly string[];
  readonly statics: readonly string[];
}

export interface Typings {
  /** Names of what exists at run time: classes, functions, constants, enums. */
  readonly values: readonly string[];
  readonly classes: Readonly<Record<string, ClassTyping>>;
}

export type Exports = Readonly<Record<string, unknown>>;

/**
 * The module a plugin gets: what is modelled, and a getter that throws for each export that is not.
 * Own properties, since a bundler's interop copies those.
 */
export function strictModule(offered: Exports, typings: Typings): Exports {
  const module: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(offered)) {
    const typing = typings.classes[name];
    if (typeof value === "function" && typing !== undefined) guardClass(name, value, typings);
    Object.defineProperty(module, name, { value, enumerable: true });
  }
  for (const name of typings.values) {
    if (name in module) continue;
    Object.defineProperty(module, name, { get: () => refuse(name), enumerable: true });
  }
  return module;
}

/** A member that is neither on the prototype nor set on the instance throws when it is read. */
function guardClass(name: string, constructor: object, typings: Typings): void {
  const prototype: unknown = Reflect.get(constructor, "prototype");
  if (typeof prototype !== "object" || prototype === null) return;
  for (let typing = typings.classes[name]; typing !== undefined; typing = typings.classes[typing.extends ?? ""]) {
    for (const member of typing.members) stub(prototype, member, `${name}.${member}`);
    for (const member of typing.statics) stub(constructor, member, `${name}.${member} (static)`);
  }
}

function stub(target: object, member: string, fullName: string): void {
  if (member in target) return;
  Object.defineProperty(target, member, {
    configurable: true,
    get: () => refuse(fullName),
    // Setting it models it: a field of the shim, or of a plugin's subclass.
    set(this: object, value: unknown) {
      Object.defineProperty(this, member, { value, writable: true, configurable: true, enumerable: true });
    },
  });
}

function refuse(name: string): never {
  throw new Error(`The workbench does not model ${name} of Obsidian's API (workbench/README.md says what it models)`);
}
