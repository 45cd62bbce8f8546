/** Names of variables, grouped by first character so that few comparisons are needed per position of a text. */
export class NameIndex {
  readonly #byFirst = new Map<number, string[]>();

  constructor(...lists: readonly (readonly string[])[]) {
    for (const names of lists) for (const name of names) this.#add(name);
  }

  /**
   * Returns the longest name at a position of a text that ends by `limit`, is longer than `shorter`, and satisfies
   * `isAllowed`. Returns `shorter` if there is none.
   */
  longestAt(
    text: string,
    at: number,
    limit: number,
    shorter: string | undefined,
    isAllowed: (name: string) => boolean = () => true,
  ): string | undefined {
    let longest = shorter;
    for (const name of this.#byFirst.get(text.charCodeAt(at)) ?? []) {
      const end = at + name.length;
      if (end > limit || name.length <= (longest?.length ?? 0) || !isAllowed(name)) continue;
      // Comparing the last character first rejects most names with a common prefix.
      const last = name.length - 1;
      if (text.charCodeAt(at + last) === name.charCodeAt(last) && text.startsWith(name, at)) longest = name;
    }
    return longest;
  }

  /** Returns all names that are prefixes of a text, in no particular order. */
  prefixesOf(text: string): readonly string[] {
    return (this.#byFirst.get(text.charCodeAt(0)) ?? []).filter((name) => text.startsWith(name));
  }

  #add(name: string): void {
    const first = name.charCodeAt(0);
    const others = this.#byFirst.get(first);
    if (others === undefined) this.#byFirst.set(first, [name]);
    else others.push(name);
  }
}
