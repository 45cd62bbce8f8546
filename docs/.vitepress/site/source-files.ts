import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vitepress";

const prefix = "source/";

/** The files of the repository that pages link to. The site serves a copy of each as text. */
export class SourceFiles {
  readonly #files = new Set<string>();
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Adds a file, and returns its address on the site. */
  add(file: string): string {
    this.#files.add(file);
    return `/${prefix}${file}.txt`;
  }

  plugin(): Plugin {
    const read = (file: string) => readFileSync(join(this.#root, file), "utf8");
    const files = this.#files;
    return {
      name: "tollgate:source-files",
      configureServer({ middlewares }) {
        middlewares.use((request, response, next) => {
          const file = request.url?.split("?")[0]?.slice(`/${prefix}`.length, -".txt".length) ?? "";
          if (!files.has(file)) return next();
          response.setHeader("content-type", "text/plain; charset=utf-8").end(read(file));
        });
      },
      generateBundle() {
        for (const file of files)
          this.emitFile({ type: "asset", fileName: `${prefix}${file}.txt`, source: read(file) });
      },
    };
  }
}
