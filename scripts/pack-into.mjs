// Packs packages of this clone and installs them into an app with npm. It also updates those that it installed before.
// Usage: node scripts/pack-into.mjs <folder of the app> [package ...]
// `--no-build` packs what the last build wrote.
import "./require-node.cjs";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { buildCode, buildDeclarations } from "./workspace/build-steps.mjs";
import { installDependencies, packageManager } from "./workspace/install-dependencies.mjs";
import { root } from "./workspace/run-command.mjs";
import { appFolder, frameworksOf, fullName, isOurs, withDependencies } from "./workspace/workspace-packages.mjs";

try {
  packInto();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function packInto() {
  const { values, positionals } = parseArgs({ options: { "no-build": { type: "boolean" } }, allowPositionals: true });
  const [folder, ...named] = positionals;
  const app = appFolder(folder, "node scripts/pack-into.mjs ../my-app express sqlite");
  const chosen = named.map(fullName);
  const installed = dependenciesOf(app);
  const packages = withDependencies([...chosen, ...Object.keys(installed).filter(isOurs)]);
  if (packages.size === 0)
    throw new Error(`${app} uses no package of Tollgate yet. Name some: node scripts/pack-into.mjs ${folder} express`);
  if (!values["no-build"]) build();
  writeManifest(app);
  console.log(`Packing ${packages.size} packages.`);
  const tarballs = pack(packages, app);
  console.log("Installing them with npm, which takes up to a minute.");
  runQuietly("npm", ["install", "--no-audit", "--no-fund", ...tarballs, ...frameworksOf(packages, installed)], app);
  console.log(`Installed ${[...packages].sort().join(", ")} in ${app}. Commit its folder "vendor".`);
}

/**
 * Returns what an app depends on; nothing if there is no app yet.
 * @param {string} app
 * @returns {Readonly<Record<string, string>>}
 */
function dependenciesOf(app) {
  const file = join(app, "package.json");
  if (!existsSync(file)) return {};
  const { dependencies, devDependencies } = JSON.parse(readFileSync(file, "utf8"));
  return { ...dependencies, ...devDependencies };
}

/** @param {string} app */
function writeManifest(app) {
  const file = join(app, "package.json");
  mkdirSync(app, { recursive: true });
  const manifest = { name: basename(app).toLowerCase(), private: true, type: "module" };
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

function build() {
  installDependencies();
  buildCode();
  buildDeclarations();
}

/**
 * Writes a tarball of each package into the folder `vendor` of the app, in place of older ones. Returns their paths in the
 * app. A name has a digest, because npm does not look into a file again whose name it has installed.
 * @param {ReadonlySet<string>} packages
 * @param {string} app
 */
function pack(packages, app) {
  const vendor = join(app, "vendor");
  mkdirSync(vendor, { recursive: true });
  const fresh = mkdtempSync(join(vendor, ".packing-"));
  try {
    const filters = [...packages].flatMap((name) => ["--filter", name]);
    runQuietly("npx", ["--yes", packageManager, ...filters, "pack", "--pack-destination", fresh], root);
    const tarballs = readdirSync(fresh).map((file) => ({ file, name: withDigest(join(fresh, file)) }));
    for (const old of readdirSync(vendor)) if (/^tollgate-.*\.tgz$/.test(old)) rmSync(join(vendor, old));
    for (const { file, name } of tarballs) renameSync(join(fresh, file), join(vendor, name));
    return tarballs.map(({ name }) => `./vendor/${name}`);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** @param {string} path */
function withDigest(path) {
  const digest = createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 8);
  return basename(path).replace(/\.tgz$/, `-${digest}.tgz`);
}

/**
 * @param {string} command
 * @param {readonly string[]} parameters
 * @param {string} cwd
 */
function runQuietly(command, parameters, cwd) {
  const { status, stdout, stderr } = spawnSync(command, parameters, { cwd, encoding: "utf8" });
  if (status !== 0)
    throw new Error(`${command} ${parameters.slice(0, 3).join(" ")} failed in ${cwd}.\n${stdout}${stderr}`);
}
