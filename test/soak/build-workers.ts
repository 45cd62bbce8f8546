import { fileURLToPath } from "node:url";
import { bundleWorkers } from "../support/bundle-workers.ts";

/** The program that serves a gateway, as {@link setup} builds it. */
export const gatewayProgram = fileURLToPath(new URL("dist/gateway-process.cjs", import.meta.url));

/** Builds the process of a gateway from source before the soak. */
export default async function setup(): Promise<void> {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  await bundleWorkers({ entry: [`${folder}gateway/gateway-process.ts`], outDir: `${folder}dist` });
}
