import fc from "fast-check";
import { decodeText, encodeText, fenceClosing } from "../../src/core/chatNoteEscape";
import { anyText } from "./chatNoteArbitraries";

const SHAPE_LINES = ["## You", "## Copilot", "## Other versions", "> [!context]- Context", "> [!reasoning]- Reasoning"];
const J = "\u2060";
const encoded = (text: string): string => encodeText(text).encoded;
const thereAndBack = (text: string): string => {
  const { encoded: written, lineEnding } = encodeText(text);
  return decodeText(written, lineEnding);
};

describe("text in a chat note", () => {
  it.each`
    text                                   | written                                        | because
    ${"plain, *with* [[links]]"}           | ${"plain, *with* [[links]]"}                   | ${"what harms nothing stays as it is"}
    ${"# Title\n---\n| a |\n- b"}          | ${"# Title\n---\n| a |\n- b"}                  | ${"Markdown of the answer is Markdown of the note"}
    ${"## You"}                            | ${`## You${J}`}                                | ${"it would begin a message"}
    ${"## You  "}                          | ${`## You  ${J}`}                              | ${"so it would with spaces behind it"}
    ${"## Your plan"}                      | ${"## Your plan"}                              | ${"another heading is no business of ours"}
    ${"## Copilot\n> [!context]- Context"} | ${`## Copilot${J}\n> [!context]- Context${J}`} | ${"each line is looked at"}
    ${"100 %% sure"}                       | ${`100 %${J}% sure`}                           | ${"it would begin a comment that hides what follows"}
    ${"%%%"}                               | ${`%${J}%${J}%`}                               | ${"each pair counts"}
    ${"```\n%%time\n```"}                  | ${"```\n%%time\n```"}                          | ${"in code it is no comment, and code is copied out of the note"}
    ${'```\n%%{"a":1}%%\n```'}             | ${`\`\`\`\n%${J}%{"a":1}%%\n\`\`\``}           | ${"a marker is a marker, even in code"}
    ${"a\r\nb\r\n"}                        | ${"a\nb\n"}                                    | ${"the marker remembers CRLF"}
    ${"a\r\nb\n"}                          | ${`a${J}u{D}\nb\n`}                            | ${"of mixed ends each CR is kept"}
    ${"a\u0000b\u001bc\td"}                | ${`a${J}u{0}b${J}u{1B}c\td`}                   | ${"control characters are spelled out, but for the tab"}
    ${"\ud83d \ude00"}                     | ${`${J}u{D83D} ${J}u{DE00}`}                   | ${"UTF-8 cannot hold half a character"}
    ${"😀"}                                | ${"😀"}                                        | ${"a whole one it can"}
    ${`a${J}b`}                            | ${`a${J}${J}b`}                                | ${"our own escape is escaped"}
  `("$text → $written: $because", ({ text, written }: Record<string, string>) => {
    expect(encoded(text ?? "")).toBe(written);
    expect(thereAndBack(text ?? "")).toBe(text);
  });

  test("a joiner that was typed by hand stays", () => {
    expect(decodeText(`a${J}b\nc${J}`, "lf")).toBe(`a${J}b\nc${J}`);
  });

  test("whatever the text, it comes back to the code unit, and nothing in it looks like the note around it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(thereAndBack(text)).toBe(text);
        const written = encoded(text);
        for (const line of written.split("\n")) {
          expect(line).not.toMatch(/%%\{|\r|^\s*%\{"message":/);
          expect(SHAPE_LINES).not.toContain(line.trimEnd());
        }
        expect(Buffer.from(written, "utf8").toString("utf8")).toBe(written);
      }),
      { numRuns: 3000 },
    );
  });

  test("different texts are written differently, even where they hold our escapes", () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        fc.pre(a !== b);
        expect(encodeText(a)).not.toEqual(encodeText(b));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a code fence that is open at the end of a text", () => {
  it.each`
    text                       | closing      | because
    ${"no code"}               | ${undefined} | ${"there is nothing to close"}
    ${"```js\ncode"}           | ${"```"}     | ${"an answer was stopped in the middle of code"}
    ${"```js\ncode\n```"}      | ${undefined} | ${"it is closed"}
    ${"````\n```\ncode"}       | ${"````"}    | ${"a shorter fence is code"}
    ${"~~~\n```"}              | ${"~~~"}     | ${"another fence is code"}
    ${"```\n``` js"}           | ${"```"}     | ${"a closing fence has no word behind it"}
    ${"``` a ` b"}             | ${undefined} | ${"that is code in a line, no fence"}
    ${"1. a\n   ```\n   code"} | ${"   ```"}  | ${"in a list the closing line is indented alike"}
    ${"    ```"}               | ${undefined} | ${"four spaces make it code already"}
  `("$text → $closing: $because", ({ text, closing }: Record<string, string | undefined>) => {
    expect(fenceClosing(text ?? "")).toBe(closing);
  });
});
