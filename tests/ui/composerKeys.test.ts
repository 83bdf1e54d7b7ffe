import { meaningOfKey, type KeyPress } from "../../src/ui/composer/composerKeys";

const press = (more: Partial<KeyPress>): KeyPress => ({
  key: "Enter",
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  keyCode: 13,
  ...more,
});

describe("what Enter means in the composer", () => {
  it.each`
    what                           | keys                                    | isPhone  | meaning       | because
    ${"Enter"}                     | ${{}}                                   | ${false} | ${"send"}     | ${"a chat is sent with Enter"}
    ${"Shift and Enter"}           | ${{ shiftKey: true }}                   | ${false} | ${"not-ours"} | ${"it is a new line"}
    ${"Alt and Enter"}             | ${{ altKey: true }}                     | ${false} | ${"not-ours"} | ${"it is a new line on some keyboards"}
    ${"Enter while composing"}     | ${{ isComposing: true }}                | ${false} | ${"not-ours"} | ${"it confirms a word of an input method"}
    ${"Enter with code 229"}       | ${{ keyCode: 229 }}                     | ${false} | ${"not-ours"} | ${"Safari ends the composition before this key"}
    ${"Ctrl and Enter, composing"} | ${{ ctrlKey: true, isComposing: true }} | ${false} | ${"not-ours"} | ${"an input method has every key while it composes"}
    ${"Enter on a phone"}          | ${{}}                                   | ${true}  | ${"not-ours"} | ${"a phone has no Shift to hold"}
    ${"Ctrl and Enter, phone"}     | ${{ ctrlKey: true }}                    | ${true}  | ${"send"}     | ${"a keyboard is attached"}
    ${"Cmd and Enter"}             | ${{ metaKey: true }}                    | ${false} | ${"send"}     | ${"the habit from other applications"}
    ${"the letter a"}              | ${{ key: "a", keyCode: 65 }}            | ${false} | ${"not-ours"} | ${"it is text"}
  `(
    "$what → $meaning: $because",
    ({ keys, isPhone, meaning }: { keys: Partial<KeyPress>; isPhone: boolean; meaning: string }) => {
      expect(meaningOfKey(press(keys), isPhone)).toBe(meaning);
    },
  );
});
