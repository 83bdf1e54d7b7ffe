// @ts-check
/**
 * One run of the workbench, for a person (start.mjs) and for tests (tests/e2e/harness.ts): what is built when it is out of date,
 * a folder of notes that may be written to, and the plugin's settings in it.
 * Does not own: the servers themselves (server.mjs, modelServer.mjs), the browser.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { codeOf } from "./server/http.mjs";

const here = import.meta.dirname;
export const projectDir = path.dirname(here);
export const hostDir = path.join(here, "dist");
export const sampleVaultDir = path.join(here, "sample-vault");

const LOCK_RETRY_MS = 100;
/** A lock this old belongs to a run that was killed. */
const STALE_LOCK_MS = 120_000;
const NOT_COPIED = new Set([".git", "node_modules", ".trash"]);

/** Builds the host page unless what is there is newer than its sources. */
export async function ensureHost() {
  const sources = ["src", "build.mjs", "typings.mjs", "index.html"].map((name) => path.join(here, name));
  await whenOutdated(path.join(hostDir, "host.js"), [...sources, path.join(projectDir, "package.json")], async () => {
    const fresh = await mkdtemp(path.join(here, ".dist-"));
    // Loaded when it is needed: the compilers it brings take longer to load than everything else here.
    const { buildHost } = await import("./build.mjs");
    await buildHost(fresh);
    await rm(hostDir, { recursive: true, force: true });
    await rename(fresh, hostDir);
  });
  return hostDir;
}

/** Builds the plugin unless main.js is newer than its sources. */
export async function ensurePlugin() {
  const sources = ["src", "build", "esbuild.config.mjs", "package.json"].map((name) => path.join(projectDir, name));
  await whenOutdated(path.join(projectDir, "main.js"), sources, async () => {
    await promisify(execFile)(process.execPath, ["esbuild.config.mjs"], { cwd: projectDir });
  });
  return projectDir;
}

/**
 * A temporary folder of notes.
 * @param {{ folder?: string, files?: Readonly<Record<string, string | Uint8Array>> }} source a folder to copy, or files by path
 * @returns {Promise<string>} the caller removes it
 */
export async function temporaryVault({ folder, files = {} }) {
  const vaultDir = await mkdtemp(path.join(tmpdir(), "workbench-vault-"));
  if (folder !== undefined) {
    const name = path.basename(path.resolve(folder));
    await cp(folder, vaultDir, {
      recursive: true,
      filter: (source) => !NOT_COPIED.has(path.basename(source)) || path.basename(source) === name,
    });
  }
  for (const [vaultPath, content] of Object.entries(files)) {
    const target = path.join(vaultDir, vaultPath);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, content);
  }
  return vaultDir;
}

/**
 * Puts values into the plugin's data.json; what is there already and not named is kept.
 * @param {string} vaultDir
 * @param {string} pluginDir where manifest.json lies
 * @param {Readonly<Record<string, unknown>>} values
 * @returns {Promise<() => Promise<void>>} takes back those that nobody has changed meanwhile
 */
export async function writeSettings(vaultDir, pluginDir, values) {
  const file = await settingsFile(vaultDir, pluginDir);
  await mkdir(path.dirname(file), { recursive: true });
  const before = await readJson(file);
  await writeJson(file, { ...before, ...values });
  return async () => {
    const now = (await readJson(file)) ?? {};
    for (const [key, value] of Object.entries(values)) {
      if (now[key] !== value) continue;
      if (before !== undefined && key in before) now[key] = before[key];
      else delete now[key];
    }
    if (before === undefined && Object.keys(now).length === 0) await rm(file, { force: true });
    else await writeJson(file, now);
  };
}

/**
 * @param {string} file
 * @returns {Promise<Record<string, unknown> | undefined>} nothing where there is no file
 */
async function readJson(file) {
  return (await isThere(file)) ? JSON.parse(await readFile(file, "utf8")) : undefined;
}

/**
 * @param {string} file
 * @param {unknown} value
 */
async function writeJson(file, value) {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * @param {string} vaultDir
 * @param {string} pluginDir
 */
export async function settingsFile(vaultDir, pluginDir) {
  const { id } = JSON.parse(await readFile(path.join(pluginDir, "manifest.json"), "utf8"));
  return path.join(vaultDir, ".obsidian", "plugins", id, "data.json");
}

/** @param {string} file */
export async function isThere(file) {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/**
 * Several test files may ask at the same moment, each in a process of its own; one of them builds.
 * @param {string} target
 * @param {readonly string[]} sources files and folders
 * @param {() => Promise<void>} build
 */
async function whenOutdated(target, sources, build) {
  if (await isCurrent(target, sources)) return;
  const unlock = await lock(path.join(here, `.lock-${path.basename(target)}`));
  try {
    if (!(await isCurrent(target, sources))) await build();
  } finally {
    await unlock();
  }
}

/**
 * @param {string} target
 * @param {readonly string[]} sources
 */
async function isCurrent(target, sources) {
  if (!(await isThere(target))) return false;
  const { mtimeMs } = await stat(target);
  const newest = await Promise.all(sources.map(newestIn));
  return newest.every((time) => time < mtimeMs);
}

/**
 * @param {string} source
 * @returns {Promise<number>}
 */
async function newestIn(source) {
  const info = await stat(source);
  if (!info.isDirectory()) return info.mtimeMs;
  const entries = await readdir(source);
  const times = await Promise.all(entries.map((entry) => newestIn(path.join(source, entry))));
  return Math.max(info.mtimeMs, ...times);
}

/**
 * @param {string} folder made while the lock is held
 * @returns {Promise<() => Promise<void>>}
 */
async function lock(folder) {
  for (;;) {
    try {
      await mkdir(folder);
      return () => rm(folder, { recursive: true, force: true });
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      if (await isStale(folder)) await rm(folder, { recursive: true, force: true });
      else await sleep(LOCK_RETRY_MS);
    }
  }
}

/** @param {string} folder */
async function isStale(folder) {
  return stat(folder).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > STALE_LOCK_MS,
    // Given back meanwhile.
    () => false,
  );
}
