import { lstatSync, readdirSync } from "node:fs";
import { basename, resolve } from "node:path";
import { Refusal } from "./refusal.ts";

/** The folder of an app whose folder is not chosen. */
export const defaultFolder = "my-gateway";

/** Where an app is written. */
export interface TargetFolder {
  readonly path: string;
  /** The name of its package: that of the folder. */
  readonly name: string;
}

/** Returns the folder of an app. Throws a {@link Refusal} if its name cannot be that of a package, or if it is not empty. */
export function targetFolder(cwd: string, folder: string): TargetFolder {
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
