import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { versions } from "./versions.ts";

/** The name of a runtime in the list of versions. */
export type RuntimeName = keyof typeof versions;

/** Where each package has its native program. Its wrapper in JavaScript would start a second process. */
const programs: Readonly<Record<RuntimeName, (modules: string) => string>> = {
  "node-20": (modules) => join(modules, "node-20/bin/node"),
  "node-22": (modules) => join(modules, "node-22/bin/node"),
  "node-24": (modules) => join(modules, "node-24/bin/node"),
  "node-26": (modules) => join(modules, "node-26/bin/node"),
  bun: (modules) => inPackageOfPlatform(modules, "@oven", /^bun-/, "bin/bun"),
  deno: (modules) => inPackageOfPlatform(modules, "@deno", /./, "deno"),
  workerd: (modules) => inPackageOfPlatform(modules, "@cloudflare", /^workerd-/, "bin/workerd"),
};

/**
 * Installs every runtime into `.runtimes`, unless an earlier run has, and returns the paths of the programs. The first run
 * needs the npm registry, 1.1 GB of disk and about 30 s.
 */
export async function installRuntimes(): Promise<Readonly<Record<RuntimeName, string>>> {
  const manifest = JSON.stringify({ private: true, dependencies: dependencies() }, null, 2);
  const hash = createHash("sha256").update(manifest).digest("hex").slice(0, 8);
  const folder = resolve(`.runtimes/programs-${hash}`);
  if (!existsSync(folder)) await install(folder, manifest);
  const modules = join(folder, "node_modules");
  const paths = Object.entries(programs).map(([name, pathIn]) => [name, pathIn(modules)]);
  return Object.fromEntries(paths);
}

/** Node has one package for each platform; the others choose theirs among optional dependencies. */
function dependencies(): Readonly<Record<string, string>> {
  const ofPlatform = `npm:node-${process.platform}-${process.arch}`;
  return Object.fromEntries(
    Object.entries(versions).map(([name, version]) => [
      name,
      name.startsWith("node-") ? `${ofPlatform}@${version}` : version,
    ]),
  );
}

async function install(folder: string, manifest: string): Promise<void> {
  const own = `${folder}.${process.pid}`;
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "package.json"), manifest);
  const quiet = ["--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"];
  await promisify(execFile)("npm", ["install", ...quiet], { cwd: own });
  rmSync(folder, { recursive: true, force: true });
  renameSync(own, folder);
}

function inPackageOfPlatform(modules: string, scope: string, name: RegExp, program: string): string {
  const found = readdirSync(join(modules, scope)).filter((each) => name.test(each));
  const path = found.map((each) => join(modules, scope, each, program)).find((each) => existsSync(each));
  if (path !== undefined) return path;
  throw new Error(`npm installed no package of ${scope} for ${process.platform} on ${process.arch}.`);
}
