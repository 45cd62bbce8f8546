import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./run-command.mjs";
import { digestOf, runUnlessCurrent } from "./run-unless-current.mjs";

const generated = [
  "packages/portal/src/page/page-files.generated.ts",
  "packages/dashboard/src/page/page-files.generated.ts",
  "packages/create-tollgate/src/pieces.generated.ts",
];
const isProgress = true;

/** Writes the sources that are generated: the page of the dashboard, and the files of the apps that `create` writes. */
export function generateSources() {
  const paths = [
    "packages/dashboard/page",
    "packages/page-kit",
    "packages/portal/page",
    "packages/portal/src/texts.ts",
    "packages/create-tollgate/templates",
    "packages/create-tollgate/write-pieces.mjs",
    "test/package.json",
    "biome.json",
    "pnpm-lock.yaml",
  ];
  runUnlessCurrent({
    name: "generated-sources",
    sources: () => digestOf({ paths, except: notCode, by: "contents" }),
    outputs: () => digestOf({ paths: generated, by: "times" }),
    run: () => {
      for (const page of ["dashboard", "portal"])
        run("vite", ["build", "--logLevel", "warn", `packages/${page}/page`], { isProgress });
      run(process.execPath, ["packages/create-tollgate/write-pieces.mjs"], { isProgress });
    },
  });
}

/** Builds the packages and the examples, without types. */
export function buildCode() {
  generateSources();
  const paths = ["packages", "examples", "tsup.config.ts", "tsconfig.base.json", "pnpm-lock.yaml"];
  runUnlessCurrent({
    name: "code",
    sources: () => digestOf({ paths, except: notCode, by: "contents" }),
    outputs: () => digestOf({ paths: builtFolders(), except: /\.(?:d\.ts|tsbuildinfo)$/, by: "times" }),
    run: () => {
      console.error("Building, which takes about half a minute.");
      run("tsup", ["--silent"], { isProgress });
    },
  });
}

/** Writes the declarations of the packages, and checks the types of their sources and of the examples. */
export function buildDeclarations() {
  generateSources();
  const paths = ["packages", "examples", "docs/.vitepress", "rollup.config.mjs", "pnpm-lock.yaml"];
  const settings = ["tsconfig.json", "tsconfig.base.json", "docs/tsconfig.json"];
  runUnlessCurrent({
    name: "declarations",
    sources: () => digestOf({ paths: [...paths, ...settings], except: notCode, by: "contents" }),
    outputs: () => digestOf({ paths: builtFolders(), except: /\.(?:js|json|map|tsbuildinfo)$/, by: "times" }),
    run: () => {
      console.error("Checking types and writing declarations, which takes about half a minute.");
      run(process.execPath, [compiler, "-b"], { isProgress });
      run("rollup", ["--config", "--silent"], { isProgress });
    },
  });
}

/** Checks all types, also those of the tests. */
export function checkTypes() {
  buildDeclarations();
  writeClientTypes();
  run(process.execPath, [compiler, "-p", "test"], { isProgress });
}

/** Writes the types of the clients that the tests generate from the OpenAPI documents. */
function writeClientTypes() {
  const documents = ["packages/core/src/http/openapi/router.json", "packages/management/openapi/management.json"];
  const paths = [...documents, "test/openapi/write-client-types.mjs", "pnpm-lock.yaml"];
  runUnlessCurrent({
    name: "client-types",
    sources: () => digestOf({ paths, by: "contents" }),
    outputs: () =>
      digestOf({
        paths: ["test/openapi/router-types.generated.ts", "test/openapi/management-types.generated.ts"],
        by: "times",
      }),
    run: () => run(process.execPath, ["test/openapi/write-client-types.mjs"], { isProgress }),
  });
}

const compiler = "node_modules/typescript7/bin/tsc";

/** What no build reads: dependencies, what builds write, tests, and pages of the documentation. */
const notCode = /\/(?:node_modules|dist|\.declarations|\.vitepress\/cache)$|\.(?:test\.tsx?|md|tsbuildinfo)$/;

/** The folders to which the builds write. */
function builtFolders() {
  const folders = ["packages", "examples"].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => `${parent}/${name}/dist`),
  );
  return [
    ...folders,
    "packages/core/schema/dist",
    "packages/assistants/schema/dist",
    "packages/management/openapi/dist",
  ];
}
