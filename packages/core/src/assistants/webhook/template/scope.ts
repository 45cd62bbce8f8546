import type { VariableSource } from "../../../ports/webhook-log.ts";
import type { Json } from "../../../wire/json.ts";
import type { UsedVariable } from "../../definition/compiled-webhook.ts";
import type { VariableSources } from "../../definition/variables.ts";
import { imageNameAt, isBareKey, isPathFrom, mayExtend } from "./grammar.ts";
import { NameIndex } from "./name-index.ts";
import { ownItem, ownMember } from "./own-value.ts";

const systemNames = ["session.id", "company.id", "assistant.id", "images"];

/** What of the names is known before any rendering. */
export interface KnownNames {
  readonly properties: ReadonlySet<string>;
  readonly index: NameIndex;
}

/** A name's value and its source; undefined when the name is declared, or an image, and has no value. */
interface Found {
  readonly source: VariableSource;
  readonly value: Json | undefined;
}

/** Prepares the names that are known when a webhook is configured. */
export function knownNames(properties: readonly string[], secrets: readonly string[]): KnownNames {
  return { properties: new Set(properties), index: new NameIndex(systemNames, properties, secrets) };
}

/** The variables of one rendering: looks them up by name, and keeps which were used and which were not to be found. */
export class Scope {
  readonly #sources: VariableSources;
  readonly #known: KnownNames;
  readonly #found = new Map<string, Found>();
  /** Each variable once, in the order of first use; one that has no value is null. */
  readonly used: UsedVariable[] = [];
  readonly #unresolved = new Set<string>();
  #keys: NameIndex | undefined;

  constructor(sources: VariableSources, known: KnownNames) {
    this.#sources = sources;
    this.#known = known;
  }

  /** Names that nobody knows, in the order in which they stand. */
  get unresolved(): readonly string[] {
    return [...this.#unresolved];
  }

  /** The longest known name that stands at a place and ends by `limit`; the brackets of an image may go beyond it. */
  nameAt(text: string, at: number, limit: number): string | undefined {
    const fixed = this.#known.index.longestAt(text, at, limit, imageNameAt(text, at));
    const allows = fixed === undefined ? undefined : (key: string) => mayExtend(key, fixed);
    return this.#bareKeys.longestAt(text, at, limit, fixed, allows);
  }

  /**
   * All known names with which the words between braces begin, longest first. Keys of client data are left out when
   * they would take the place of a path into a name of the configuration.
   */
  namesIn(words: string): readonly string[] {
    const image = imageNameAt(words, 0);
    const index = this.#known.index.prefixesOf(words);
    const fixed = image === undefined ? index : [...index, image];
    const claims = fixed.filter((name) => isPathFrom(words, name.length));
    const keys = Object.keys(this.#sources.clientData).filter(
      (key) => words.startsWith(key) && claims.every((name) => key.length <= name.length || mayExtend(key, name)),
    );
    return [...fixed, ...keys].sort((a, b) => b.length - a.length);
  }

  /** The value of a name without a use of it. */
  peek(name: string): Json | undefined {
    return this.#find(name)?.value;
  }

  /** Notes a name that nothing gives a value to. */
  miss(name: string): undefined {
    this.#unresolved.add(name);
  }

  /** Uses a name: its value, or undefined when it has none or nobody knows it. */
  use(name: string): Json | undefined {
    const before = this.#found.get(name);
    if (before !== undefined) return before.value;
    const found = this.#find(name);
    if (found === undefined) return this.miss(name);
    this.#found.set(name, found);
    this.used.push({ name, source: found.source, value: found.value ?? null });
    return found.value;
  }

  /** The keys of client data that are variables without braces. */
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
