import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { installProgram } from "../support/install-program.ts";
import { versions } from "./versions.ts";

/** The name of a runtime in the list of versions. */
export type RuntimeName = keyof typeof versions;

const nodeOfPlatform = { name: `node-${process.platform}-${process.arch}`, pathIn: inOwnPackage };

/**
 * The package of each runtime, and where it has its native program. A wrapper in JavaScript would start a second process.
 * Node has one package for each platform; the others choose theirs among optional dependencies.
 */
const packages: Readonly<Record<RuntimeName, { readonly name: string; pathIn(folder: string): string }>> = {
  "node-20": nodeOfPlatform,
  "node-22": nodeOfPlatform,
  "node-24": nodeOfPlatform,
  "node-26": nodeOfPlatform,
  bun: { name: "bun", pathIn: (folder) => inPackageOfPlatform(folder, "@oven", /^bun-/, "bin/bun") },
  deno: { name: "deno", pathIn: (folder) => inPackageOfPlatform(folder, "@deno", /./, "deno") },
  workerd: {
    name: "workerd",
    pathIn: (folder) => inPackageOfPlatform(folder, "@cloudflare", /^workerd-/, "bin/workerd"),
  },
};

/**
 * Installs a runtime into `.runtimes`, unless an earlier run has, and returns the path of its program. The first time needs
 * the npm registry; all runtimes take 1.1 GB of disk and about 30 s.
 */
export async function installRuntime(runtime: RuntimeName): Promise<string> {
  const { name, pathIn } = packages[runtime];
  return pathIn(await installProgram({ name, version: versions[runtime] }));
}

function inOwnPackage(folder: string): string {
  return join(folder, "bin/node");
}

function inPackageOfPlatform(folder: string, scope: string, name: RegExp, program: string): string {
  const packagesOfScope = join(dirname(folder), scope);
  const found = readdirSync(packagesOfScope).filter((each) => name.test(each));
  const path = found.map((each) => join(packagesOfScope, each, program)).find((each) => existsSync(each));
  if (path !== undefined) return path;
  throw new Error(`npm installed no package of ${scope} for ${process.platform} on ${process.arch}.`);
}
