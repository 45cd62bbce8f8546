import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

/** @typedef {Pick<import("./packed-packages.mjs").Packed, "name" | "folder" | "manifest">} Packed */

const repository = "https://github.com/tollgate/tollgate";
/** @type {{ fixed: readonly (readonly string[])[] }} */
const changesets = JSON.parse(readFileSync(".changeset/config.json", "utf8"));

/**
 * Returns what a stranger or the registry would miss in a manifest.
 * @param {Packed} packed
 * @param {string} version The version of all packages.
 * @returns {readonly string[]}
 */
export function checkManifest({ name, folder, manifest }, version) {
  /** @type {Readonly<Record<string, unknown>>} */
  const found = { ...manifest };
  const text = JSON.stringify(manifest);
  const differing = Object.entries(expectedMembers(folder, version)).filter(
    ([member, value]) => !isDeepStrictEqual(found[member], value),
  );
  const empty = ["description", "keywords", "engines"].filter((member) => (found[member] ?? "").toString() === "");
  return [
    ...differing.map(([member, value]) => `set \`${member}\` of package.json to ${JSON.stringify(value)}`),
    ...empty.map((member) => `set \`${member}\` of package.json`),
    ...(manifest.exports["./package.json"] === "./package.json" ? [] : ["export ./package.json"]),
    ...(/"workspace:|@tollgate\/source/.test(text)
      ? ["contains what only the workspace resolves: pack it with pnpm"]
      : []),
    ...(changesets.fixed.flat().includes(name) ? [] : ["add it to `fixed` in .changeset/config.json"]),
    ...Object.entries(manifest.dependencies ?? {}).flatMap(([dependency, range]) =>
      dependency.startsWith("@tollgate/") && range !== `^${version}` ? [`depends on ${dependency} ${range}`] : [],
    ),
  ];
}

/**
 * @param {string} folder
 * @param {string} version
 */
const expectedMembers = (folder, version) => ({
  // npm create looks for a package of this name.
  name: folder.startsWith("create-") ? folder : `@tollgate/${folder}`,
  version,
  license: "MIT",
  author: "Tollgate contributors",
  homepage: `${repository}/tree/main/packages/${folder}#readme`,
  repository: { type: "git", url: `git+${repository}.git`, directory: `packages/${folder}` },
  bugs: { url: `${repository}/issues` },
  type: "module",
  sideEffects: false,
  publishConfig: { access: "public", provenance: true },
});
