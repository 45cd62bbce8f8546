import { readdirSync } from "node:fs";
import { defineConfig } from "tsup";

const packages = readdirSync("packages").map((name) => ({
  name,
  entry: [`packages/${name}/src/index.ts`],
  outDir: `packages/${name}/dist`,
}));

export default defineConfig([
  ...packages.map((each) => ({
    ...each,
    format: "esm" as const,
    target: "node20",
    platform: "neutral" as const,
    treeshake: true,
    sourcemap: true,
    dts: false,
    tsconfig: "tsconfig.base.json",
  })),
  {
    name: "quickstart",
    entry: ["examples/quickstart/src/main.ts"],
    outDir: "examples/quickstart/dist",
    format: "esm" as const,
    target: "node20",
    platform: "node" as const,
    skipNodeModulesBundle: true,
    sourcemap: true,
    dts: false,
    tsconfig: "tsconfig.base.json",
  },
]);
