import { BLOCK_REGISTRY, blockTags } from "../../src/context/blockRegistry";

const kindsWhere = (holds: (traits: (typeof BLOCK_REGISTRY)["note"]) => boolean) =>
  Object.entries(BLOCK_REGISTRY).flatMap(([kind, traits]) => (holds(traits) ? [kind] : []));

describe("how kinds of context behave", () => {
  it.each`
    what                            | kinds                                                      | because
    ${"shrink last"}                | ${["selection", "paste"]}                                  | ${"they cannot be fetched again"}
    ${"are not recoverable"}        | ${["selection", "paste"]}                                  | ${"nothing but the chat holds them"}
    ${"are not carried forward"}    | ${["passage", "tool_result", "project_source", "listing"]} | ${"they were found for one question, or are built anew each time"}
    ${"stay whole for later turns"} | ${["selection", "prior_context", "listing"]}               | ${"they are what the user pointed at, or compact already"}
    ${"are there whole or not"}     | ${["image", "listing"]}                                    | ${"half of a picture is none"}
  `("$kinds $what, because $because", ({ what, kinds }: { what: string; kinds: string[] }) => {
    const holds = {
      "shrink last": kindsWhere(({ shrinks }) => shrinks === "last"),
      "are not recoverable": kindsWhere(({ recoverableByDefault }) => !recoverableByDefault),
      "are not carried forward": kindsWhere(({ carriedForward }) => !carriedForward),
      "stay whole for later turns": kindsWhere(({ compactsTo }) => compactsTo === "itself"),
      "are there whole or not": kindsWhere(({ keeps }) => keeps === "whole"),
    }[what];
    expect(holds?.sort()).toEqual([...kinds].sort());
  });

  it("every kind but our own line has a tag that no other has", () => {
    expect(new Set(blockTags()).size).toBe(Object.keys(BLOCK_REGISTRY).length - 1);
    blockTags().forEach((tag) => expect(tag).toMatch(/^[a-z_]+$/));
  });
});
