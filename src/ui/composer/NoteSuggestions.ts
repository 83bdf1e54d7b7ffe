/**
 * Notes and folders that are suggested while a message is written.
 * Owns: finding and ranking them, and what choosing one leaves in the text. Does not own: when to suggest
 * (suggestionTrigger.ts), attaching (the caller).
 */
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { prepareFuzzySearch, TFile, TFolder, type App, type TAbstractFile } from "obsidian";
import { triggerBefore } from "./suggestionTrigger";

/** More than fits on a screen helps nobody: another letter narrows the list. */
const MOST_SUGGESTIONS = 30;
/** A hit in the name is worth more than one in the folder, whose scores lie below 0. */
const NAME_BONUS = 1;

export class NoteSuggestions {
  constructor(
    private readonly app: App,
    private readonly onPick: (place: TAbstractFile) => void,
  ) {}

  /** A CodeMirror completion source. */
  readonly source = (context: CompletionContext): CompletionResult | null => {
    const line = context.state.doc.lineAt(context.pos);
    const trigger = triggerBefore(line.text.slice(0, context.pos - line.from));
    if (trigger === undefined) return null;
    const options = this.find(trigger.query).map((place) => this.completionOf(place));
    return options.length === 0 ? null : { from: line.from + trigger.start, options, filter: false };
  };

  /** Best first; with nothing typed, the notes that were changed last. */
  find(query: string): readonly TAbstractFile[] {
    const notes = this.app.vault.getMarkdownFiles();
    if (query.trim() === "") return notes.sort((a, b) => b.stat.mtime - a.stat.mtime).slice(0, MOST_SUGGESTIONS);
    const search = prepareFuzzySearch(query.trim());
    const scoreOf = (place: TAbstractFile): number =>
      Math.max((search(nameOf(place))?.score ?? -Infinity) + NAME_BONUS, search(place.path)?.score ?? -Infinity);
    return [...notes, ...this.app.vault.getAllFolders(false)]
      .map((place) => ({ place, score: scoreOf(place) }))
      .filter(({ score }) => score > -Infinity)
      .sort((a, b) => b.score - a.score)
      .slice(0, MOST_SUGGESTIONS)
      .map(({ place }) => place);
  }

  private completionOf(place: TAbstractFile): Completion {
    const isNote = place instanceof TFile;
    const folderPath = place.parent?.path ?? "/";
    return {
      label: isNote ? nameOf(place) : `${nameOf(place)}/`,
      detail: folderPath === "/" ? "" : folderPath,
      type: isNote ? "note" : "folder",
      apply: (view, _completion, from, to) => {
        // The name stays in the sentence, so that it still reads; the content goes along as an attachment.
        const insert = isNote ? `[[${this.app.metadataCache.fileToLinktext(place, "")}]] ` : `${place.path}/ `;
        view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length } });
        this.onPick(place);
      },
    };
  }
}

function nameOf(place: TAbstractFile): string {
  return place instanceof TFile ? place.basename : place.name;
}

/** The notes below a folder, in the order of their paths. */
export function notesIn(folder: TFolder): readonly TFile[] {
  const notes: TFile[] = [];
  const waiting: TAbstractFile[] = [...folder.children];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (place instanceof TFolder) waiting.push(...place.children);
    else if (place instanceof TFile && place.extension === "md") notes.push(place);
  }
  return notes.sort((a, b) => (a.path < b.path ? -1 : 1));
}
