import { readFile } from "node:fs/promises";
import { SourcePlaces } from "./source-places.ts";

/** Figures by place in the source: "<file>:<line>:<column> <name>". */
export type BySite = ReadonlyMap<string, number>;

/**
 * Reads the inline-cache misses that V8 has logged with `--log-ic` after so many bytes. Only misses of code whose creation is
 * in the log too have a place in the source.
 */
export async function readMisses(log: string, offset: number): Promise<BySite> {
  const text = await readFile(log, "latin1");
  const misses = new Map<string, number>();
  for (const line of text.slice(offset).split("\n")) {
    // kind, address, time, line, column, state before, state after, map, property
    const [kind = "", address, , row, column, , state, , property] = line.split(",");
    if (!kind.endsWith("IC") || property === undefined) continue;
    const miss = [address, row, column, kind, state, property].join();
    misses.set(miss, (misses.get(miss) ?? 0) + 1);
  }
  return locate(misses, new Functions(text));
}

function locate(misses: BySite, functions: Functions): BySite {
  const places = new SourcePlaces();
  const sites = new Map<string, number>();
  for (const [miss, count] of misses) {
    const [address, row, column, kind, state, property] = miss.split(",");
    const { name, url } = functions.at(Number(address));
    const place = places.find(url, Number(row), Number(column));
    const site = `${place} ${name} ${kind}${state === "N" ? "" : `(${state})`} ${property}`;
    sites.set(site, (sites.get(site) ?? 0) + count);
  }
  return sites;
}

/** The functions that a log names, by the addresses of their code. */
class Functions {
  readonly #names = new Map<number, string>();
  readonly #starts: readonly number[];

  constructor(log: string) {
    // type, kind, time, address, size, "<name> <url>:<line>:<column>"
    for (const [, address, name = ""] of log.matchAll(/^code-creation,[^,]*,[^,]*,[^,]*,([^,]*),[^,]*,([^,]*)/gm)) {
      this.#names.set(Number(address), name);
    }
    this.#starts = [...this.#names.keys()].sort((a, b) => a - b);
  }

  at(address: number): { readonly name: string; readonly url: string } {
    const text = this.#names.get(lastUpTo(this.#starts, address) ?? -1) ?? "";
    const [, name = "", url = "?"] = /^(.*?) ?([^ ]*):\d+:\d+$/.exec(text) ?? [];
    return { name: name === "" ? "(anonymous)" : name, url };
  }
}

/** Returns the last of some sorted numbers that is not above another. */
function lastUpTo(sorted: readonly number[], value: number): number | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Number.POSITIVE_INFINITY) <= value) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1];
}
