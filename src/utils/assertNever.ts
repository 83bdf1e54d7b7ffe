/** For the end of a switch over a union: a case that was forgotten does not compile, and fails loudly if it comes from outside. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
