import { existsSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { SourceMap } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The inline-cache misses that V8 logged with `--log-ic`. */
export interface MissLog {
  readonly count: number;
  /** By place in the source: "<file>:<line>:<column> <function> <kind> <property>". */
  readonly sites: ReadonlyMap<string, number>;
}

/** Reads a log of V8. Only misses of code whose creation it has too get a place in the source. */
export async function readMissLog(path: string): Promise<MissLog> {
  const functions = new Map<number, string>();
  const misses = new Map<string, number>();
  const file = await open(path);
  for await (const line of file.readLines()) {
    const [event = "", ...fields] = line.split(",");
    // type, kind, time, address, size, "<name> <url>:<line>:<column>"
    if (event === "code-creation") functions.set(Number(fields[3]), fields[5] ?? "");
    else if (event.endsWith("IC")) {
      // address, time, line, column, state before, state after, map, property
      const [address, , row, column, , state, , property] = fields;
      const miss = [address, row, column, event, state, property].join();
      misses.set(miss, (misses.get(miss) ?? 0) + 1);
    }
  }
  return { count: sum(misses.values()), sites: new Sites(functions).locate(misses) };
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

/** Finds places in the source by the addresses of compiled functions and by source maps. */
class Sites {
  readonly #functions: ReadonlyMap<number, string>;
  readonly #starts: readonly number[];
  readonly #maps = new Map<string, SourceMap | undefined>();

  constructor(functions: ReadonlyMap<number, string>) {
    this.#functions = functions;
    this.#starts = [...functions.keys()].sort((one, other) => one - other);
  }

  locate(misses: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
    const sites = new Map<string, number>();
    for (const [miss, count] of misses) {
      const [address, row, column, kind, state, property] = miss.split(",");
      const { name, url } = this.#functionAt(Number(address));
      const place = this.#original(url, Number(row), Number(column));
      const site = `${place} ${name} ${kind}${state === "N" ? "" : `(${state})`} ${property}`;
      sites.set(site, (sites.get(site) ?? 0) + count);
    }
    return sites;
  }

  #functionAt(address: number): { readonly name: string; readonly url: string } {
    const text = this.#functions.get(lastUpTo(this.#starts, address) ?? -1) ?? "";
    const [, name = "", url = "?"] = /^(.*?) ?([^ ]*):\d+:\d+$/.exec(text) ?? [];
    return { name: name === "" ? "(anonymous)" : name, url };
  }

  #original(url: string, row: number, column: number): string {
    if (!url.startsWith("file:")) return `${url}:${row}:${column}`;
    const path = fileURLToPath(url);
    const entry = this.#mapOf(path)?.findEntry(row - 1, column - 1);
    if (entry === undefined || !("originalSource" in entry)) return `${relative(".", path)}:${row}:${column}`;
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

/** The last of some sorted numbers that is not above another. */
function lastUpTo(sorted: readonly number[], value: number): number | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Infinity) <= value) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1];
}
