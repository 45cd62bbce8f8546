import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Finds places of built files in their sources, by source maps. */
export class SourcePlaces {
  readonly #maps = new Map<string, SourceMap | undefined>();

  /** Returns "<file>:<line>:<column>" of a place in a script. Lines and columns begin at 1. */
  find(url: string, line: number, column: number): string {
    if (!url.startsWith("file:")) return `${url}:${line}:${column}`;
    const path = fileURLToPath(url);
    const entry = this.#mapOf(path)?.findEntry(line - 1, column - 1);
    if (entry === undefined || !("originalSource" in entry)) return `${relative(".", path)}:${line}:${column}`;
    const source = relative(".", resolve(dirname(path), entry.originalSource));
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  }

  #mapOf(path: string): SourceMap | undefined {
    const file = `${path}.map`;
    if (!this.#maps.has(file)) {
      this.#maps.set(file, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, "utf8"))) : undefined);
    }
    return this.#maps.get(file);
  }
}
