/**
 * The folder that chats are kept in, found or made.
 * Owns: reading the setting as people write it (slashes at the ends, other letter case).
 */
import { comparable } from "./chatFileName";
import type { ChatNoteStore } from "./chatNoteStore";
import { inFolder, nameOf } from "./chatNoteStore";

/**
 * @param wanted as the user typed it
 * @returns the path of a folder that exists. One that differs in letter case only is taken instead of making a second
 * (https://github.com/logancyang/obsidian-copilot/issues/427). Rejects when the store does.
 */
export async function ensureFolder(store: ChatNoteStore, wanted: string): Promise<string> {
  let folder = "";
  for (const name of folderNames(wanted)) {
    folder = (await findFolder(store, folder, name)) ?? (await makeFolder(store, folder, name));
  }
  return folder;
}

/** The folder if it exists; undefined when it was not made yet. */
export async function existingFolder(store: ChatNoteStore, wanted: string): Promise<string | undefined> {
  let folder: string | undefined = "";
  for (const name of folderNames(wanted)) {
    folder = folder === undefined ? undefined : await findFolder(store, folder, name);
  }
  return folder;
}

function folderNames(wanted: string): readonly string[] {
  const names = wanted.split(/[/\\]+/).map((name) => name.trim());
  return names.filter((name) => name !== "" && name !== "." && name !== "..");
}

async function findFolder(store: ChatNoteStore, parent: string, name: string): Promise<string | undefined> {
  const folders = (await store.list(parent))?.folders ?? [];
  const exact = folders.find((path) => nameOf(path) === name);
  return exact ?? folders.find((path) => comparable(nameOf(path)) === comparable(name));
}

async function makeFolder(store: ChatNoteStore, parent: string, name: string): Promise<string> {
  const path = inFolder(parent, name);
  try {
    await store.createFolder(path);
    return path;
  } catch (error) {
    // Somebody else, a sync for one, may have made it in between.
    const made = await findFolder(store, parent, name);
    if (made === undefined) throw error;
    return made;
  }
}
