import { App } from "obsidian-test-mocks/obsidian";
import { EMPTY_DRAFT } from "../../src/ui/composer/DraftStore";
import { pasteAttachment } from "../../src/ui/composer/pasted";
import { draftFromStored, storedFormOf } from "../../src/ui/composer/storedDraft";
import { aDraft } from "../fixtures";

const app = App.createConfigured__({ files: { "Plan.md": "" } }).asOriginalType__();
const plan = { id: "Plan.md", kind: "note", title: "Plan" } as const;

test("text and notes come back after a restart; what would bloat the workspace file does not", () => {
  const draft = aDraft({ text: "half-written", attachments: [plan, pasteAttachment("x".repeat(5000))] });
  const stored: unknown = JSON.parse(JSON.stringify(storedFormOf(draft)));
  expect(stored).toEqual({ text: "half-written", paths: ["Plan.md"] });
  expect(draftFromStored(stored, app)).toEqual(aDraft({ text: "half-written", attachments: [plan] }));
});

describe("whatever is stored, a draft comes of it", () => {
  it.each`
    stored                                        | draft                            | because
    ${undefined}                                  | ${EMPTY_DRAFT}                   | ${"nothing was stored"}
    ${"text"}                                     | ${EMPTY_DRAFT}                   | ${"not our form"}
    ${{ text: 5, paths: "Plan.md" }}              | ${EMPTY_DRAFT}                   | ${"damaged by hand"}
    ${{ text: "a", paths: ["Gone.md", 7, null] }} | ${{ ...EMPTY_DRAFT, text: "a" }} | ${"a file that is gone is left out"}
  `("$stored: $because", ({ stored, draft }: { stored: unknown; draft: unknown }) => {
    expect(draftFromStored(stored, app)).toEqual(draft);
  });
});
