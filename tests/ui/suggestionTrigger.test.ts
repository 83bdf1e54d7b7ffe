import { triggerBefore } from "../../src/ui/composer/suggestionTrigger";

describe("when suggestions open", () => {
  it.each`
    before                | trigger                                       | because
    ${"@"}                | ${{ sign: "@", query: "", start: 0 }}         | ${"the sign alone shows the newest notes"}
    ${"see @pla"}         | ${{ sign: "@", query: "pla", start: 4 }}      | ${"a word was begun"}
    ${"see @my plan"}     | ${{ sign: "@", query: "my plan", start: 4 }}  | ${"names have spaces"}
    ${"请看@计划"}        | ${{ sign: "@", query: "计划", start: 2 }}     | ${"Chinese puts no space before it"}
    ${"(@plan"}           | ${{ sign: "@", query: "plan", start: 1 }}     | ${"after a bracket"}
    ${"@one and @two"}    | ${{ sign: "@", query: "two", start: 9 }}      | ${"the nearest sign counts"}
    ${"me@example"}       | ${undefined}                                  | ${"it is an address"}
    ${"at @ noon"}        | ${undefined}                                  | ${"a sign that stands alone is text"}
    ${"nothing"}          | ${undefined}                                  | ${"no sign"}
    ${"[["}               | ${{ sign: "[[", query: "", start: 0 }}        | ${"a link was opened"}
    ${"see [[My plan"}    | ${{ sign: "[[", query: "My plan", start: 4 }} | ${"a link was begun"}
    ${"see [[Plan]] and"} | ${undefined}                                  | ${"the link is closed"}
    ${"[[me@home"}        | ${{ sign: "[[", query: "me@home", start: 0 }} | ${"inside a link the other sign is a letter"}
  `("“$before”: $because", ({ before, trigger }: { before: string; trigger: unknown }) => {
    expect(triggerBefore(before)).toEqual(trigger);
  });

  test("a long line is looked through in no time", () => {
    const startedAt = performance.now();
    triggerBefore(`@${"a ".repeat(100_000)}`);
    triggerBefore("@".repeat(100_000));
    triggerBefore("[[".repeat(100_000));
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });
});
