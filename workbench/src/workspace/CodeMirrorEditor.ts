/** Obsidian's Editor over CodeMirror 6: positions are lines and characters, both from 0. */
import { redo, undo } from "@codemirror/commands";
import * as commands from "@codemirror/commands";
import { EditorSelection, type ChangeSpec, type TransactionSpec } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type * as Obsidian from "obsidian";

type Command = (view: EditorView) => boolean;

const COMMANDS: Partial<Record<Obsidian.EditorCommandName, Command>> = {
  goUp: commands.cursorLineUp,
  goDown: commands.cursorLineDown,
  goLeft: commands.cursorCharLeft,
  goRight: commands.cursorCharRight,
  goStart: commands.cursorDocStart,
  goEnd: commands.cursorDocEnd,
  goWordLeft: commands.cursorGroupLeft,
  goWordRight: commands.cursorGroupRight,
  indentMore: commands.indentMore,
  indentLess: commands.indentLess,
  newlineAndIndent: commands.insertNewlineAndIndent,
  swapLineUp: commands.moveLineUp,
  swapLineDown: commands.moveLineDown,
  deleteLine: commands.deleteLine,
};

/** What a plugin may ask `instanceof Editor` of. */
export abstract class Editor {}

export class CodeMirrorEditor extends Editor implements Omit<Obsidian.Editor, "getDoc"> {
  readonly cm: EditorView;

  constructor(cm: EditorView) {
    super();
    this.cm = cm;
  }

  getDoc(): this {
    return this;
  }

  refresh(): void {
    this.cm.requestMeasure();
  }

  getValue(): string {
    return this.cm.state.doc.toString();
  }

  setValue(content: string): void {
    this.cm.dispatch({ changes: { from: 0, to: this.cm.state.doc.length, insert: content } });
  }

  getLine(line: number): string {
    return line < 0 || line >= this.lineCount() ? "" : this.cm.state.doc.line(line + 1).text;
  }

  setLine(line: number, text: string): void {
    this.replaceRange(text, { line, ch: 0 }, { line, ch: this.getLine(line).length });
  }

  lineCount(): number {
    return this.cm.state.doc.lines;
  }

  lastLine(): number {
    return this.lineCount() - 1;
  }

  getSelection(): string {
    const { from, to } = this.cm.state.selection.main;
    return this.cm.state.sliceDoc(from, to);
  }

  somethingSelected(): boolean {
    return this.cm.state.selection.ranges.some((range) => !range.empty);
  }

  getRange(from: Obsidian.EditorPosition, to: Obsidian.EditorPosition): string {
    return this.cm.state.sliceDoc(this.posToOffset(from), this.posToOffset(to));
  }

  replaceSelection(replacement: string, origin?: string): void {
    this.cm.dispatch(this.cm.state.replaceSelection(replacement), eventOf(origin));
  }

