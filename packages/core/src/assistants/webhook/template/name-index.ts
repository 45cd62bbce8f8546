/** Names of variables, grouped by their first character so that few are compared with a position in a text. */
export class NameIndex {
  readonly #byFirst = new Map<number, string[]>();

  constructor(...lists: readonly (readonly string[])[]) {
    for (const names of lists) for (const name of names) this.#add(name);
  }

  /**
   * The longest name at a position of a text that ends by `limit`. Names that are not longer than `shorter` are left
   * out, and so are those that `allows` refuses.
   */
  longestAt(
    text: string,
    at: number,
    limit: number,
    shorter: string | undefined,
    allows: (name: string) => boolean = () => true,
  ): string | undefined {
    let longest = shorter;
    for (const name of this.#byFirst.get(text.charCodeAt(at)) ?? []) {
      const end = at + name.length;
      if (end > limit || name.length <= (longest?.length ?? 0) || !allows(name)) continue;
      // Names that begin alike mostly end differently, which costs less to see than to compare them.
      const last = name.length - 1;
      if (text.charCodeAt(at + last) === name.charCodeAt(last) && text.startsWith(name, at)) longest = name;
    }
    return longest;
  }

  /** All names with which a text begins, in no order. */
  prefixesOf(text: string): readonly string[] {
    return (this.#byFirst.get(text.charCodeAt(0)) ?? []).filter((name) => text.startsWith(name));
  }

  #add(name: string): void {
    if (name === "") return;
    const first = name.charCodeAt(0);
    const others = this.#byFirst.get(first);
    if (others === undefined) this.#byFirst.set(first, [name]);
    else others.push(name);
  }
}
