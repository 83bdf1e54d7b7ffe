import { DraftStore, draftAfterSending, joinDrafts } from "../../src/ui/composer/DraftStore";
import type { Attachment, AttachedImage } from "../../src/core/chatTypes";
import { aDraft } from "../fixtures";

const note: Attachment = { id: "Plan.md", kind: "note", title: "Plan" };
const paste: Attachment = {
  id: "paste:1",
  kind: "paste",
  title: "Pasted text",
  artifact: {
    id: "paste:1",
    kind: "paste",
    title: "Pasted text",
    source: "clipboard",
    content: "long",
    recoverable: false,
    place: "late",
    hash: "1",
  },
};
const image: AttachedImage = { name: "a.png", mimeType: "image/png", base64: "AAAA" };

describe("a draft that comes back meets what was typed meanwhile", () => {
  it.each`
    returned    | typed     | result              | because
    ${"first"}  | ${""}     | ${"first"}          | ${"nothing was typed"}
    ${"first"}  | ${"then"} | ${"first\n\nthen"}  | ${"the older text goes above the newer"}
    ${""}       | ${"then"} | ${"then"}           | ${"an empty draft adds no empty lines"}
    ${" \n "}   | ${"then"} | ${"then"}           | ${"blanks are no text"}
    ${"a\n\nb"} | ${"  c "} | ${"a\n\nb\n\n  c "} | ${"what a person wrote is not trimmed"}
  `("$returned + $typed → $result: $because", ({ returned, typed, result }: Record<string, string>) => {
    expect(joinDrafts(aDraft({ text: returned }), aDraft({ text: typed })).text).toBe(result);
  });

  test("the same note or image is not attached twice", () => {
    const draft = aDraft({ attachments: [note, paste], images: [image] });
    expect(joinDrafts(draft, draft)).toMatchObject({ attachments: [note, paste], images: [image] });
  });
});

test("after a send notes stay attached; text, pastes and images were said once", () => {
  const sent = aDraft({ attachments: [note, paste], images: [image] });
  expect(draftAfterSending(sent)).toEqual({ text: "", attachments: [note], images: [] });
});

describe("DraftStore", () => {
  test("keeps a draft for each conversation", () => {
    const drafts = new DraftStore();
    drafts.set("one", aDraft({ text: "for one" }));
    drafts.set("two", aDraft({ text: "for two" }));
    expect([drafts.get("one").text, drafts.get("two").text, drafts.get("three").text]).toEqual([
      "for one",
      "for two",
      "",
    ]);
  });

  test("tells of each change until nobody wants to know", () => {
    const drafts = new DraftStore();
    const heard = jest.fn();
    const stop = drafts.subscribe(heard);
    drafts.set("one", aDraft());
    drafts.giveBack("one", aDraft({ text: "older" }));
    drafts.remove("one");
    drafts.remove("one");
    expect(heard).toHaveBeenCalledTimes(3);
    stop();
    drafts.set("one", aDraft());
    expect(heard).toHaveBeenCalledTimes(3);
  });
});
