import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { workerNames } from "./processes/worker-path.ts";

/** Builds the workers from source before the fault tests. */
export default async function setup(): Promise<void> {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  await build({
    config: false,
    silent: true,
    entry: workerNames.map((name) => `${folder}processes/${name}.ts`),
    outDir: `${folder}dist`,
    format: "cjs",
    target: "node20",
    platform: "node",
    tsconfig: `${folder}../tsconfig.json`,
    // A bundle starts much faster. @photostructure/sqlite stays external because it loads its native library by path.
    noExternal: [/^(?!@photostructure)/],
    external: ["@photostructure/sqlite"],
    esbuildOptions: (options) => {
      options.conditions = ["@tollgate/source"];
    },
  });
}
