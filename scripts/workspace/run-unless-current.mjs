import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./run-command.mjs";

/**
 * A step of the build.
 * @typedef {object} Step
 * @property {string} name
 * @property {() => string} sources Returns a text that changes when what the step reads has changed.
 * @property {() => string} outputs Returns a text that changes when what the step wrote has changed.
 * @property {() => void} run Throws, or ends the process, if the step fails.
 */

/**
 * Runs a step, unless its sources and its outputs are as they were when it last succeeded.
 * @param {Step} step
 * @param {string} [workspace]
 */
export function runUnlessCurrent({ name, sources, outputs, run }, workspace = root) {
  const stamp = join(workspace, "node_modules/.cache/tollgate", name);
  // Read first, so that the next run repeats a step whose sources changed while it ran.
  const before = sources();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === `${before}\n${outputs()}`) return;
  rmSync(stamp, { force: true });
  run();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, `${before}\n${outputs()}`);
}

/**
 * Which files a digest covers, and what of them.
 * @typedef {object} Digested
 * @property {readonly string[]} paths Files and folders, relative to the workspace. Those that do not exist are left out.
 * @property {RegExp} [except] Matches the paths of files and folders that are left out.
 * @property {"contents" | "times"} by The contents of the files, or their sizes and times of change.
 */

/**
 * Returns a digest of files with their names.
 * @param {Digested} digested
 * @param {string} [workspace]
 */
export function digestOf({ paths, except = /^$/, by }, workspace = root) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap((each) => filesAt(workspace, each, except))) {
    const file = join(workspace, path);
    const { size, mtimeMs } = statSync(file);
    hash.update(`${path}\n${size}\n`).update(by === "contents" ? readFileSync(file) : `${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

/**
 * @param {string} workspace
 * @param {string} path
 * @param {RegExp} except
 * @returns {readonly string[]}
 */
function filesAt(workspace, path, except) {
  const stats = statSync(join(workspace, path), { throwIfNoEntry: false });
  if (stats === undefined || except.test(path)) return [];
  if (!stats.isDirectory()) return [path];
  const names = readdirSync(join(workspace, path)).sort();
  return names.flatMap((name) => filesAt(workspace, `${path}/${name}`, except));
}
