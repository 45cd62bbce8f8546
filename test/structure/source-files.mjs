import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSource } from "./read-source.mjs";

/** @typedef {import("./read-source.mjs").Source} Source */

/**
 * A package of the workspace with its sources.
 * @typedef {object} Package
 * @property {string} folder For messages: "packages/core".
 * @property {string} name The name in its package.json.
 * @property {ReadonlySet<string>} dependencies All dependencies in its package.json except the devDependencies.
 * @property {ReadonlySet<string>} devDependencies The devDependencies in its package.json.
 * @property {readonly Source[]} sources Every TypeScript file in its src folder.
 */

/**
 * Reads every package under packages/ and examples/ of a workspace.
 * @param {string} root
 * @returns {readonly Package[]}
 */
export function readPackages(root) {
  return ["packages", "examples"].flatMap((group) =>
    foldersIn(join(root, group))
      .map((name) => `${group}/${name}`)
      .filter((folder) => existsSync(join(root, folder, "package.json")))
      .map((folder) => readPackage(root, folder)),
  );
}

/**
 * Reads the names of the root's devDependencies, which every test may import.
 * @param {string} root
 * @returns {ReadonlySet<string>}
 */
export function readRootDependencies(root) {
  const { devDependencies = {} } = readManifest(join(root, "package.json"));
  return new Set(Object.keys(devDependencies));
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {Package}
 */
function readPackage(root, folder) {
  const manifest = readManifest(join(root, folder, "package.json"));
  return {
    folder,
    name: manifest.name,
    dependencies: new Set([
      ...Object.keys(manifest.dependencies ?? {}),
      ...Object.keys(manifest.imports ?? {}),
      ...Object.keys(manifest.peerDependencies ?? {}),
      ...Object.keys(manifest.optionalDependencies ?? {}),
    ]),
    devDependencies: new Set(Object.keys(manifest.devDependencies ?? {})),
    sources: filesIn(join(root, folder, "src"))
      .filter((path) => /\.[cm]?tsx?$/.test(path))
      .map((path) => readSource(`${folder}/src/${path}`, readFileSync(join(root, folder, "src", path), "utf8"))),
  };
}

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {Record<string, unknown>} [imports]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [devDependencies]
 */

/**
 * @param {string} path
 * @returns {Manifest}
 */
const readManifest = (path) => JSON.parse(readFileSync(path, "utf8"));

/** @param {string} folder */
const foldersIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
        .sort()
    : [];

/** @param {string} folder */
const filesIn = (folder) =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }).sort() : [];
