import type { Expected } from "./expected-values.ts";
import { endsIn, foldKey, foldName, isSpelling } from "./fold-key.ts";
import { fileReferences, neverInspected } from "./inspected-names.ts";
import { hashName, isKey } from "./json-members.ts";
import type { Watch } from "./open-object.ts";

/** A name that is inspected in the objects of a shape. */
export interface InspectedName {
  readonly name: string;
  readonly isRefused: boolean;
  /** True for the name whose value says the type of its object. */
  readonly isType: boolean;
  /** A unique bit among the checked names of its shape; 0 for any other. */
  readonly bit: number;
  /** Why its value is inspected. It may also be a cache mark, or null, with which an optional member counts as absent. */
  readonly watch: Watch | "cache" | "null" | undefined;
  /** The values that the schema accepts. Undefined if any value is accepted, or if the parser checks it. */
  readonly expected: Expected | undefined;
  /** What its value contains. */
  readonly inside: Inside | undefined;
}

/** The shape of a nested value: an object, or an array of such objects. */
export interface Inside {
  readonly shape: ObjectShape;
  readonly isArray: boolean;
}

/** What the scan requires of objects of one type, as bits of checked names. */
export interface TypeRule {
  /** The text that names the type; empty if there is only one. */
  readonly type: string;
  /** The members that must not be absent or null. */
  readonly required: number;
  /** The members with which only the parser can decide, unless they are null. */
  readonly excluded: number;
}

/** What the scan of a request knows of one kind of objects. `shape-of.ts` makes it from the schema. */
export class ObjectShape {
  /** True if members that are not named here may hold media, and references to files. */
  readonly isContent: boolean;
  readonly #rules: readonly TypeRule[];
  readonly #byLength: InspectedName[][] = [];
  readonly #byHash = new Map<number, { readonly folded: string; readonly inspected: InspectedName }>();

  /** `rules` are those of each type that the scan decides. Without any, the parser decides. The first is that of an object without a type. */
  constructor(isContent: boolean, rules: readonly TypeRule[]) {
    this.isContent = isContent;
    this.#rules = rules;
  }

  /** True for objects without a shape of their own. */
  get isNested(): boolean {
    return this === nestedShape;
  }

  /** Adds a name that is checked. */
  check(inspected: InspectedName): void {
    this.#add(inspected);
    this.#addExact(inspected);
  }

  /** Adds a name under which upstreams read thoughts. It may have other spellings. */
  addThoughts(name: string): void {
    this.#addExact({ ...refusedName, name, isRefused: false, watch: "thoughts" });
  }

  /** Adds a name that is refused in any spelling. */
  refuse(name: string): void {
    this.#add({ ...refusedName, name });
  }

  /** Returns what is inspected inside of the value that starts at `start`, whose key is `found` or unknown. */
  insideOf(
    bytes: Uint8Array,
    keyStart: number,
    keyEnd: number,
    start: number,
    found: InspectedName | undefined,
  ): Inside | undefined {
    const isArray = bytes[start] === openBracket;
    if (!isArray && bytes[start] !== openBrace) return undefined;
    const inside = found?.inside;
    if (inside !== undefined) return inside.isArray === isArray ? inside : undefined;
    if (!(this.isContent || this.isNested) || neverInspected.some((name) => isKey(bytes, keyStart, keyEnd, name)))
      return undefined;
    return isArray ? nestedArray : nestedObject;
  }

  /** Returns the checked name that a quoted key equals exactly. */
  exact(bytes: Uint8Array, keyStart: number, keyEnd: number): InspectedName | undefined {
    const candidates = this.#byLength[keyEnd - keyStart - 2];
    if (candidates === undefined) return undefined;
    for (let i = 0; i < candidates.length; i++) {
      const candidate = candidates[i];
      if (candidate !== undefined && isKey(bytes, keyStart, keyEnd, candidate.name)) return candidate;
    }
    return undefined;
  }

  /** The type of an object by the index that `type` matched. */
  typeAt(index: number): string {
    return this.#rules[index]?.type ?? "";
  }

  /** True if an object in which these members are not null matches the rules. `type` is the index of its type. */
  isComplete(type: number, filled: number): boolean {
    const rule = this.#rules[type];
    return rule === undefined || ((filled & rule.required) === rule.required && (filled & rule.excluded) === 0);
  }

  /** Returns the inspected name that a key is a spelling of, or undefined if there is none. */
  find(bytes: Uint8Array, keyStart: number, keyEnd: number): InspectedName | undefined {
    const key = foldKey(bytes, keyStart, keyEnd);
    if (key === undefined) return undefined;
    const known = this.#byHash.get(key.hash);
    if (known !== undefined && isSpelling(key, known.folded)) return known.inspected;
    return endsIn(key, "fallbacks") ? refusedName : undefined;
  }

  #addExact(inspected: InspectedName): void {
    const { length } = inspected.name;
    this.#byLength[length] = [...(this.#byLength[length] ?? []), inspected];
  }

  #add(inspected: InspectedName): void {
    const folded = foldName(inspected.name);
    const hash = hashName(folded);
    if (this.#byHash.has(hash)) throw new Error(`Two names hash alike, one of them ${inspected.name}. Leave one out.`);
    this.#byHash.set(hash, { folded, inspected });
  }
}

/** A member that is refused by the end of its name keeps the name that the client sent. */
const refusedName: InspectedName = {
  name: "",
  isRefused: true,
  isType: false,
  bit: 0,
  watch: undefined,
  expected: undefined,
  inside: undefined,
};

const nestedShape = new ObjectShape(false, []);
for (const name of fileReferences) nestedShape.refuse(name);
const nestedObject: Inside = { shape: nestedShape, isArray: false };
const nestedArray: Inside = { shape: nestedShape, isArray: true };

const openBracket = 0x5b;
const openBrace = 0x7b;
