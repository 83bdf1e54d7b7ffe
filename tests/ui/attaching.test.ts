import { App } from "obsidian-test-mocks/obsidian";
import type { Draft } from "../../src/core/chatTypes";
import { createAttaching } from "../../src/ui/composer/attaching";
import { EMPTY_DRAFT } from "../../src/ui/composer/DraftStore";

class Data {
  constructor(
    readonly text: string,
    readonly files: readonly File[] = [],
  ) {}
  getData(): string {
    return this.text;
  }
}
// DataTransfer cannot be made outside of a real event.
const dataOf = (text: string, files: readonly File[] = []): DataTransfer =>
  new Data(text, files) as unknown as DataTransfer;

const begin = (
  files: Record<string, string> = { "Plan.md": "", "Work/A.md": "", "Work/Deep/B.md": "", "Work/pic.png": "" },
) => {
  const app = App.createConfigured__({ files });
  const said: string[] = [];
  let draft: Draft = EMPTY_DRAFT;
  const attaching = createAttaching({
    app: app.asOriginalType__(),
    change: (edit) => {
      draft = edit(draft);
    },
    images: () => draft.images,
    say: (words) => said.push(words),
  });
  return { app, attaching, said, draft: () => draft, ids: () => draft.attachments.map(({ id }) => id) };
};
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

describe("pasting", () => {
  test("4,000 characters are text, one more becomes an attachment that holds them all", () => {
    const { attaching, draft } = begin();
    expect(attaching.paste(dataOf("x".repeat(4000)))).toBe(false);
    const long = `First line\n${"y".repeat(3990)}`;
    expect(attaching.paste(dataOf(long))).toBe(true);
    expect(draft().attachments).toMatchObject([
      { kind: "paste", title: "Pasted: First line…", artifact: { content: long, recoverable: false, kind: "paste" } },
    ]);
    expect(draft().text).toBe("");
  });

  test("the same long text twice is attached once", () => {
    const { attaching, ids } = begin();
    attaching.paste(dataOf("z".repeat(5000)));
    attaching.paste(dataOf("z".repeat(5000)));
    expect(ids()).toHaveLength(1);
  });

  test("images become images, each under a name of its own", async () => {
    const { attaching, draft } = begin();
    const image = (): File => new File([new Uint8Array([1, 2, 3])], "image.png", { type: "image/png" });
    expect(attaching.paste(dataOf("", [image(), image()]))).toBe(true);
    await soon();
    expect(draft().images).toMatchObject([
      { name: "image.png", mimeType: "image/png", base64: "AQID" },
      { name: "image 2.png", base64: "AQID" },
    ]);
  });

  test("what is no image is refused in words", async () => {
    const { attaching, draft, said } = begin();
    attaching.paste(dataOf("", [new File(["a"], "table.xlsx", { type: "application/vnd.ms-excel" })]));
    await soon();
    expect(draft().images).toEqual([]);
    expect(said).toEqual([expect.stringContaining("table.xlsx")]);
  });
});

describe("dropping", () => {
  test("an address from the explorer attaches the note", () => {
    const { attaching, ids } = begin();
    expect(attaching.drop(dataOf("obsidian://open?vault=V&file=Work%2FA"))).toBe(true);
    expect(ids()).toEqual(["Work/A.md"]);
  });

  test("what is dragged in the explorer is attached, folders with their notes", () => {
    const { app, attaching, ids } = begin();
    const { vault } = app.asOriginalType__();
    const files = [vault.getFileByPath("Plan.md"), vault.getFolderByPath("Work")];
    Reflect.set(app, "dragManager", { draggable: { type: "files", files } });
    expect(attaching.drop(dataOf("anything"))).toBe(true);
    expect(ids()).toEqual(["Plan.md", "Work/A.md", "Work/Deep/B.md"]);
  });

  test("text is left to the field", () => {
    const { attaching, ids } = begin();
    expect(attaching.drop(dataOf("some words"))).toBe(false);
    expect(ids()).toEqual([]);
  });

  test("an address that leads nowhere is left to the field", () => {
    expect(begin().attaching.drop(dataOf("obsidian://open?vault=V&file=Gone"))).toBe(false);
  });
});

describe("a folder", () => {
  const folder = (app: App, path: string) => {
    const found = app.asOriginalType__().vault.getFolderByPath(path);
    if (found === null) throw new Error(`no folder ${path}`);
    return found;
  };

  test("attaches the notes in it, however deep, and nothing else", () => {
    const { app, attaching, ids } = begin();
    attaching.addPlace(folder(app, "Work"));
    expect(ids()).toEqual(["Work/A.md", "Work/Deep/B.md"]);
  });

  test("without notes is said", () => {
    const { app, attaching, said } = begin({ "Empty/": "" });
    attaching.addPlace(folder(app, "Empty"));
    expect(said).toEqual(["There are no notes in “Empty”."]);
  });

  test("with more notes than are meant attaches the first 200, and says so", () => {
    const files = Object.fromEntries(Array.from({ length: 201 }, (_, number) => [`Big/${1000 + number}.md`, ""]));
    const { app, attaching, ids, said } = begin(files);
    attaching.addPlace(folder(app, "Big"));
    expect(ids()).toHaveLength(200);
    expect(said).toEqual([expect.stringContaining("201 notes")]);
  });
});
