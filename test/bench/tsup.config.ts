import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["main", "load-process", "upstream-process", "contender-process"].map((name) => `test/bench/${name}.ts`),
  outDir: "test/bench/dist",
  format: "esm",
  target: "node20",
  platform: "node",
  external: [/^[^./]/],
  // What core alone depends on cannot be found from here.
  noExternal: ["@cfworker/json-schema", "@remix-run/multipart-parser", "@whatwg-node/fetch", "lru-cache", "valibot"],
  clean: true,
});
