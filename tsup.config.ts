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

export default defineConfig(
  packages.map((each) => ({
    ...each,
    format: "esm",
    target: "node20",
    platform: "neutral",
    skipNodeModulesBundle: true,
    treeshake: true,
    sourcemap: true,
    dts: false,
    tsconfig: "tsconfig.base.json",
  })),
);
