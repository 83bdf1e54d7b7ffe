/**
 * What the Enter key means in the composer.
 * Owns: sending, new lines, and leaving an input method alone. Does not own: the text field.
 */

/** The parts of a keyboard event that decide. A KeyboardEvent has this shape. */
export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
}

/** "not-ours": the field or the input method deals with it. */
export type KeyMeaning = "send" | "not-ours";

/** The code of every key that an input method still holds. Safari ends the composition before the Enter that confirmed it. */
const HELD_BY_INPUT_METHOD = 229;

/** @param isPhone a phone has no Shift to hold, so Enter is a new line there and sending has its button. */
export function meaningOfKey(press: KeyPress, isPhone: boolean): KeyMeaning {
  if (press.key !== "Enter" || press.isComposing || press.keyCode === HELD_BY_INPUT_METHOD) return "not-ours";
  if (press.ctrlKey || press.metaKey) return "send";
  return isPhone || press.shiftKey || press.altKey ? "not-ours" : "send";
}
