import fc from "fast-check";
import { chatFileName, comparable, uniqueName } from "../../src/core/chatFileName";
import { anyText } from "./chatNoteArbitraries";

const bytes = (name: string): number => Buffer.byteLength(name, "utf8");

describe("the file name of a chat", () => {
  it.each`
    title                        | name                         | because
    ${"Weekly plan"}             | ${"Weekly plan.md"}          | ${"a plain title is its name"}
    ${"R&D (a) 100%, {b}"}       | ${"R&D (a) 100%, {b}.md"}    | ${"these are legal everywhere"}
    ${'a/b\\c:d*e?f"g<h>i|j'}    | ${"a b c d e f g h i j.md"}  | ${"some system forbids each of these"}
    ${"[[Note#Part^b1]]"}        | ${"Note Part b1.md"}         | ${"Obsidian's links cannot hold them"}
    ${"two\nlines\tand  spaces"} | ${"two lines and spaces.md"} | ${"a name is one line"}
    ${"  .hidden. . "}           | ${"hidden.md"}               | ${"a leading dot hides, Windows drops a last one"}
    ${""}                        | ${"Chat.md"}                 | ${"every note has a name"}
    ${"???"}                     | ${"Chat.md"}                 | ${"nothing legal is left"}
    ${"\ud83d"}                  | ${"Chat.md"}                 | ${"half a character is none"}
    ${"a\u202Egpj.exe"}          | ${"a gpj.exe.md"}            | ${"a name reads the way it is"}
    ${"con"}                     | ${"_con.md"}                 | ${"Windows takes it for a device"}
    ${"NUL.tar"}                 | ${"_NUL.tar.md"}             | ${"and does so with an extension"}
    ${"LPT¹"}                    | ${"_LPT¹.md"}                | ${"superscript digits count"}
    ${"Console"}                 | ${"Console.md"}              | ${"only the whole word is reserved"}
    ${"e\u0301te\u0301"}         | ${"\u00e9t\u00e9.md"}        | ${"one spelling, so that one file is one file"}
    ${"日本語の題名"}            | ${"日本語の題名.md"}         | ${"other scripts are fine"}
    ${"👨‍👩‍👧 family"}               | ${"👨‍👩‍👧 family.md"}            | ${"joined emoji stay joined"}
  `("$title → $name: $because", ({ title, name }: Record<string, string>) => {
    expect(chatFileName(title ?? "")).toBe(name);
  });

  it.each`
    title                | chars  | because
    ${"a".repeat(400)}   | ${252} | ${"255 with the extension"}
    ${"あ".repeat(120)}  | ${28}  | ${"nine encoded characters each"}
    ${"é".repeat(200)}   | ${42}  | ${"six each"}
    ${"😀".repeat(90)}   | ${42}  | ${"twelve each; cut between them, so an even number of code units"}
    ${"a b".repeat(200)} | ${151} | ${"a space has three"}
  `(
    "a title of $title.length characters is cut to $chars: $because",
    ({ title, chars }: { title: string; chars: number }) => {
      const name = chatFileName(title);
      expect(name).toHaveLength(chars + 3);
      expect(title.startsWith(name.slice(0, -3))).toBe(true);
    },
  );

  test("a cut leaves no space and no dot at the end", () => {
    expect(chatFileName(`${"a".repeat(251)} b`)).toBe(`${"a".repeat(251)}.md`);
    expect(chatFileName(`${"a".repeat(251)}.b`)).toBe(`${"a".repeat(251)}.md`);
  });

  test("whatever the title and whatever is there already, the name is legal, short enough, new and stable", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          anyText.map((text) => text.repeat(30)),
        ),
        fc.integer({ min: 0, max: 4 }),
        (title, count) => {
          const names: string[] = [];
          for (let n = 0; n <= count; n += 1) names.push(uniqueName(title, names));
          expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
          for (const name of names) {
            expect(bytes(name)).toBeLessThanOrEqual(255);
            expect(encodeURIComponent(name).length).toBeLessThanOrEqual(255);
            expect(name).toMatch(/^[^\s.].*\.md$/su);
            expect(name).not.toMatch(/[#^[\]|\\/:*?"<>\n\r\0]|[\s.]\.md$/);
            expect(chatFileName(name.slice(0, -3))).toBe(name);
          }
        },
      ),
      { numRuns: 1500 },
    );
  });
});

describe("a name that is taken", () => {
  it.each`
    title              | existing                    | name                    | because
    ${"Plan"}          | ${[]}                       | ${"Plan.md"}            | ${"nothing is there"}
    ${"Plan"}          | ${["Plan.md"]}              | ${"Plan 2.md"}          | ${"the second gets a number"}
    ${"Plan"}          | ${["Plan.md", "Plan 2.md"]} | ${"Plan 3.md"}          | ${"the third, too"}
    ${"Plan"}          | ${["Plan 2.md"]}            | ${"Plan.md"}            | ${"a gap is used"}
    ${"plan"}          | ${["PLAN.md"]}              | ${"plan 2.md"}          | ${"most desktops do not tell letter case apart"}
    ${"\u00e9t\u00e9"} | ${["e\u0301te\u0301.md"]}   | ${"\u00e9t\u00e9 2.md"} | ${"macOS may spell it with two characters"}
    ${"Plan"}          | ${["Plan.pdf"]}             | ${"Plan.md"}            | ${"another kind of file is another file"}
  `(
    "$title beside $existing → $name: $because",
    ({ title, existing, name }: { title: string; existing: string[]; name: string }) => {
      expect(uniqueName(title, existing)).toBe(name);
    },
  );

  test("a number takes its room from the title, not from the limit", () => {
    const first = chatFileName("あ".repeat(120));
    const second = uniqueName("あ".repeat(120), [first]);
    expect(second).toMatch(/^あ+ 2\.md$/);
    expect(encodeURIComponent(second).length).toBeLessThanOrEqual(255);
    expect(comparable(second)).not.toBe(comparable(first));
  });
});
