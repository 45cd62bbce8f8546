import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "tsup";

const packages = readdirSync("packages").map((name) => ({
  name,
  entry: sourcesExportedBy(`packages/${name}`),
  outDir: `packages/${name}/dist`,
  platform: "neutral" as const,
}));

const quickstart = {
  name: "quickstart",
  entry: ["examples/quickstart/src/main.ts"],
  outDir: "examples/quickstart/dist",
  platform: "node" as const,
};

function sourcesExportedBy(folder: string): string[] {
  const { exports } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  return Object.values<Record<string, string>>(exports).map((entry) => `${folder}/${entry["@tollgate/source"]}`);
}

export default defineConfig(
  [...packages, quickstart].map((each) => ({
    ...each,
    format: "esm",
    target: "node20",
    skipNodeModulesBundle: true,
    treeshake: true,
    sourcemap: true,
    dts: false,
    tsconfig: "tsconfig.base.json",
  })),
);
