import { fileURLToPath } from "node:url";
import { build, type Options } from "tsup";

/** The programs to bundle. */
export interface WorkerBundle {
  /** Paths of their sources. */
  readonly entry: readonly string[];
  readonly outDir: string;
  readonly esbuildPlugins?: NonNullable<Options["esbuildPlugins"]>;
}

/**
 * Bundles programs that tests start as processes of their own, each into one CommonJS file. They use the sources of the
 * packages, unless a plugin resolves them to something else.
 */
export async function bundleWorkers({ entry, outDir, esbuildPlugins = [] }: WorkerBundle): Promise<void> {
  await build({
    config: false,
    silent: true,
    entry: [...entry],
    outDir,
    format: "cjs",
    target: "node20",
    platform: "node",
    tsconfig: fileURLToPath(new URL("../tsconfig.json", import.meta.url)),
    // A bundle starts much faster. @photostructure/sqlite stays external because it loads its native library by path.
    noExternal: [/^(?!@photostructure)/],
    external: ["@photostructure/sqlite"],
    esbuildPlugins,
    esbuildOptions: (options) => {
      options.conditions = ["@tollgate/source"];
    },
  });
}
