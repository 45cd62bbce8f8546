import { readdirSync } from "node:fs";
import { defineConfig } from "tsup";

const packages = readdirSync("packages").map((name) => ({
  name,
  entry: [`packages/${name}/src/index.ts`],
  outDir: `packages/${name}/dist`,
}));

export default defineConfig(
  packages.map((each) => ({
    ...each,
    format: "esm",
    target: "node20",
    platform: "neutral",
    treeshake: true,
    sourcemap: true,
    dts: false,
    tsconfig: "tsconfig.base.json",
  })),
);
