import fc from "fast-check";
import { headingsOf, sectionsOf } from "../../src/context/outline";
import { contents } from "./arbitraries";

describe("what is a heading", () => {
  it.each`
    text                                | headings                  | because
    ${"# A\ntext\n## B"}                | ${"# A\n## B"}            | ${"these are"}
    ${"   ### C ###  \r\ntext"}         | ${"### C ###"}            | ${"up to three spaces and Windows line ends"}
    ${"#"}                              | ${"#"}                    | ${"an empty heading is one"}
    ${"#tag\n#5 things\n####### seven"} | ${""}                     | ${"tags are not, nor is a seventh level"}
    ${"    # code"}                     | ${""}                     | ${"four spaces make it code"}
    ${"text # not here"}                | ${""}                     | ${"it stands at the start of a line"}
    ${"```sh\n# comment\n```\n# A"}     | ${"# A"}                  | ${"code fences are not headings"}
    ${"~~~\n# no\n```\n# no\n~~~\n# A"} | ${"# A"}                  | ${"a fence is closed by its own kind"}
    ${"````\n```\n# no\n````\n# A"}     | ${"# A"}                  | ${"and by one at least as long"}
    ${"```\n``` x\n# no"}               | ${""}                     | ${"a closing fence has no words after it; an open fence runs to the end"}
    ${"``` a ```\n# A"}                 | ${"# A"}                  | ${"back ticks with back ticks after them are inline code"}
    ${"---\n# yaml comment\n---\n# A"}  | ${"# A"}                  | ${"front matter has comments, not headings"}
    ${"---\n# A"}                       | ${"# A"}                  | ${"front matter that is never closed is a line"}
    ${"text\n---\n# A\n---"}            | ${"# A"}                  | ${"front matter stands at the very start"}
    ${""}                               | ${""}                     | ${"nothing has none"}
    ${"# " + "x".repeat(500)}           | ${"# " + "x".repeat(198)} | ${"the start of an endless heading says enough"}
  `("$text has $headings: $because", ({ text, headings }: { text: string; headings: string }) => {
    expect(headingsOf(text)).toBe(headings);
  });
});

describe("sections", () => {
  it.each`
    text                | sections                            | because
    ${"# A\na\n# B\nb"} | ${[["# A", "a\n"], ["# B", "b"]]}   | ${"each heading opens one"}
    ${"before\n# A\na"} | ${[["", "before\n"], ["# A", "a"]]} | ${"what comes before the first is one too"}
    ${"\n \n# A\na"}    | ${[["# A", "a"]]}                   | ${"unless it is blank"}
    ${"no heading"}     | ${[["", "no heading"]]}             | ${"a text without headings is one section"}
    ${""}               | ${[]}                               | ${"nothing has none"}
  `("$text: $because", ({ text, sections }: { text: string; sections: string[][] }) => {
    expect(sectionsOf(text).map(({ heading, body }) => [heading, body])).toEqual(sections);
  });

  it("whatever the text, no body is lost: bodies are found in it in order, and headings beside them", () => {
    fc.assert(
      fc.property(contents, (text) => {
        let from = 0;
        for (const { heading, body } of sectionsOf(text)) {
          const at = text.indexOf(heading, from);
          expect(at).toBeGreaterThanOrEqual(from);
          const bodyAt = text.indexOf(body, at);
          expect(bodyAt).toBeGreaterThanOrEqual(at);
          from = bodyAt + body.length;
        }
      }),
      { numRuns: 1000 },
    );
  });
});
