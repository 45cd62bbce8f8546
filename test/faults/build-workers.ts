import { fileURLToPath } from "node:url";
import { build, type Options } from "tsup";
import { hostNames, workerNames } from "./processes/worker-path.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));

const common: Options = {
  config: false,
  silent: true,
  outDir: `${folder}dist`,
  target: "node20",
  platform: "node",
  tsconfig: `${folder}../tsconfig.json`,
};

/** Builds the processes of the fault tests before them: the workers from source, and the hosts to import built packages. */
export default async function setup(): Promise<void> {
  await build({
    ...common,
    entry: workerNames.map(pathOf),
    format: "cjs",
    // A bundle starts much faster. @photostructure/sqlite stays external because it loads its native library by path.
    noExternal: [/^(?!@photostructure)/],
    external: ["@photostructure/sqlite"],
    esbuildOptions: (options) => {
      options.conditions = ["@tollgate/source"];
    },
  });
  await build({ ...common, entry: hostNames.map(pathOf), format: "esm", external: [/^[^./]/] });
}

const pathOf = (name: string): string => `${folder}processes/${name}.ts`;
