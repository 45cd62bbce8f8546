import { defineConfig } from "vite";
import { embedPage } from "./embed-page.ts";
import { serveFixtures } from "./fixtures/serve-fixtures.ts";

/** Builds the page into `src/page` as a module of strings. `vite packages/dashboard/page` serves it with fixtures. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  publicDir: false,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2023",
    modulePreload: false,
    reportCompressedSize: false,
    write: false,
    assetsInlineLimit: 0,
  },
  plugins: [embedPage(), serveFixtures()],
});
