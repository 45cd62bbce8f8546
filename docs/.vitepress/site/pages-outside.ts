import { createRequire } from "node:module";
import type { Plugin } from "vitepress";

/** Lets pages outside of this folder import Vue, which is installed beside VitePress alone. */
export function pagesOutside(): Plugin {
  const vitepress = createRequire(import.meta.url).resolve("vitepress/package.json");
  return {
    name: "tollgate:pages-outside",
    enforce: "pre",
    resolveId(id, importer, options) {
      if (!/^vue(?:\/|$)/.test(id) || importer === vitepress) return undefined;
      return this.resolve(id, vitepress, { ...options, skipSelf: true });
    },
  };
}
