/**
 * Tells of changes in a folder that somebody else made.
 * Does not own: deciding whose change it was.
 */
import { watch } from "node:fs";
import path from "node:path";

/** Several events of one save come within a few milliseconds; they are told once. */
const SETTLE_MS = 30;

/**
 * @param {string} root absolute folder
 * @param {(changedPath: string) => void} tell called with a path relative to the root, with forward slashes
 * @returns {Promise<{ close: () => Promise<void> }>}
 */
export async function watchFolder(root, tell) {
  /** @type {Map<string, NodeJS.Timeout>} */
  const pending = new Map();
  // A folder that vanishes while it is looked at raises an error event; there is nothing left to tell then.
  const watcher = watch(root, { recursive: true, persistent: false }, (_event, name) => {
    if (name === null) return;
    const changed = String(name).split(path.sep).join("/");
    clearTimeout(pending.get(changed));
    pending.set(
      changed,
      setTimeout(() => {
        pending.delete(changed);
        tell(changed);
      }, SETTLE_MS),
    );
  });
  watcher.on("error", () => watcher.close());
  return {
    close: async () => {
      watcher.close();
      for (const timer of pending.values()) clearTimeout(timer);
      pending.clear();
    },
  };
}
