import { builtinModules } from "node:module";
import { join, resolve } from "node:path";
import { type BuildOptions, build } from "esbuild";
import type { BundledWorker } from "./workerd-config.ts";

const sources = join(import.meta.dirname, "hosts");

/** The folder of the built hosts. The packages are found from it as from a host of a customer. */
export const built = join(import.meta.dirname, "dist");

/** The program for Node, Bun and Deno. */
export const processHost = join(built, "process.mjs");

/** The workers by what each serves, with their sources and bundles, and whether they use the Node modules of workerd. */
export const workers = [
  own("fetch", "fetch", false),
  own("Hono", "hono", false),
  own("node:http", "node-http", true),
  own("Express", "express", true),
  own("Fastify", "fastify", true),
  own("probes", "probes", true),
  own("shared gateway", "shared", false),
  {
    name: "example",
    source: resolve("examples/mounts/src/worker.ts"),
    bundle: join(built, "worker.js"),
    usesNode: true,
  },
];

/** Builds the hosts. A process imports the built packages; a worker is bundled with them. */
export async function buildHosts(): Promise<void> {
  await Promise.all([
    build({
      ...common,
      entryPoints: [join(sources, "process.ts")],
      outfile: processHost,
      platform: "node",
      packages: "external",
    }),
    ...workers.map(({ source, bundle, usesNode }) => bundleWorker(source, bundle, usesNode)),
  ]);
}

/** Bundles a worker with its packages, as the tools of Cloudflare do. */
export async function bundleWorker(source: string, bundle: string, usesNode: boolean): Promise<void> {
  await build({
    ...common,
    entryPoints: [source],
    outfile: bundle,
    platform: "browser",
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["browser", "module", "main"],
    ...(usesNode ? withNodeModules : {}),
  });
}

function own(name: string, file: string, usesNode: boolean): BundledWorker & { readonly source: string } {
  return { name, source: join(sources, "workers", `${file}.ts`), bundle: join(built, `${file}.js`), usesNode };
}

const common: BuildOptions = { bundle: true, format: "esm", target: "es2022", logLevel: "error" };

/** Without these, the bundle of a worker that imports a Node module fails. */
const withNodeModules: BuildOptions = {
  external: [...builtinModules, "node:*", "cloudflare:*", "bun:sqlite", "@photostructure/sqlite", "pg-native"],
  // Packages in CommonJS call `require` for the modules of Node.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire("/");' },
};
