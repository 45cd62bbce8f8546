import { readdirSync, readFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { root } from "./run-command.mjs";

/**
 * The manifest of a package, as far as it is used here.
 * @typedef {object} Manifest
 * @property {string} name
 * @property {Readonly<Record<string, string>>} [dependencies]
 * @property {Readonly<Record<string, string>>} [peerDependencies]
 * @property {Readonly<Record<string, { optional?: boolean }>>} [peerDependenciesMeta]
 */

/** The clients that a host passes to a store, and the server that Hono needs. They are not peers. */
const companions = new Map([
  ["@tollgate/sqlite", ["@photostructure/sqlite"]],
  ["@tollgate/postgres", ["pg"]],
  ["@tollgate/redis", ["redis"]],
  ["@tollgate/hono", ["@hono/node-server"]],
]);

/** @type {(path: string) => any} */
const readJson = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

/** @type {ReadonlyMap<string, Manifest>} */
const manifests = new Map(
  readdirSync(join(root, "packages"))
    .map((folder) => readJson(`packages/${folder}/package.json`))
    .filter(({ private: isPrivate }) => isPrivate !== true)
    .map((manifest) => [manifest.name, manifest]),
);

/**
 * Returns the path of an app. Throws for a folder of the clone, whose packages npm cannot install.
 * @param {string | undefined} folder
 * @param {string} example A command to show.
 */
export function appFolder(folder, example) {
  if (folder === undefined) throw new Error(`Name the folder of your app: ${example}`);
  const path = resolve(folder);
  if (`${path}${sep}`.startsWith(`${root}${sep}`))
    throw new Error(`${path} is in the clone. Name a folder outside: ${example}`);
  return path;
}

/** Returns true for a package of this workspace that apps install. */
export const isOurs = (/** @type {string} */ name) => name.startsWith("@tollgate/") && manifests.has(name);

/**
 * Returns the whole name of a package that is named as `express` or as `@tollgate/express`. Throws for any other name.
 * @param {string} name
 */
export function fullName(name) {
  const full = name.startsWith("@tollgate/") ? name : `@tollgate/${name}`;
  if (isOurs(full)) return full;
  const known = [...manifests.keys()].filter(isOurs).map((each) => each.replace("@tollgate/", ""));
  throw new Error(`There is no package "${name}". Name some of ${known.sort().join(", ")}.`);
}

/**
 * Returns the peers that a package cannot do without.
 * @param {string} name
 * @returns {[name: string, range: string][]}
 */
function requiredPeers(name) {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = manifests.get(name) ?? {};
  return Object.entries(peerDependencies).filter(([peer]) => peerDependenciesMeta[peer]?.optional !== true);
}

/**
 * Returns the packages of this workspace that some of them need, with themselves.
 * @param {Iterable<string>} names
 * @returns {ReadonlySet<string>}
 */
export function withDependencies(names) {
  const found = new Set(names);
  // A set also iterates over what is added meanwhile.
  for (const name of found) {
    const { dependencies } = manifests.get(name) ?? {};
    for (const needed of Object.keys({ ...dependencies, ...Object.fromEntries(requiredPeers(name)) }))
      if (isOurs(needed)) found.add(needed);
  }
  return found;
}

/**
 * Returns the frameworks and clients that an app needs for some packages, in the versions that the tests use: `express@^5.3.0`.
 * @param {Iterable<string>} names
 * @param {Readonly<Record<string, string>>} installed What the app depends on already.
 */
export function frameworksOf(names, installed) {
  const { devDependencies: tested } = readJson("test/package.json");
  const wanted = new Map(
    [...names].flatMap((name) => [
      ...requiredPeers(name),
      ...(companions.get(name) ?? []).map((companion) => /** @type {const} */ ([companion, "latest"])),
    ]),
  );
  return [...wanted]
    .filter(([name]) => !isOurs(name) && !(name in installed))
    .map(([name, range]) => `${name}@${tested[name]?.replace(/^\^?/, "^") ?? range}`);
}
