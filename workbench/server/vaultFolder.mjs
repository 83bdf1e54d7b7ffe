// @ts-check
/**
 * One folder of notes on disk, as the page may use it.
 * Owns: path safety (nothing outside the folder is ever read or written), atomic writes, the trash, faults that tests ask for.
 * Errors carry Node's own `code` and wording, since that is what a plugin sees on the desktop.
 */
import { randomBytes } from "node:crypto";
import { constants, realpathSync } from "node:fs";
import {
  access,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { codeOf, messageOf } from "./http.mjs";

/** What the snapshot holds as text. Everything else is fetched when it is asked for. */
const TEXT_EXTENSIONS = new Set(["md", "canvas", "base", "json", "txt", "css", "js", "csv", "yml", "yaml"]);
const FILES_AT_ONCE = 64;
/** Folders no vault is about. */
const NOT_SERVED = new Set([".git", "node_modules"]);
/** Ends the name of a file that is being written; never shown, never told of. */
const PARTIAL_SUFFIX = ".workbench-partial";

const STATUS_OF_CODE = {
  ENOENT: 404,
  EACCES: 403,
  EPERM: 403,
  EEXIST: 409,
  ENOTEMPTY: 409,
  ENOSPC: 507,
  EOUTSIDE: 400,
};
const WORDS_OF_CODE = {
  ENOENT: "no such file or directory",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  ENOSPC: "no space left on device",
  EBUSY: "resource busy or locked",
  EIO: "i/o error",
};

/**
 * @typedef {object} WriteFault
 * @property {string} path the vault path that fails; "*" stands for any
 * @property {string} code what Node would say: ENOSPC, EACCES, EBUSY, …
 * @property {number} [times] how many writes fail; 1 when absent
 * @property {boolean} [partly] leave half of the data behind, as a full disk does
 */

/**
 * @typedef {{ path: string, to: string, body: Buffer, query: URLSearchParams }} Operation
 * @typedef {{ type: "file" | "folder", ctime: number, mtime: number, size: number }} Stat
 */

export class VaultFolder {
  /** @type {Map<string, string>} what a path looked like after the page's last change of it */
  #left = new Map();
  /** @type {Set<string>} paths the page is changing at this moment */
  #busy = new Set();
  /** @type {(WriteFault & { times: number })[]} */
  #faults = [];

  /** @param {string} folder must exist */
  constructor(folder) {
    /** Absolute, symbolic links resolved. */
    this.root = realpathSync(path.resolve(folder));
  }

  /**
   * The place on disk of a vault path.
   * @param {string} vaultPath
   * @returns {string}
   * @throws with code EOUTSIDE when the path leads out of the folder, by `..`, absolutely, or through a symbolic link
   */
  resolve(vaultPath) {
    if (vaultPath.includes("\0")) throw outside(vaultPath);
    const full = path.resolve(this.root, `./${vaultPath}`);
    if (!isInside(this.root, full) || !isInside(this.root, realPathOfNearest(full))) throw outside(vaultPath);
    return full;
  }

  /**
   * Whether the path is as the page left it, so that a change that was noticed is the page's own.
   * @param {string} vaultPath
   */
  async isAsLeft(vaultPath) {
    if (vaultPath.endsWith(PARTIAL_SUFFIX) || this.#busy.has(vaultPath)) return true;
    return this.#left.get(vaultPath) === (await looksOf(path.join(this.root, vaultPath)));
  }

  /** @param {WriteFault} fault */
  failNextWrites(fault) {
    this.#faults.push({ times: 1, ...fault });
  }

  clearFaults() {
    this.#faults = [];
  }

  /**
   * All folders, and all files with their figures; text files with their text.
   * @returns {Promise<{ folders: string[], files: ({ path: string, text?: string } & Omit<Stat, "type">)[] }>}
   */
  async snapshot() {
    /** @type {string[]} */
    const folders = [];
    /** @type {({ path: string, text?: string } & Omit<Stat, "type">)[]} */
    const files = [];
    await this.#walk("", folders, files);
    return { folders, files };
  }

  /**
   * @param {string} name
   * @param {Operation} operation
   * @returns {Promise<unknown>}
   */
  async perform(name, operation) {
    const full = this.resolve(operation.path);
    switch (name) {
      case "stat":
        return { stat: await statOf(full) };
      case "list":
        return this.#list(operation.path);
      default:
        return this.#change([operation.path, ...(operation.to === "" ? [] : [operation.to])], () =>
          this.#perform(name, full, operation),
        );
    }
  }

  /**
   * Keeps in mind how the paths look afterwards, also when the change failed.
   * @template T
   * @param {readonly string[]} paths
   * @param {() => Promise<T>} act
   * @returns {Promise<T>}
   */
  async #change(paths, act) {
    for (const vaultPath of paths) this.#busy.add(vaultPath);
    try {
      return await act();
    } finally {
      for (const vaultPath of paths) {
        this.#left.set(vaultPath, await looksOf(path.join(this.root, vaultPath)));
        this.#busy.delete(vaultPath);
      }
    }
  }

  /**
   * @param {string} name
   * @param {string} full
   * @param {Operation} operation
   * @returns {Promise<unknown>}
   */
  async #perform(name, full, operation) {
    switch (name) {
      case "write":
        return this.#write(operation);
      case "append":
        return this.#append(operation);
      case "mkdir":
        return void (await mkdir(full, { recursive: true }));
      case "remove":
        return void (await unlink(full));
      case "rmdir":
        return void (await (operation.query.get("recursive") === "true" ? rm(full, { recursive: true }) : rmdir(full)));
      case "rename":
        return this.#rename(operation);
      case "copy":
        return this.#copy(operation);
      case "trash":
        return this.#trash(operation.path);
      default:
        throw Object.assign(new Error(`unknown operation ${name}`), { code: "EINVAL" });
    }
  }

  /**
   * @param {string} folder
   * @param {string[]} folders
   * @param {({ path: string, text?: string } & Omit<Stat, "type">)[]} files
   */
  async #walk(folder, folders, files) {
    const entries = await readdir(path.join(this.root, folder), { withFileTypes: true });
    const pathOf = (/** @type {{ name: string }} */ entry) => (folder === "" ? entry.name : `${folder}/${entry.name}`);
    const notes = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(PARTIAL_SUFFIX));
    for (let from = 0; from < notes.length; from += FILES_AT_ONCE) {
      const batch = notes.slice(from, from + FILES_AT_ONCE);
      files.push(...(await Promise.all(batch.map((entry) => this.#describe(pathOf(entry))))));
    }
    for (const entry of entries) {
      if (!entry.isDirectory() || NOT_SERVED.has(entry.name)) continue;
      folders.push(pathOf(entry));
      await this.#walk(pathOf(entry), folders, files);
    }
  }

  /** @param {string} vaultPath */
  async #describe(vaultPath) {
    const full = path.join(this.root, vaultPath);
    const isText = TEXT_EXTENSIONS.has(path.extname(vaultPath).slice(1).toLowerCase());
    const [info, text] = await Promise.all([stat(full), isText ? readFile(full, "utf8") : undefined]);
    const { ctime, mtime, size } = fileStat(info);
    return { path: vaultPath, ctime, mtime, size, ...(text === undefined ? {} : { text }) };
  }

  /** @param {string} vaultPath */
  async #list(vaultPath) {
    const entries = await readdir(this.resolve(vaultPath), { withFileTypes: true });
    const inside = (/** @type {{ name: string }} */ entry) =>
      vaultPath === "" ? entry.name : `${vaultPath}/${entry.name}`;
    const shown = entries.filter((entry) => !entry.name.endsWith(PARTIAL_SUFFIX));
    return {
      files: shown.filter((entry) => entry.isFile()).map(inside),
      folders: shown.filter((entry) => entry.isDirectory()).map(inside),
    };
  }

  /** @param {Operation} operation */
  async #write({ path: vaultPath, body, query }) {
    await this.#raiseFault(vaultPath, body);
    const full = this.resolve(vaultPath);
    await access(path.dirname(full), constants.W_OK);
    if ((await statOf(full))?.type === "folder") throw nodeError("EISDIR", "open", vaultPath);
    // Beside it first, then in its place: whoever reads meanwhile sees the old text or the new one, never half of it.
    const partial = `${full}.${randomBytes(4).toString("hex")}${PARTIAL_SUFFIX}`;
    await writeFile(partial, body);
    await rename(partial, full);
    return { stat: await statOf(full), created: query.get("create") === "true" };
  }

  /** @param {Operation} operation */
  async #append({ path: vaultPath, body }) {
    await this.#raiseFault(vaultPath, body);
    const full = this.resolve(vaultPath);
    await writeFile(full, body, { flag: "a" });
    return { stat: await statOf(full) };
  }

  /** @param {Operation} operation */
  async #rename({ path: vaultPath, to }) {
    await this.#raiseFault(to, Buffer.alloc(0));
    if ((await statOf(this.resolve(to))) !== null && vaultPath.toLowerCase() !== to.toLowerCase()) {
      throw Object.assign(new Error("Destination file already exists!"), { code: "EEXIST" });
    }
    await rename(this.resolve(vaultPath), this.resolve(to));
    return { stat: await statOf(this.resolve(to)) };
  }

  /** @param {Operation} operation */
  async #copy({ path: vaultPath, to }) {
    await this.#raiseFault(to, Buffer.alloc(0));
    await copyFile(this.resolve(vaultPath), this.resolve(to), constants.COPYFILE_EXCL);
    return { stat: await statOf(this.resolve(to)) };
  }

  /**
   * Into `.trash`, under a name that is free there.
   * @param {string} vaultPath
   */
  async #trash(vaultPath) {
    const full = this.resolve(vaultPath);
    if ((await statOf(full)) === null) throw nodeError("ENOENT", "rename", vaultPath);
    const trash = this.resolve(".trash");
    await mkdir(trash, { recursive: true });
    const { name, ext } = path.parse(full);
    let target = path.join(trash, `${name}${ext}`);
    for (let counter = 2; (await statOf(target)) !== null; counter += 1)
      target = path.join(trash, `${name} ${counter}${ext}`);
    await rename(full, target);
  }

  /**
   * @param {string} vaultPath
   * @param {Buffer} body
   */
  async #raiseFault(vaultPath, body) {
    const fault = this.#faults.find((candidate) => candidate.path === "*" || candidate.path === vaultPath);
    if (fault === undefined) return;
    fault.times -= 1;
    if (fault.times <= 0) this.#faults.splice(this.#faults.indexOf(fault), 1);
    if (fault.partly) {
      await writeFile(this.resolve(vaultPath), body.subarray(0, Math.floor(body.length / 2)));
    }
    throw nodeError(fault.code, "write", vaultPath);
  }
}

