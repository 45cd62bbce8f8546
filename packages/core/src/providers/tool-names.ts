import { derivedText } from "./derived-text.ts";

/** The names of the tools of one request that are too long for its upstream, with the shorter names that it gets. */
export class ToolNames {
  readonly #length: number;
  readonly #longNames = new Map<string, string>();

  /** `length` is the most characters of a name; at least 16. */
  constructor(length: number) {
    this.#length = length;
  }

  /** True if no name was shortened. */
  get isEmpty(): boolean {
    return this.#longNames.size === 0;
  }

  /** Returns a name that the upstream accepts. It is the same in each turn, so that prompt caches hold. */
  shorten(name: string): string {
    if (name.length <= this.#length) return name;
    const suffix = `_${derivedText(name)}`;
    const short = name.slice(0, this.#length - suffix.length) + suffix;
    this.#longNames.set(short, name);
    return short;
  }

  /** Returns the name that the client knows. */
  restore(name: string): string {
    return this.#longNames.get(name) ?? name;
  }
}
