import { defineConfig } from "vite";
import { pageBuild } from "../../page-kit/vite/build-page.ts";

/** Builds the page into `src/page` as a module of strings. */
export default defineConfig(pageBuild(import.meta.dirname));
