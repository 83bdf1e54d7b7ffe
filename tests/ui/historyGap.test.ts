import { firstSentMessageId } from "../../src/ui/messages/historyGap";
import { anAssistantMessage, aUserMessage } from "../fixtures";

const two = [
  aUserMessage("q1"),
  anAssistantMessage("a1", "q1"),
  aUserMessage("q2", "a1"),
  anAssistantMessage("a2", "q2"),
];

describe("the first message that was sent", () => {
  it.each`
    messages                                                      | dropped | id           | because
    ${two}                                                        | ${0}    | ${"q1"}      | ${"nothing was dropped"}
    ${two}                                                        | ${1}    | ${"q2"}      | ${"a turn is a question with its answer"}
    ${two}                                                        | ${2}    | ${undefined} | ${"nothing of it was sent"}
    ${[anAssistantMessage("a0", null), aUserMessage("q1", "a0")]} | ${1}    | ${"q1"}      | ${"a leading answer is a turn of its own"}
    ${[]}                                                         | ${1}    | ${undefined} | ${"there are no messages"}
  `(
    "$messages.length messages, $dropped dropped → $id: $because",
    ({ messages, dropped, id }: { messages: typeof two; dropped: number; id: string | undefined }) => {
      expect(firstSentMessageId(messages, dropped)).toBe(id);
    },
  );
});
