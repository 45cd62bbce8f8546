import { defineConfig } from "vite";
import { pageBuild } from "../../page-kit/vite/build-page.ts";
import { serveFixtures } from "./fixtures/answer-node.ts";

const build = pageBuild(import.meta.dirname);

/** Builds the page into `src/page` as a module of strings. `vite packages/dashboard/page` serves it with fixtures. */
export default defineConfig({ ...build, plugins: [...build.plugins, serveFixtures()] });
