/**
 * How the shim's classes are checked against the typings. Each class is merged with an interface of the same name that
 * extends Obsidian's: every member it has must fit the typings, and it can be handed on as the real thing.
 * Members it lacks exist for the compiler only; at run time strictness.ts makes them throw.
 */

/** What a class of the typings has beyond what the shim's own base class brings. */
export type Beyond<Class, Base> = Omit<Class, keyof Base>;
