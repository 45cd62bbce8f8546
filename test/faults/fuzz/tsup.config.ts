import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "tsup";

const folder = "test/faults/fuzz";
const targets = readdirSync(folder).filter(
  (file) => file.endsWith(".ts") && /^ *fuzzed\(/m.test(readFileSync(`${folder}/${file}`, "utf8")),
);

/**
 * Bundles each file with targets, so that Vitest runs it as one module. In modules of their own, every use of an import is a
 * call, which takes as long as the code under test.
 */
export default defineConfig({
  entry: Object.fromEntries(targets.map((file) => [file.replace(/ts$/, "test"), `${folder}/${file}`])),
  outDir: `${folder}/dist`,
  format: "esm",
  target: "node20",
  platform: "node",
  tsconfig: "test/tsconfig.json",
  splitting: false,
  sourcemap: true,
  clean: true,
  external: ["vitest"],
  noExternal: [/^(?!vitest$)/],
  esbuildOptions: (options) => {
    options.conditions = ["@tollgate/source"];
  },
});
