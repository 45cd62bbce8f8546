import type { Json } from "@tollgate/core/provider";
import type { VariableSource } from "@tollgate/core/store";
import type { UsedVariable, VariableSources } from "../../definition/compiled-webhook.ts";
import { imageNameAt, isBareKey, isPathFrom, mayExtend } from "./grammar.ts";
import type { WriteValue } from "./value-forms.ts";

const systemNames = ["session.id", "company.id", "assistant.id", "images"];

/** The names that are known before rendering. */
interface KnownNames {
  readonly properties: ReadonlySet<string>;
  readonly index: NameIndex;
}

/** The source and value of a name. The value of a declared name or an image is undefined when there is none. */
interface Found {
  readonly source: VariableSource;
  readonly value: Json | undefined;
}

/** Indexes the names that are known when a webhook is configured. */
export function knownNames(properties: readonly string[], secrets: readonly string[]): KnownNames {
  return { properties: new Set(properties), index: new NameIndex(systemNames, properties, secrets) };
}

/** Looks up the variables of one rendering, and records which were used and which are unresolved. */
export class Scope {
  readonly #sources: VariableSources;
  readonly #known: KnownNames;
  readonly #found = new Map<string, Found>();
  /** Each used variable once, in the order of first use. The value is null if there is none. */
  readonly used: UsedVariable[] = [];
  readonly #unresolved = new Set<string>();
  readonly #written = new Map<WriteValue, Map<Json | undefined, string>>();
  #keys: NameIndex | undefined;

  constructor(sources: VariableSources, known: KnownNames) {
    this.#sources = sources;
    this.#known = known;
  }

  /** Unknown names, in the order of their occurrence. */
  get unresolved(): readonly string[] {
    return [...this.#unresolved];
  }

  /** Returns the longest known name at `at` that ends by `limit`. The brackets of an image may extend beyond it. */
  nameAt(text: string, at: number, limit: number): string | undefined {
    const fixed = this.#known.index.longestAt(text, at, limit, imageNameAt(text, at));
    const isAllowed = fixed === undefined ? undefined : (key: string) => mayExtend(key, fixed);
    return this.#bareKeys.longestAt(text, at, limit, fixed, isAllowed);
  }

  /**
   * Returns all known names that are prefixes of the text between braces, longest first. A key of client data is skipped
   * when the text could instead be a path into a configured name.
   */
  namesIn(words: string): readonly string[] {
    const image = imageNameAt(words, 0);
    const index = this.#known.index.prefixesOf(words);
    const fixed = image === undefined ? index : [...index, image];
    const withPath = fixed.filter((name) => isPathFrom(words, name.length));
    const keys = Object.keys(this.#sources.clientData).filter(
      (key) => words.startsWith(key) && withPath.every((name) => key.length <= name.length || mayExtend(key, name)),
    );
    return [...fixed, ...keys].sort((a, b) => b.length - a.length);
  }

  /** Returns the value of a name without recording its use. */
  peek(name: string): Json | undefined {
    return this.#find(name)?.value;
  }

  /** Records a name as unresolved. */
  markUnresolved(name: string): undefined {
    this.#unresolved.add(name);
  }

  /** Returns the value of a name and records its use; undefined when the name has no value or is unknown. */
  use(name: string): Json | undefined {
    const before = this.#found.get(name);
    if (before !== undefined) return before.value;
    const found = this.#find(name);
    if (found === undefined) return this.markUnresolved(name);
    this.#found.set(name, found);
    this.used.push({ name, source: found.source, value: found.value ?? null });
    return found.value;
  }

  /** Writes a value, once for each way to write it, because a template may repeat a variable thousands of times. */
  write(value: Json | undefined, write: WriteValue): string {
    const written = this.#written.get(write) ?? new Map<Json | undefined, string>();
    this.#written.set(write, written);
    const text = written.get(value) ?? write(value);
    written.set(value, text);
    return text;
  }

  /** The keys of client data that can be variables without braces. */
  get #bareKeys(): NameIndex {
    this.#keys ??= new NameIndex(Object.keys(this.#sources.clientData).filter(isBareKey));
    return this.#keys;
  }

  #find(name: string): Found | undefined {
    const { secrets, clientData } = this.#sources;
    if (imageNameAt(name, 0) === name) return { source: "system", value: this.#system(name) };
    if (systemNames.includes(name)) return found("system", this.#system(name));
    const isDeclared = this.#known.properties.has(name) || this.#sources.declared.includes(name);
    return (
      found("secret", ownMember(secrets, name)) ??
      (isDeclared ? found("argument", ownMember(this.#sources.arguments, name)) : undefined) ??
      found("client_data", ownMember(clientData, name)) ??
      (isDeclared ? { source: "argument", value: undefined } : undefined)
    );
  }

  #system(name: string): Json | undefined {
    const { images, system } = this.#sources;
    if (name === "images") return images;
    return name.startsWith("images[") ? ownItem(images, name.slice("images[".length, -1)) : ownMember(system, name);
  }
}

function found(source: VariableSource, value: Json | undefined): Found | undefined {
  return value === undefined ? undefined : { source, value };
}

/** Names of variables, grouped by first character so that few comparisons are needed per position of a text. */
class NameIndex {
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

/** Returns an own member of an object, never an inherited one. */
export function ownMember(values: { readonly [name: string]: Json }, name: string | undefined): Json | undefined {
  return name !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Returns the item of an array at an index, which is given in decimal digits without leading zeros. */
export function ownItem(values: readonly Json[], digits: string | undefined): Json | undefined {
  return digits !== undefined && Object.hasOwn(values, digits) ? values[Number(digits)] : undefined;
}
