import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Refusal } from "./refusal.ts";

/** The folder of an app whose folder is not chosen. */
export const defaultFolder = "my-gateway";

/**
 * Returns the path of the folder of an app, and the name of its package, which is that of the folder. Throws a
 * {@link Refusal} if no package can have this name, or if the folder is not empty.
 */
export function targetFolder(cwd: string, folder: string) {
  const path = resolve(cwd, folder);
  const name = basename(path);
  const problem = nameProblem(name) ?? contentProblem(path);
  if (problem !== undefined) throw new Refusal(problem);
  return { path, name };
}

function nameProblem(name: string): string | undefined {
  if (/^[a-z0-9][a-z0-9._-]{0,213}$/.test(name) && name !== "node_modules") return undefined;
  return `"${name}" cannot be the name of a package. Use lower-case letters, digits, "-", "_" and ".", such as "my-gateway".`;
}

function contentProblem(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isDirectory()) return `${path} is not a folder. Choose another name, or move it away.`;
  return readdirSync(path).length === 0 ? undefined : `${path} is not empty. Choose another name, or empty the folder.`;
}

/**
 * Writes files to a folder that is empty or does not exist. If that fails, it removes what it wrote and throws the error of
 * the file system. It is not interrupted by Ctrl-C.
 */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  // With a listener a signal does not end the process, and nothing else runs until all files are written.
  const wait = (): void => undefined;
  for (const signal of signals) process.on(signal, wait);
  const created = mkdirSync(folder, { recursive: true });
  try {
    for (const [path, text] of Object.entries(files)) writeOne(join(folder, path), text);
  } catch (error) {
    const written = created === undefined ? topLevel(files).map((path) => join(folder, path)) : [created];
    for (const path of written) rmSync(path, { recursive: true, force: true });
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, wait);
  }
}

/** Only the owner may read the file with the password. */
function writeOne(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { flag: "wx", mode: path.endsWith(".env") ? 0o600 : 0o666 });
}

const topLevel = (files: Readonly<Record<string, string>>): readonly string[] => [
  ...new Set(Object.keys(files).map((path) => path.replace(/\/.*/, ""))),
];
