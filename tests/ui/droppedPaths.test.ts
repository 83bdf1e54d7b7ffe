import { droppedReferences } from "../../src/ui/composer/droppedPaths";

describe("what a dropped text means", () => {
  it.each`
    text                                                                | references                                                    | because
    ${"obsidian://open?vault=My%20Vault&file=R%26D%20(a)%20%231"}       | ${[{ kind: "path", path: "R&D (a) #1" }]}                     | ${"the explorer drags addresses"}
    ${"obsidian://open?vault=V&file=A\nobsidian://open?vault=V&file=B"} | ${[{ kind: "path", path: "A" }, { kind: "path", path: "B" }]} | ${"several at once"}
    ${"obsidian://vault/My%20Vault/Projects/100%25.md"}                 | ${[{ kind: "path", path: "Projects/100%.md" }]}               | ${"the short form"}
    ${"obsidian://vault/V/100%.md"}                                     | ${undefined}                                                  | ${"no address that Obsidian made"}
    ${"obsidian://search?query=x"}                                      | ${undefined}                                                  | ${"not a file"}
    ${"[[Plan#Goals|my plan]]"}                                         | ${[{ kind: "link", linkText: "Plan#Goals" }]}                 | ${"a link dragged from a note"}
    ${"![[map.png]]"}                                                   | ${[{ kind: "link", linkText: "map.png" }]}                    | ${"an embed"}
    ${"see [[Plan]]"}                                                   | ${undefined}                                                  | ${"it is a sentence"}
    ${"https://example.org"}                                            | ${undefined}                                                  | ${"text, for now"}
    ${""}                                                               | ${undefined}                                                  | ${"nothing"}
  `("$text: $because", ({ text, references }: { text: string; references: unknown }) => {
    expect(droppedReferences(text)).toEqual(references);
  });
});