  replaceRange(
    replacement: string,
    from: Obsidian.EditorPosition,
    to: Obsidian.EditorPosition = from,
    origin?: string,
  ): void {
    this.cm.dispatch({ changes: this.#change({ from, to, text: replacement }) }, eventOf(origin));
  }

  getCursor(side: "from" | "to" | "head" | "anchor" = "head"): Obsidian.EditorPosition {
    return this.offsetToPos(this.cm.state.selection.main[side]);
  }

  listSelections(): Obsidian.EditorSelection[] {
    return this.cm.state.selection.ranges.map((range) => ({
      anchor: this.offsetToPos(range.anchor),
      head: this.offsetToPos(range.head),
    }));
  }

  setCursor(position: Obsidian.EditorPosition | number, ch = 0): void {
    this.setSelection(typeof position === "number" ? { line: position, ch } : position);
  }

  setSelection(anchor: Obsidian.EditorPosition, head: Obsidian.EditorPosition = anchor): void {
    this.setSelections([{ anchor, head }]);
  }

  setSelections(ranges: Obsidian.EditorSelectionOrCaret[], main = 0): void {
    const selection = EditorSelection.create(
      ranges.map(({ anchor, head }) =>
        EditorSelection.range(this.posToOffset(anchor), this.posToOffset(head ?? anchor)),
      ),
      main,
    );
    this.cm.dispatch({ selection, scrollIntoView: true });
  }

  focus(): void {
    this.cm.focus();
  }

  blur(): void {
    this.cm.contentDOM.blur();
  }

  hasFocus(): boolean {
    return this.cm.hasFocus;
  }

  getScrollInfo(): { top: number; left: number } {
    return { top: this.cm.scrollDOM.scrollTop, left: this.cm.scrollDOM.scrollLeft };
  }

  scrollTo(x?: number | null, y?: number | null): void {
    if (typeof x === "number") this.cm.scrollDOM.scrollLeft = x;
    if (typeof y === "number") this.cm.scrollDOM.scrollTop = y;
  }

  scrollIntoView(range: Obsidian.EditorRange, center = false): void {
    const target = EditorSelection.range(this.posToOffset(range.from), this.posToOffset(range.to));
    this.cm.dispatch({ effects: EditorView.scrollIntoView(target, { y: center ? "center" : "nearest" }) });
  }

  undo(): void {
    undo(this.cm);
  }

  redo(): void {
    redo(this.cm);
  }

  exec(command: Obsidian.EditorCommandName): void {
    const run = COMMANDS[command];
    if (run === undefined) throw new Error(`the workbench does not model the editor command "${command}"`);
    run(this.cm);
  }

  transaction(transaction: Obsidian.EditorTransaction, origin?: string): void {
    const spec: TransactionSpec[] = [];
    if (transaction.changes !== undefined)
      spec.push({ changes: transaction.changes.map((change) => this.#change(change)) });
    if (transaction.replaceSelection !== undefined)
      spec.push(this.cm.state.replaceSelection(transaction.replaceSelection));
    const selections = transaction.selections ?? (transaction.selection === undefined ? [] : [transaction.selection]);
    this.cm.dispatch(...spec, eventOf(origin));
    if (selections.length > 0) {
      this.setSelections(
        selections.map(({ from, to }) => (to === undefined ? { anchor: from } : { anchor: from, head: to })),
      );
    }
  }

  wordAt(position: Obsidian.EditorPosition): Obsidian.EditorRange | null {
    const word = this.cm.state.wordAt(this.posToOffset(position));
    return word === null ? null : { from: this.offsetToPos(word.from), to: this.offsetToPos(word.to) };
  }

  /** Positions outside the text are moved to its nearest end. */
  posToOffset({ line, ch }: Obsidian.EditorPosition): number {
    if (line < 0) return 0;
    if (line >= this.lineCount()) return this.cm.state.doc.length;
    const { from, to } = this.cm.state.doc.line(line + 1);
    return Math.min(from + Math.max(0, ch), to);
  }

  offsetToPos(offset: number): Obsidian.EditorPosition {
    const { number, from } = this.cm.state.doc.lineAt(Math.clamp(offset, 0, this.cm.state.doc.length));
    return { line: number - 1, ch: Math.max(0, offset - from) };
  }

  processLines<T>(
    read: (line: number, lineText: string) => T | null,
    write: (line: number, lineText: string, value: T | null) => Obsidian.EditorChange | void,
    ignoreEmpty = true,
  ): void {
    const values = new Map<number, T | null>();
    const { from, to } = { from: this.getCursor("from").line, to: this.getCursor("to").line };
    for (let line = from; line <= to; line += 1) {
      if (!ignoreEmpty || from === to || this.getLine(line).trim() !== "")
        values.set(line, read(line, this.getLine(line)));
    }
    const changes = [...values].flatMap(([line, value]) => write(line, this.getLine(line), value) ?? []);
    this.transaction({ changes });
  }

  #change({ from, to, text }: Obsidian.EditorChange): ChangeSpec {
    return { from: this.posToOffset(from), to: this.posToOffset(to ?? from), insert: text };
  }
}

function eventOf(origin: string | undefined): TransactionSpec {
  return origin === undefined ? {} : { userEvent: origin };
}