/**
 * What the page is told of an error.
 * @param {unknown} error
 * @returns {{ status: number, code: string, message: string }}
 */
export function failureOf(error) {
  const code = codeOf(error) || "EIO";
  const status = STATUS_OF_CODE[/** @type {keyof typeof STATUS_OF_CODE} */ (code)] ?? 500;
  return { status, code, message: messageOf(error) };
}

/**
 * @param {string} code
 * @param {string} call
 * @param {string} vaultPath
 */
function nodeError(code, call, vaultPath) {
  const words = WORDS_OF_CODE[/** @type {keyof typeof WORDS_OF_CODE} */ (code)] ?? "failed";
  return Object.assign(new Error(`${code}: ${words}, ${call} '${vaultPath}'`), { code });
}

/** @param {string} vaultPath */
function outside(vaultPath) {
  return Object.assign(new Error(`${JSON.stringify(vaultPath)} leads out of the vault`), { code: "EOUTSIDE" });
}

/**
 * @param {string} root
 * @param {string} full
 */
function isInside(root, full) {
  return full === root || full.startsWith(root + path.sep);
}

/**
 * The real path of the nearest parent that exists, so that a link cannot lead out for a file that does not exist yet.
 * @param {string} full
 * @returns {string}
 */
function realPathOfNearest(full) {
  for (let current = full; ; current = path.dirname(current)) {
    try {
      return path.join(realpathSync(current), path.relative(current, full));
    } catch {
      if (current === path.dirname(current)) return full;
    }
  }
}

/**
 * @param {string} full
 * @returns {Promise<Stat | null>} null when there is nothing
 */
async function statOf(full) {
  try {
    return fileStat(await stat(full));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return null;
    throw error;
  }
}

/**
 * How a place on disk looks, to tell later whether somebody else was there. A replaced file has another inode.
 * @param {string} full
 */
async function looksOf(full) {
  return stat(full).then(
    (info) => (info.isDirectory() ? "folder" : `${info.ino} ${info.size} ${info.mtimeMs}`),
    () => "nothing",
  );
}

/**
 * @param {import("node:fs").Stats} info
 * @returns {Stat}
 */
function fileStat(info) {
  return {
    type: info.isDirectory() ? "folder" : "file",
    ctime: Math.round(info.birthtimeMs),
    mtime: Math.round(info.mtimeMs),
    size: info.size,
  };
}
