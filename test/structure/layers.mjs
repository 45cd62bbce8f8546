import { posix } from "node:path";

/** @typedef {import("./source-files.mjs").Package} Package */

const root = "packages/core/src";

/**
 * The folders of core by layer, from the top down; "." stands for the files of src itself. A file can import files of
 * its own folder and of lower layers. Folders of one layer cannot import each other.
 * @type {readonly { readonly name: string, readonly folders: readonly string[] }[]}
 */
export const layers = [
  { name: "composition", folders: ["."] },
  { name: "extensions", folders: ["extensions"] },
  { name: "dialects", folders: ["dialects"] },
  { name: "http", folders: ["charges", "http"] },
  { name: "steps", folders: ["steps"] },
  { name: "answering", folders: ["answering"] },
  { name: "request", folders: ["request", "memory", "providers"] },
  {
    name: "services",
    folders: ["access", "events", "money", "routing", "upstream"],
  },
  { name: "ports", folders: ["ports"] },
  { name: "foundation", folders: ["errors", "options", "runtime", "wire"] },
];

const levelOf = new Map(layers.flatMap(({ folders }, level) => folders.map((folder) => [folder, level])));

/**
 * Returns the imports of core from the same or a higher layer, the folders that are in no layer, and the import cycles
 * of folders.
 * @param {readonly Package[]} packages
 * @returns {readonly string[]}
 */
export function findLayerViolations(packages) {
  const sources = packages
    .filter(({ name }) => name === "@tollgate/core")
    .flatMap((each) => each.sources)
    .filter(({ isTest, path }) => !isTest && path.startsWith(`${root}/`));
  const imports = sources.flatMap(({ path, imports: entries }) =>
    entries
      .filter(({ from }) => from.startsWith("."))
      .map(({ from, line }) => ({ path, line, target: posix.join(posix.dirname(path), from) })),
  );
  return [...new Set(sources.map(({ path }) => folderOf(path)).filter((folder) => !levelOf.has(folder)))]
    .map((folder) => `${root}/${folder}:1 is in no layer. Add it to test/structure/layers.mjs.`)
    .concat(imports.flatMap(checkDirection), findFolderCycles(imports));
}

/** @param {{ readonly path: string, readonly line: number, readonly target: string }} entry */
function checkDirection({ path, line, target }) {
  const [from, to] = [folderOf(path), folderOf(target)];
  const [upper, lower] = [levelOf.get(from), levelOf.get(to)];
  if (from === to || upper === undefined || lower === undefined || upper < lower) return [];
  const layer = upper === lower ? "the same" : "a higher";
  const advice = "Move the shared code to a lower layer, or pass it as a parameter.";
  return [`${path}:${line} imports ${to}, which is in ${layer} layer. ${advice}`];
}

/**
 * Returns the imports between folders, at any depth, that import each other directly or through other folders.
 * @param {readonly { readonly path: string, readonly line: number, readonly target: string }[]} imports
 */
function findFolderCycles(imports) {
  /** @type {Map<string, Map<string, string>>} */
  const edges = new Map();
  for (const { path, line, target } of imports) {
    const [from, to] = [posix.dirname(path), posix.dirname(target)];
    if (from === to) continue;
    const targets = edges.get(from) ?? new Map();
    if (!targets.has(to)) targets.set(to, `${path}:${line}`);
    edges.set(from, targets);
  }
  return [...edges].flatMap(([from, targets]) =>
    [...targets]
      .filter(([to]) => reaches(edges, to, from))
      .map(
        ([to, place]) =>
          `${place} closes an import cycle of the folders ${from} and ${to}. Move the shared code into one of them.`,
      ),
  );
}

/**
 * @param {Map<string, Map<string, string>>} edges
 * @param {string} start
 * @param {string} goal
 */
function reaches(edges, start, goal) {
  const seen = new Set([start]);
  for (const folder of seen) {
    for (const next of edges.get(folder)?.keys() ?? []) {
      if (next === goal) return true;
      seen.add(next);
    }
  }
  return false;
}

/** @param {string} path */
function folderOf(path) {
  const inside = posix.relative(root, path);
  return inside.includes("/") ? inside.slice(0, inside.indexOf("/")) : ".";
}
