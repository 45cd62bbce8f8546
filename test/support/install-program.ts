import { execFile } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** A program from npm that few tests need and that has many dependencies. */
export interface Program {
  readonly name: string;
  readonly version: string;
  /** Versions of its dependencies, as `overrides` of package.json. */
  readonly overrides?: Readonly<Record<string, string>>;
}

/**
 * Installs a program into a folder of `.runtimes`, outside of the workspace, unless an earlier run has. Returns the folder
 * of its package. Needs the npm registry.
 */
export async function installProgram({ name, version, overrides = {} }: Program): Promise<string> {
  const folder = resolve(`.runtimes/${name.replace(/^@.*\//, "")}-${version}`);
  await installManifest(folder, { private: true, dependencies: { [name]: version }, overrides });
  return join(folder, "node_modules", name);
}

/**
 * Writes a package.json to a folder and installs its dependencies with npm, unless an earlier run has. Their scripts run
 * only with `scripts`. Needs the npm registry. Test files that run at the same time each install into a folder of their
 * own, and the first one to finish renames it.
 */
export async function installManifest(folder: string, manifest: object, { scripts = false } = {}): Promise<void> {
  const modules = join(folder, "node_modules");
  if (existsSync(modules)) return;
  const own = `${folder}.${process.pid}`;
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "package.json"), JSON.stringify(manifest, null, 2));
  const quiet = ["--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error", `--ignore-scripts=${!scripts}`];
  await promisify(execFile)("npm", ["install", ...quiet], { cwd: own });
  try {
    renameSync(own, folder);
  } catch (cause) {
    rmSync(own, { recursive: true });
    if (!existsSync(modules)) throw cause;
  }
}
