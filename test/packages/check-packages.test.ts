import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { tarballBytes } from "./bars.mjs";
import { checkFiles } from "./check-files.mjs";
import { checkManifest } from "./check-manifest.mjs";

const manifest = packedManifest();
const files: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify(manifest),
  "README.md": "[Tollgate](https://github.com/tollgate/tollgate)",
  LICENSE: "MIT",
  "CHANGELOG.md": "# @tollgate/redis\n\n## 1.2.3\n",
  "dist/index.js": 'export { a } from "./chunk.js";',
  "dist/chunk.js": "export const a = 1;",
  "dist/index.d.ts": 'export { a } from "./types/a.js";',
  "dist/types/a.d.ts": "export declare const a: number;",
};

/** The manifest of a real package as pnpm packs it, at another version. */
function packedManifest() {
  const {
    publishConfig,
    devDependencies: _,
    ...rest
  } = JSON.parse(readFileSync("packages/redis/package.json", "utf8"));
  const { exports, ...published } = publishConfig;
  const dependencies = { "@tollgate/core": "^1.2.3" };
  return { ...rest, version: "1.2.3", exports, publishConfig: published, dependencies };
}

function packed(changed: Readonly<Record<string, string | undefined>>, ofManifest: object = {}, bytes = 1_000) {
  const present = Object.fromEntries(Object.entries({ ...files, ...changed }).filter(([, text]) => text !== undefined));
  return {
    name: "@tollgate/redis",
    folder: "redis",
    tarball: Buffer.alloc(bytes),
    manifest: { ...manifest, ...ofManifest },
    files: Object.keys(present),
    read: (path: string) => present[path] ?? "",
  };
}

it("a package that is ready has no problems", () => {
  expect(checkFiles(packed({}))).toEqual([]);
  expect(checkManifest(packed({}), "1.2.3")).toEqual([]);
});

it.each([
  ["a page is missing", packed({ LICENSE: undefined }), "does not contain LICENSE"],
  ["an import leads nowhere", packed({ "dist/chunk.js": undefined }), "does not contain dist/chunk.js"],
  ["declarations are missing", packed({ "dist/types/a.d.ts": undefined }), "does not contain dist/types/a.d.ts"],
  ["no entry reaches a file", packed({ "dist/old.js": "" }), "contains dist/old.js, which no entry reaches"],
  ["no entry reaches declarations", packed({ "dist/old.d.ts": "" }), "contains dist/old.d.ts, which no entry reaches"],
  ["a link is relative", packed({ "README.md": "[a](../../docs/a.md)" }), "links to ../../docs/a.md"],
  ["the changelog lacks the version", packed({ "CHANGELOG.md": "# a\n" }), "has no section 1.2.3"],
  ["the tarball is too large", packed({}, {}, tarballBytes + 1), `has ${tarballBytes + 1} bytes`],
])("the check of the files reports that %s", (_what, one, problem) => {
  expect(checkFiles(one)).toEqual([expect.stringContaining(problem)]);
});

it.each([
  ["a member differs", { author: "Somebody" }, 'set `author` of package.json to "Tollgate contributors"'],
  ["provenance is off", { publishConfig: { access: "public" } }, "set `publishConfig` of package.json"],
  ["there are no keywords", { keywords: [] }, "set `keywords` of package.json"],
  ["package.json is not exported", { exports: { ".": "./dist/index.js" } }, "export ./package.json"],
  ["a version differs", { version: "1.2.4" }, 'set `version` of package.json to "1.2.3"'],
  ["a range differs", { dependencies: { "@tollgate/core": "^1.0.0" } }, "depends on @tollgate/core ^1.0.0"],
  [
    "only the workspace resolves it",
    { optionalDependencies: { a: "workspace:^" } },
    "what only the workspace resolves",
  ],
])("the check of the manifest reports that %s", (_what, changed, problem) => {
  expect(checkManifest(packed({}, changed), "1.2.3")).toEqual([expect.stringContaining(problem)]);
});

it("the check of the manifest reports a package that changesets do not release", () => {
  const problems = checkManifest({ ...packed({}), name: "@tollgate/other" }, "1.2.3");
  expect(problems).toEqual(["add it to `fixed` in .changeset/config.json"]);
});
