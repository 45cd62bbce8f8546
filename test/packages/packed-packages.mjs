import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPackageFromTarballData } from "@arethetypeswrong/core";

/**
 * The manifest of a packed package, as far as it is checked here.
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {Readonly<Record<string, string | Readonly<Record<string, string>>>>} exports
 * @property {Readonly<Record<string, Readonly<Record<string, string>>>>} [imports]
 * @property {Readonly<Record<string, string>>} [bin]
 * @property {Readonly<Record<string, string>>} [dependencies]
 */

/**
 * A package as `pnpm publish` sends it to the registry.
 * @typedef {object} Packed
 * @property {string} name
 * @property {string} folder The name of its folder in `packages`.
 * @property {Buffer} tarball
 * @property {Manifest} manifest
 * @property {readonly string[]} files Sorted paths, without a leading slash.
 * @property {(path: string) => string} read Returns the text of a file.
 * @property {import("@arethetypeswrong/core").Package} types The package for checkPackage.
 */

/**
 * Packs every package of the workspace, in the order of their names. Throws if the packages are not built.
 * @returns {readonly Packed[]}
 */
export function packPackages() {
  const destination = mkdtempSync(join(tmpdir(), "tollgate-packed-"));
  try {
    const parameters = [
      "--recursive",
      "--filter",
      "./packages/*",
      "--filter",
      "!@tollgate/page-kit",
      "pack",
      "--pack-destination",
      destination,
    ];
    const { status, stdout, stderr } = spawnSync("npx", ["--yes", "pnpm@10.34.9", ...parameters], { encoding: "utf8" });
    if (status !== 0) throw new Error(`The packages cannot be packed. Build them first.\n${stdout}${stderr}`);
    return readdirSync(destination)
      .sort()
      .map((name) => readPacked(readFileSync(join(destination, name))));
  } finally {
    rmSync(destination, { recursive: true });
  }
}

/**
 * @param {Buffer} tarball
 * @returns {Packed}
 */
function readPacked(tarball) {
  const types = createPackageFromTarballData(tarball);
  const root = `/node_modules/${types.packageName}/`;
  /** @param {string} path */
  const read = (path) => types.readFile(root + path);
  return {
    name: types.packageName,
    folder: types.packageName.replace("@tollgate/", ""),
    tarball,
    manifest: JSON.parse(read("package.json")),
    files: types
      .listFiles()
      .map((path) => path.slice(root.length))
      .sort(),
    read,
    types,
  };
}
