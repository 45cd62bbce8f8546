import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { dts } from "rollup-plugin-dts";

/**
 * Joins the declarations that `tsc -b` writes to `.declarations` into the declarations of each package: one file per
 * entry, and `dist/types` for what entries share.
 */
export default readdirSync("packages")
  .filter(isPublished)
  .map((name) => {
    const folder = join("packages", name);
    return {
      input: entriesOf(folder),
      external: /^[^./]/,
      plugins: [dts(), removeEarlier(join(folder, "dist"))],
      output: {
        dir: join(folder, "dist"),
        entryFileNames: "[name].d.ts",
        chunkFileNames: ({ name: chunk }) => `types/${chunk.replace(/\.d$/, "")}.d.ts`,
      },
      onwarn({ message }) {
        throw new Error(`The declarations of ${folder} cannot be joined: ${message}`);
      },
    };
  });

/**
 * True unless a package is private to the workspace.
 * @param {string} name
 * @returns {boolean}
 */
function isPublished(name) {
  /** @type {{ private?: boolean }} */
  const manifest = JSON.parse(readFileSync(join("packages", name, "package.json"), "utf8"));
  return manifest.private !== true;
}

/**
 * The declarations of a package's entries, by their path in `dist`.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
function entriesOf(folder) {
  /** @type {{ exports: Record<string, string | { types: string }> }} */
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.fromEntries(
    Object.values(exports).flatMap((entry) => {
      if (typeof entry === "string") return [];
      const path = entry.types.replace(/^\.\/dist\//, "");
      return [[path.replace(/\.d\.ts$/, ""), join(folder, ".declarations", path)]];
    }),
  );
}

/**
 * Removes the declarations of the last build, whose names may have changed since.
 * @param {string} folder
 * @returns {import("rollup").Plugin}
 */
function removeEarlier(folder) {
  return {
    name: "remove-earlier-declarations",
    renderStart() {
      for (const path of readdirSync(folder, { encoding: "utf8", recursive: true }))
        if (path.endsWith(".d.ts")) rmSync(join(folder, path));
    },
  };
}
