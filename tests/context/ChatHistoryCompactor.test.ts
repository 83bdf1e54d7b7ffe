import fc from "fast-check";
import { compactForMemory } from "../../src/context/ChatHistoryCompactor";
import { anArtifact } from "../fixtures";
import { artifacts, contents } from "./arbitraries";

describe("memory keeps the final text of an answer", () => {
  it.each`
    text                                                     | kept                                | because
    ${"The answer."}                                         | ${"The answer."}                    | ${"there is nothing to leave out"}
    ${""}                                                    | ${""}                               | ${"an empty answer stays one"}
    ${"<think>hm</think>\n\nThe answer."}                    | ${"The answer."}                    | ${"thoughts are not sent back"}
    ${"\n<THINKING>hm</Thinking>The answer."}                | ${"The answer."}                    | ${"models spell their tags as they like"}
    ${"<think>a</think><reasoning>b</reasoning>The answer."} | ${"The answer."}                    | ${"some think twice"}
    ${"<think>hm, then it stopped"}                          | ${""}                               | ${"it ended before the answer began"}
    ${"<think>İ</think>The answer."}                         | ${"The answer."}                    | ${"lower-casing this letter makes it longer"}
    ${"Use <think>x</think> for that."}                      | ${"Use <think>x</think> for that."} | ${"here the tags are what the answer is about"}
    ${"  indented"}                                          | ${"  indented"}                     | ${"white space belongs to the answer"}
  `("$text: $because", ({ text, kept }: { text: string; kept: string }) => {
    expect(compactForMemory({ text, toolResults: [] })).toEqual({ text: kept, toolResults: [] });
  });

  it("tool results become previews with their paths, small ones stay as they are", () => {
    const large = anArtifact("call-1", "x".repeat(50_000), { kind: "tool_result", source: "Work/Plan.md" });
    const small = anArtifact("call-2", "found nothing", { kind: "tool_result", source: "search" });
    const { toolResults } = compactForMemory({ text: "", toolResults: [large, small] });
    expect(toolResults[0]).toMatchObject({ id: "call-1", source: "Work/Plan.md", originKind: "tool_result" });
    expect(toolResults[0]?.content.length).toBeLessThan(2_100);
    expect(toolResults[1]).toBe(small);
  });

  it("whatever the answer, done twice it is as done once", () => {
    const results = fc.array(artifacts(), { maxLength: 3 });
    fc.assert(
      fc.property(
        fc.oneof(
          contents,
          contents.map((text) => `<think>${text}</think>${text}`),
        ),
        results,
        (text, toolResults) => {
          const once = compactForMemory({ text, toolResults });
          expect(compactForMemory(once)).toEqual(once);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
