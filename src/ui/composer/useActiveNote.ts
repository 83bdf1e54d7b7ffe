/**
 * The note in the editor, as an attachment that follows it.
 * Owns: following, and being removed until another note becomes active. Does not own: the setting, the pill.
 */
import type { App } from "obsidian";
import { useCallback, useEffect, useState } from "preact/hooks";
import type { Attachment } from "../../core/chatTypes";
import { attachmentOf } from "./attachments";

export interface ActiveNote {
  readonly attachment: Attachment | undefined;
  /** Leaves it out until another note becomes active. */
  readonly dismiss: () => void;
}

export function useActiveNote(app: App, isIncluded: boolean): ActiveNote {
  const [path, setPath] = useState(() => activeMarkdownPath(app));
  const [dismissedPath, setDismissedPath] = useState<string>();
  useEffect(() => {
    const update = (): void => setPath(activeMarkdownPath(app));
    update();
    const { workspace, vault } = app;
    const inWorkspace = [workspace.on("file-open", update), workspace.on("active-leaf-change", update)];
    const inVault = [vault.on("rename", update), vault.on("delete", update)];
    return () => {
      inWorkspace.forEach((reference) => workspace.offref(reference));
      inVault.forEach((reference) => vault.offref(reference));
    };
  }, [app]);
  useEffect(() => {
    setDismissedPath((dismissed) => (dismissed === path ? dismissed : undefined));
  }, [path]);
  const dismiss = useCallback(() => setDismissedPath(path), [path]);

  const file = isIncluded && path !== undefined && path !== dismissedPath ? app.vault.getFileByPath(path) : null;
  return { attachment: file === null ? undefined : attachmentOf(file), dismiss };
}

/** The note that was last in use: while the sidebar has the focus, it is still the one the user is thinking of. */
function activeMarkdownPath(app: App): string | undefined {
  const file = app.workspace.getActiveFile();
  return file?.extension === "md" ? file.path : undefined;
}
