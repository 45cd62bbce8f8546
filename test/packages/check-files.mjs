import { posix } from "node:path";
import ts from "typescript";
import { tarballBytes } from "./bars.mjs";

/** @typedef {Pick<import("./packed-packages.mjs").Packed, "files" | "tarball" | "manifest" | "read">} Packed */

const pages = ["README.md", "LICENSE", "CHANGELOG.md"];

/**
 * Returns what is wrong with the files of a package: pages that are missing, files that no entry reaches, links that lead
 * nowhere in an installed package, and a tarball that is too large.
 * @param {Packed} packed
 * @returns {readonly string[]}
 */
export function checkFiles(packed) {
  const { files, tarball, manifest, read } = packed;
  const reached = reachedFiles(packed);
  const unreached = files.filter((path) => !reached.has(path) && !pages.includes(path) && path !== "package.json");
  const missing = [...pages, ...reached].filter((path) => !files.includes(path));
  const links = files.includes("README.md") ? linksInside(read("README.md")) : [];
  const changes = files.includes("CHANGELOG.md") ? read("CHANGELOG.md") : "";
  return [
    ...missing.map((path) => `does not contain ${path}`),
    ...unreached.map((path) => `contains ${path}, which no entry reaches: remove it from \`files\` or from dist`),
    ...links.map((link) => `its README links to ${link}, which npm does not resolve: link to the repository`),
    ...(manifest.version === "0.0.0" || changes.includes(`\n## ${manifest.version}\n`)
      ? []
      : [`its CHANGELOG.md has no section ${manifest.version}: run \`node scripts/release.mjs version\``]),
    ...(tarball.length > tarballBytes ? [`its tarball has ${tarball.length} bytes; the most is ${tarballBytes}`] : []),
  ];
}

/**
 * The files that the entries, the imports by condition and the programs of a package name, and what these import.
 * @param {Packed} packed
 * @returns {ReadonlySet<string>}
 */
function reachedFiles({ manifest, files, read }) {
  const targets = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === "string" ? [entry] : Object.values(entry),
  );
  const imported = Object.values(manifest.imports ?? {}).flatMap((entry) => Object.values(entry));
  const reached = new Set(
    [...targets, ...imported, ...Object.values(manifest.bin ?? {})].map((path) => posix.normalize(path)),
  );
  for (const path of reached) {
    if (!files.includes(path) || !/\.m?[jt]s$/.test(path)) continue;
    for (const { fileName } of ts.preProcessFile(read(path), true, true).importedFiles) {
      if (!fileName.startsWith(".")) continue;
      const target = posix.join(posix.dirname(path), fileName);
      reached.add(path.endsWith(".d.ts") ? target.replace(/\.js$/, ".d.ts") : target);
    }
  }
  return reached;
}

/**
 * @param {string} readme
 * @returns {readonly string[]}
 */
const linksInside = (readme) =>
  [...readme.matchAll(/\]\(([^)\s]+)[^)]*\)/g)].flatMap(([, target = ""]) =>
    /^(?:https:|#)/.test(target) ? [] : [target],
  );
