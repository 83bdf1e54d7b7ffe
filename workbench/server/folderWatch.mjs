// @ts-check
/**
 * Tells of changes in a folder that somebody else made.
 * Does not own: deciding whose change it was.
 * Each folder is watched by itself: Node's recursive watching on Linux follows files, and loses one that was replaced
 * by a rename, which is how the page server (and many an editor) writes.
 */
import { watch } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "./http.mjs";

/** Several events of one save come within a few milliseconds; they are told once. */
const SETTLE_MS = 30;
const NOT_WATCHED = new Set([".git", "node_modules"]);

/**
 * @param {string} root absolute folder
 * @param {(changedPath: string) => void} tell called with a path relative to the root, with forward slashes
 * @returns {Promise<{ close: () => Promise<void> }>} resolves when everything that is there is watched
 */
export async function watchFolder(root, tell) {
  /** @type {Map<string, import("node:fs").FSWatcher>} by the folder's path relative to the root */
  const watchers = new Map();
  /** @type {Map<string, NodeJS.Timeout>} */
  const pending = new Map();
  let isClosed = false;

  await add("", () => undefined);
  return {
    close: async () => {
      isClosed = true;
      for (const watcher of watchers.values()) watcher.close();
      for (const timer of pending.values()) clearTimeout(timer);
      pending.clear();
    },
  };

  /**
   * @param {string} folder
   * @param {(path: string) => void} found called with everything that is in it
   */
  async function add(folder, found) {
    if (isClosed || watchers.has(folder)) return;
    const prefix = folder === "" ? "" : `${folder}/`;
    const watcher = open(folder, (name) => settle(prefix + name));
    if (watcher === undefined) return;
    watchers.set(folder, watcher);
    watcher.on("error", () => forget(folder));
    for (const entry of await entriesOf(folder)) {
      found(prefix + entry.name);
      if (entry.isDirectory() && !NOT_WATCHED.has(entry.name)) await add(prefix + entry.name, found);
    }
  }

  /**
   * @param {string} folder
   * @param {(name: string) => void} changed
   * @returns {import("node:fs").FSWatcher | undefined} nothing when the folder went while it was looked at
   */
  function open(folder, changed) {
    try {
      return watch(path.join(root, folder), { persistent: false }, (_event, name) => name !== null && changed(name));
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  /** @param {string} changed */
  function settle(changed) {
    clearTimeout(pending.get(changed));
    const timer = setTimeout(() => {
      pending.delete(changed);
      tell(changed);
      void followFolder(changed);
    }, SETTLE_MS);
    pending.set(changed, timer);
  }

  /**
   * A folder that came is watched, and what was put into it before that is told; one that went is forgotten.
   * @param {string} changed
   */
  async function followFolder(changed) {
    if (isClosed || NOT_WATCHED.has(path.basename(changed))) return;
    const entries = await entriesOf(changed);
    if (entries.length === 0 && !(await isFolder(changed))) return forget(changed);
    await add(changed, settle);
  }

  /** @param {string} folder */
  function forget(folder) {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  /** Nothing where it is no folder, or none any more. @param {string} folder */
  async function entriesOf(folder) {
    return readdir(path.join(root, folder), { withFileTypes: true }).catch(() => []);
  }

  /** @param {string} folder */
  async function isFolder(folder) {
    return readdir(path.join(root, folder)).then(
      () => true,
      () => false,
    );
  }
}
