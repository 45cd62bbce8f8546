import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { defineConfig, type Options } from "tsup";

/** A package that is private to the workspace is bundled by Vite. */
const isPublished = (name: string): boolean =>
  JSON.parse(readFileSync(`packages/${name}/package.json`, "utf8")).private !== true;

const packages = readdirSync("packages")
  .filter(isPublished)
  .map((name) => ({
    name,
    entry: entriesOf(`packages/${name}`),
    outDir: `packages/${name}/dist`,
  }));

/** What a package exports and imports by condition, and the `src/main.ts` that a package with a `bin` starts. */
function entriesOf(folder: string): string[] {
  const { exports, imports = {}, bin } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const exported = Object.values<Record<string, string> | string>(exports).flatMap((entry) =>
    typeof entry === "string" ? [] : [entry["@tollgate/source"]],
  );
  const imported = Object.values<Record<string, Record<string, string>>>(imports).flatMap((entry) =>
    Object.values(entry["@tollgate/source"] ?? {}),
  );
  return [...exported, ...new Set(imported), ...(bin === undefined ? [] : ["src/main.ts"])].map(
    (source) => `${folder}/${source}`,
  );
}

/** Removes the comments that name source maps, because bundlers warn of maps that are not in the package. */
const unnamedMaps: NonNullable<Options["plugins"]>[number] = {
  name: "unnamed maps",
  buildEnd: ({ writtenFiles }) => {
    for (const { name } of writtenFiles.filter((file) => file.name.endsWith(".js")))
      writeFileSync(name, readFileSync(name, "utf8").replace(/^\/\/# sourceMappingURL=.*\n?/gm, ""));
  },
};

const examples = {
  quickstart: ["main.ts", "tollgate.config.ts"],
  cluster: ["main.ts", "container.ts"],
  "first-app": ["app.ts"],
  packages: readdirSync("examples/packages/src"),
  prometheus: ["main.ts"],
};

/** The servers of examples/hosts that need no packages from outside the workspace. */
const hosts = {
  name: "hosts",
  entry: ["express", "fastify", "hono-node", "koa", "h3-v2", "node-http", "http2", "h2c"].map(
    (name) => `examples/hosts/${name}/server.ts`,
  ),
  outDir: "examples/hosts/dist",
  format: "esm" as const,
  splitting: false,
  target: "node20",
  platform: "node" as const,
  skipNodeModulesBundle: true,
  removeNodeProtocol: false,
  dts: false,
  tsconfig: "tsconfig.base.json",
};
/** The server of Express once more, on version 4. */
const express4: Options = {
  ...hosts,
  name: "hosts on Express 4",
  entry: ["examples/hosts/express/server.ts"],
  outDir: "examples/hosts/dist/express-4",
  esbuildPlugins: [
    {
      name: "express 4",
      setup: (build) =>
        build.onLoad({ filter: /express.server\.ts$/ }, ({ path }) => ({
          contents: readFileSync(path, "utf8").replace('from "express"', 'from "express4"'),
          loader: "ts",
        })),
    },
  ],
};

/** The program that writes the JSON Schema of an assistant, and its one run. */
const jsonSchema = {
  name: "assistant.schema.json",
  entry: ["packages/assistants/schema/write-assistant-schema.ts"],
  outDir: "packages/assistants/schema/dist",
  format: "esm" as const,
  target: "node20",
  platform: "node" as const,
  skipNodeModulesBundle: true,
  // It runs while the packages are built, so it contains the sources that it uses of them.
  noExternal: [/^@tollgate\//],
  esbuildOptions(options: { conditions?: string[] }) {
    options.conditions = ["@tollgate/source"];
  },
  removeNodeProtocol: false,
  dts: false,
  tsconfig: "tsconfig.base.json",
  onSuccess: "node packages/assistants/schema/dist/write-assistant-schema.js",
};

/** The programs that `node scripts/openapi.mjs` runs. */
const openApi = {
  ...jsonSchema,
  name: "openapi",
  entry: ["packages/core/schema/openapi/write-document.ts"],
  outDir: "packages/core/schema/dist",
  onSuccess: undefined,
};
const sessionsApi = {
  ...openApi,
  name: "sessions openapi",
  entry: ["packages/assistants/schema/openapi/write-document.ts"],
  outDir: "packages/assistants/schema/dist",
};
const managementApi = {
  ...openApi,
  name: "management openapi",
  entry: ["packages/management/openapi/write-document.ts"],
  outDir: "packages/management/openapi/dist",
};

export default defineConfig([
  jsonSchema,
  openApi,
  sessionsApi,
  managementApi,
  hosts,
  express4,
  ...packages.map((each) => ({
    ...each,
    format: "esm" as const,
    target: "node20",
    platform: "neutral" as const,
    skipNodeModulesBundle: true,
    removeNodeProtocol: false,
    treeshake: true,
    // Tests read the maps. They are not published.
    sourcemap: true,
    plugins: [unnamedMaps],
    // The names of chunks change with their content. Other programs write the rest.
    clean: ["!**/*.json", "!**/*.d.ts"],
    dts: false,
    tsconfig: "tsconfig.base.json",
  })),
  ...Object.entries(examples).map(([name, sources]) => ({
    name,
    entry: sources.map((source) => `examples/${name}/src/${source}`),
    outDir: `examples/${name}/dist`,
    format: "esm" as const,
    target: "node20",
    platform: "node" as const,
    skipNodeModulesBundle: true,
    removeNodeProtocol: false,
    sourcemap: true,
    dts: false,
    tsconfig: "tsconfig.base.json",
  })),
]);
