import type { Json } from "../../wire/json.ts";
import type { UsedVariable } from "../compiled-webhook.ts";
import type { VariableSource, VariableSources } from "../variables.ts";
import { imageNameAt } from "./grammar.ts";
import { NameIndex } from "./name-index.ts";
import { ownItem, ownMember } from "./own-value.ts";

const systemNames = ["session.id", "company.id", "assistant.id", "images"];

/** What of the names is known before any rendering. */
export interface KnownNames {
  readonly properties: ReadonlySet<string>;
  readonly index: NameIndex;
}

/** A name's value and where it comes from; undefined: the trigger declares it, and it has none. */
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
  #index: NameIndex | undefined;

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
    return this.#given.longestAt(text, at, limit, fixed);
  }

  /** All known names with which a text begins, longest first. */
  namesIn(text: string): readonly string[] {
    const image = imageNameAt(text, 0);
    const names = [...this.#known.index.prefixesOf(text), ...this.#given.prefixesOf(text)];
    return (image === undefined ? names : [...names, image]).sort((a, b) => b.length - a.length);
  }

  /** True when a name is known, be it without a value. */
  knows(name: string): boolean {
    return this.#find(name) !== undefined;
  }

  /** The value of a name without a use of it. */
  peek(name: string): Json | undefined {
    return this.#find(name)?.value;
  }

  /** Uses a name: its value, or undefined when it has none or nobody knows it. */
  use(name: string): Json | undefined {
    const before = this.#found.get(name);
    if (before !== undefined) return before.value;
    const found = this.#find(name);
    if (found === undefined) {
      this.#unresolved.add(name);
      return undefined;
    }
    this.#found.set(name, found);
    this.used.push({ name, source: found.source, value: found.value ?? null });
    return found.value;
  }

  /** The names that came with this rendering. */
  get #given(): NameIndex {
    const { declared, secrets, clientData } = this.#sources;
    this.#index ??= new NameIndex(declared, Object.keys(secrets), Object.keys(clientData));
    return this.#index;
  }

  #find(name: string): Found | undefined {
    const { secrets, clientData } = this.#sources;
    if (systemNames.includes(name) || imageNameAt(name, 0) === name) return found("system", this.#system(name));
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
