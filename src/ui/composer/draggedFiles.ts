/**
 * What is being dragged inside Obsidian.
 * Owns: the one edge to Obsidian's drag manager, which its typings leave out. Where it is missing, nothing is dragged.
 * Does not own: what a drop does, what comes from outside Obsidian (droppedPaths.ts).
 */
import { TAbstractFile, type App } from "obsidian";

/** Files and folders that are being dragged at this moment, from the file explorer or a link. */
export function draggedFiles(app: App): readonly TAbstractFile[] {
  const manager: unknown = "dragManager" in app ? app.dragManager : undefined;
  const draggable: unknown = isRecord(manager) ? manager.draggable : undefined;
  if (!isRecord(draggable)) return [];
  const candidates: readonly unknown[] = Array.isArray(draggable.files) ? draggable.files : [draggable.file];
  return candidates.filter((file): file is TAbstractFile => file instanceof TAbstractFile);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
