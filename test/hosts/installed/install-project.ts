import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { installManifest } from "../../support/install-program.ts";

const examples = resolve("examples/hosts");
/** Outside of the repository, where the projects would find its lockfile and packages. */
const cache = join(tmpdir(), "tollgate-hosts");

/** A project of examples/hosts that has been installed outside of the workspace. */
export interface InstalledProject {
  readonly folder: string;
  /** Runs a program of the project, or Node for a path of a script. Rejects with its output if it fails. */
  run(command: string, parameters: readonly string[], env?: Readonly<Record<string, string>>): Promise<void>;
}

/**
 * Installs a project of examples/hosts with npm, unless an earlier run has installed the same versions, and adds the built
 * packages of this workspace as npm would. The first time needs the npm registry.
 */
export async function installProject(name: string): Promise<InstalledProject> {
  const { own, manifest } = manifestOf(name);
  const digest = createHash("sha256").update(JSON.stringify({ examples, manifest })).digest("hex").slice(0, 12);
  const folder = join(cache, `${name}-${digest}`);
  await installManifest(folder, manifest);
  for (const each of own) copyPackage(each, join(folder, "node_modules", each));
  const isSource = (path: string) => !["package.json", "node_modules", "dist"].includes(basename(path));
  // A project may have a gateway of its own.
  for (const file of ["gateway.ts", "port.ts"]) cpSync(resolve("examples/shop/src", file), join(folder, file));
  cpSync(join(examples, name), folder, { recursive: true, filter: isSource });
  return {
    folder,
    async run(command, parameters, env = {}) {
      const { PATH = "", HOME = "" } = process.env;
      const program = existsSync(command) ? process.execPath : join(folder, "node_modules/.bin", command);
      const all = program === process.execPath ? [command, ...parameters] : parameters;
      const options = { cwd: folder, env: { PATH, HOME, CI: "true", ...env } };
      await promisify(execFile)(program, all, options).catch((cause) => {
        throw new Error(`${[command, ...parameters].join(" ")} failed in ${folder}:\n${cause.stdout}${cause.stderr}`);
      });
    },
  };
}

type Versions = Readonly<Record<string, string>>;

interface Manifest {
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly publishConfig?: object;
}

/** The packages of this workspace that a project uses, and its manifest with what they depend on in their place. */
function manifestOf(name: string): { readonly own: readonly string[]; readonly manifest: Manifest } {
  const { dependencies, devDependencies = {}, ...rest } = readManifest(join(examples, name));
  const own = Object.keys(dependencies ?? {}).filter(isOwn);
  const needed = own.map((each) => readManifest(sourceOf(each)).dependencies ?? {});
  const all: Versions = Object.assign({}, ...needed, dependencies);
  const others = Object.entries(all).filter(([each]) => !isOwn(each));
  return { own, manifest: { ...rest, dependencies: Object.fromEntries(others), devDependencies } };
}

const isOwn = (name: string): boolean => name.startsWith("@tollgate/");
const sourceOf = (name: string): string => name.replace("@tollgate", "packages");
const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Copies what the published package contains, with the manifest that it has there. */
function copyPackage(name: string, target: string): void {
  const { publishConfig, ...manifest } = readManifest(sourceOf(name));
  rmSync(target, { recursive: true, force: true });
  cpSync(join(sourceOf(name), "dist"), join(target, "dist"), { recursive: true });
  writeFileSync(join(target, "package.json"), JSON.stringify({ ...manifest, ...publishConfig }));
}
