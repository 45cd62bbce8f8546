import { builtinModules } from "node:module";
import { basename, join, resolve } from "node:path";
import { type BuildOptions, build } from "esbuild";

const sources = join(import.meta.dirname, "hosts");

/** The folder of the built hosts. The packages are found from it as from a host of a customer. */
export const built = join(import.meta.dirname, "dist");

/** The program for Node, Bun and Deno. */
export const processHost = join(built, "process.mjs");

/** The workers by what each serves, with their sources, and whether they use the Node modules of workerd. */
export const workers = [
  { name: "fetch", source: own("fetch"), usesNode: false },
  { name: "Hono", source: own("hono"), usesNode: false },
  { name: "node:http", source: own("node-http"), usesNode: true },
  { name: "Express", source: own("express"), usesNode: true },
  { name: "Fastify", source: own("fastify"), usesNode: true },
  { name: "probes", source: own("probes"), usesNode: true },
  { name: "shared gateway", source: own("shared"), usesNode: false },
  { name: "example", source: resolve("examples/mounts/src/worker.ts"), usesNode: true },
] as const;

/** Builds the hosts. A process imports the built packages; a worker is bundled with them, as the tools of Cloudflare do. */
export async function buildHosts(): Promise<void> {
  const common: BuildOptions = { bundle: true, format: "esm", target: "es2022", logLevel: "error" };
  await Promise.all([
    build({
      ...common,
      entryPoints: [join(sources, "process.ts")],
      outfile: processHost,
      platform: "node",
      packages: "external",
    }),
    ...workers.map(({ source, usesNode }) =>
      build({
        ...common,
        entryPoints: [source],
        outfile: bundleOf(source),
        platform: "browser",
        conditions: ["workerd", "worker", "browser"],
        mainFields: ["browser", "module", "main"],
        ...(usesNode ? withNodeModules : {}),
      }),
    ),
  ]);
}

/** The bundle of a worker. */
export const bundleOf = (source: string): string => join(built, `${basename(source, ".ts")}.js`);

function own(name: string): string {
  return join(sources, "workers", `${name}.ts`);
}

/** Without these, the bundle of a worker that imports a Node module fails. */
const withNodeModules: BuildOptions = {
  external: [...builtinModules, "node:*", "cloudflare:*", "bun:sqlite", "@photostructure/sqlite", "pg-native"],
  // Packages in CommonJS call `require` for the modules of Node.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire("/");' },
};
