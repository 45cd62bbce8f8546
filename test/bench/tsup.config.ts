import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["main", "load-process", "upstream-process", "contender-process"].map((name) => `test/bench/${name}.ts`),
  outDir: "test/bench/dist",
  format: "esm",
  target: "node20",
  platform: "node",
  external: [/^[^./]/],
  clean: true,
});
