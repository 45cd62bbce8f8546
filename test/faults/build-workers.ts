import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { bundleWorkers } from "../support/bundle-workers.ts";
import { hostNames, workerNames } from "./processes/worker-path.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const outDir = `${folder}dist`;

/** Builds the processes of the fault tests before them: the workers from source, and the hosts to import built packages. */
export default async function setup(): Promise<void> {
  await bundleWorkers({ entry: workerNames.map(pathOf), outDir });
  await build({
    config: false,
    silent: true,
    entry: hostNames.map(pathOf),
    outDir,
    format: "esm",
    target: "node20",
    platform: "node",
    tsconfig: `${folder}../tsconfig.json`,
    external: [/^[^./]/],
  });
}

const pathOf = (name: string): string => `${folder}processes/${name}.ts`;
