/**
 * Everything that can be attached to a message, whichever way it comes: picked, suggested, dragged, pasted.
 * Owns: turning it into attachments of the draft, and saying what was refused. Does not own: the events, the draft's store.
 */
import { TFile, TFolder, type App, type TAbstractFile } from "obsidian";
import type { AttachedImage, Draft } from "../../core/chatTypes";
import { exactFigure } from "../format";
import { attachmentOf } from "./attachments";
import { withAttachment, withImage } from "./DraftStore";
import { draggedFiles } from "./draggedFiles";
import { droppedReferences, type DroppedReference } from "./droppedPaths";
import { notesIn } from "./NoteSuggestions";
import { isLongPaste, pasteAttachment, readImage, type ImageReading } from "./pasted";

/** More notes than this at once are hardly meant, and each is read at every send. */
const MOST_NOTES_OF_A_FOLDER = 200;

export interface AttachingDeps {
  readonly app: App;
  readonly change: (edit: (draft: Draft) => Draft) => void;
  readonly images: () => readonly AttachedImage[];
  /** Tells the person what could not be attached. */
  readonly say: (words: string) => void;
}

export interface Attaching {
  readonly addPlace: (place: TAbstractFile) => void;
  /** @returns whether the paste became attachments; else it is text for the field. */
  readonly paste: (data: DataTransfer) => boolean;
  /** @returns whether the drop became attachments; else it is text for the field. */
  readonly drop: (data: DataTransfer) => boolean;
}

export function createAttaching(deps: AttachingDeps): Attaching {
  const addPlace = (place: TAbstractFile): void => attachPlace(place, deps);
  return {
    addPlace,
    paste: (data) => {
      if (data.files.length > 0) return attachFiles([...data.files], deps);
      const text = data.getData("text/plain");
      if (!isLongPaste(text)) return false;
      deps.change((draft) => withAttachment(draft, pasteAttachment(text)));
      return true;
    },
    drop: (data) => {
      const dragged = draggedFiles(deps.app);
      const places = dragged.length > 0 ? dragged : placesNamedIn(data.getData("text/plain"), deps.app);
      places.forEach(addPlace);
      return places.length > 0 || (data.files.length > 0 && attachFiles([...data.files], deps));
    },
  };
}

function attachPlace(place: TAbstractFile, { change, say }: AttachingDeps): void {
  if (place instanceof TFile) {
    change((draft) => withAttachment(draft, attachmentOf(place)));
    return;
  }
  if (!(place instanceof TFolder)) return;
  const notes = notesIn(place);
  if (notes.length === 0) say(`There are no notes in “${place.name}”.`);
  if (notes.length > MOST_NOTES_OF_A_FOLDER) {
    say(
      `“${place.name}” holds ${exactFigure(notes.length)} notes; the first ${MOST_NOTES_OF_A_FOLDER} were attached. Choose a smaller folder for the others.`,
    );
  }
  const attached = notes.slice(0, MOST_NOTES_OF_A_FOLDER).map(attachmentOf);
  change((draft) => attached.reduce(withAttachment, draft));
}

function attachFiles(files: readonly File[], deps: AttachingDeps): true {
  void readImages(files, deps);
  return true;
}

async function readImages(files: readonly File[], { change, images, say }: AttachingDeps): Promise<void> {
  for (const file of files) {
    const reading = await readImage(file, new Set(images().map(({ name }) => name)));
    if (reading.kind === "read") change((draft) => withImage(draft, reading.image));
    else say(refusalWords(reading));
  }
}

function refusalWords({ name, reason }: Extract<ImageReading, { kind: "refused" }>): string {
  switch (reason) {
    case "type":
      return `“${name}” is no image that models take (PNG, JPEG, GIF or WebP). Other files can be attached once they are in the vault.`;
    case "size":
      return `“${name}” is larger than 20 MB.`;
    case "unreadable":
      return `“${name}” could not be read.`;
  }
}

function placesNamedIn(text: string, app: App): readonly TAbstractFile[] {
  const places = (droppedReferences(text) ?? []).map((reference) => placeOf(reference, app));
  return places.filter((place) => place !== null);
}

function placeOf(reference: DroppedReference, app: App): TAbstractFile | null {
  if (reference.kind === "link") {
    return app.metadataCache.getFirstLinkpathDest(reference.linkText.split(/[#^]/, 1)[0] ?? "", "");
  }
  return app.vault.getAbstractFileByPath(reference.path) ?? app.vault.getFileByPath(`${reference.path}.md`);
}
