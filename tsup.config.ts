import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "tsup";

const packages = readdirSync("packages").map((name) => ({
  name,
  entry: sourcesExportedBy(`packages/${name}`),
  outDir: `packages/${name}/dist`,
}));

function sourcesExportedBy(folder: string): string[] {
  const { exports } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  return Object.values<Record<string, string>>(exports).map((entry) => `${folder}/${entry["@tollgate/source"]}`);
}

export default defineConfig([
  ...packages.map((each) => ({
    ...each,
    format: "esm" as const,
    target: "node20",
    platform: "neutral" as const,
    skipNodeModulesBundle: true,
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
