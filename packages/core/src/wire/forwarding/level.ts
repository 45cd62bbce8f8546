import { decodeUtf8 } from "../bytes.ts";
import { fileReferences, type LevelNames, levelNames, neverInspected } from "../inspected-names.ts";
import { hashName, isKey } from "../json-members.ts";
import { spellingNames } from "../spelled-features.ts";
import { chatRules, type Expected, type LevelRules, type Shape, shapesOf } from "./expected-values.ts";
import { endsIn, foldKey, foldName, isSpelling } from "./fold-key.ts";

/** A name that is inspected at a level. */
export interface InspectedName {
  readonly name: string;
  readonly isRefused: boolean;
  /** A unique bit among the checked names of its level; 0 for a refused name. */
  readonly bit: number;
  /**
   * Why its value is inspected: it may be a cache mark, null, or request a feature under another name; it is the URL of an
   * image, or thoughts, which some upstreams refuse; it may hold media; or it must be parsed for the checks.
   */
  readonly watch: "cache" | "null" | "spelling" | "address" | "media" | "parse" | "thoughts" | undefined;
  /** The values that the schema accepts. Undefined if they are not known here, or if any value is accepted. */
  readonly expected: Expected | undefined;
  /** The levels inspected inside its value. */
  readonly inside: Inside | undefined;
}

/** The level of a nested value: an object, or an array of such objects. */
export interface Inside {
  readonly level: Level;
  readonly isArray: boolean;
}

/** The levels inside the values of a level, by member name. */
type Insides = Readonly<Record<string, Inside>>;

/** The kinds of objects in a chat completion. */
type ChatKind = keyof typeof levelNames;

/** The names of a level, and its rules, if the scan compares it with the schema. */
interface LevelOptions extends LevelNames, LevelRules {
  readonly counts?: "message" | "tool" | undefined;
}

/** A kind of object in a request, with the names that are inspected in it. */
export class Level {
  /** False if only the schema reads the level, so that another spelling is an unrelated name. */
  readonly isInspected: boolean;
  /** True if members of its objects that are not named here may hold images or files. */
  readonly holdsMedia: boolean;
  /** What its objects are in the outline of a request, if they are in it. */
  readonly counts: LevelOptions["counts"];
  readonly #nests: boolean;
  /** The schema's requirements for the object as a whole. */
  readonly #shapes: readonly [Shape, ...Shape[]];
  readonly #byLength: InspectedName[][] = [];
  readonly #byHash = new Map<number, { readonly folded: string; readonly inspected: InspectedName }>();

  /** `names` are the names and rules of the level, or a kind of object in a chat completion. */
  constructor(names: ChatKind | LevelOptions, insidesOf: (self: Level) => Insides = () => ({})) {
    const {
      checked,
      refused,
      nullable = [],
      parsed = [],
      thoughts = [],
      media,
      nests,
      counts,
      ...rules
    } = optionsOf(names);
    const insides = insidesOf(this);
    this.isInspected = refused.length > 0;
    this.holdsMedia = media !== undefined;
    this.counts = counts;
    this.#nests = nests === true;
    this.#shapes = shapesOf(rules, (name) => 1 << checked.indexOf(name));
    for (const [index, name] of checked.entries()) {
      const watch = nullable.includes(name) ? "null" : media?.includes(name) ? "media" : watchOf(name);
      const expected = rules.expected?.[name];
      const inspected = { name, isRefused: false, bit: 1 << index, watch, expected, inside: insides[name] };
      this.#add(inspected);
      this.#addExact(inspected);
    }
    for (const name of thoughts) this.#addExact({ ...refusedName, name, isRefused: false, watch: "thoughts" });
    for (const name of refused) if (!checked.includes(name)) this.#add({ ...refusedName, name });
    for (const name of parsed) this.#add({ ...refusedName, name, isRefused: false, watch: "parse" });
  }

  /** True for objects without a level of their own, whose form is not known. */
  get isNested(): boolean {
    return this === nestedLevel;
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
    if (!this.#nests || neverInspected.some((name) => isKey(bytes, keyStart, keyEnd, name))) return undefined;
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

  /** True if an object in which these members are not null matches the rules. `type` is the index of its type. */
  isWhole(type: number, filled: number): boolean {
    const { required, excluded } = this.#shapes[type] ?? this.#shapes[0];
    return (filled & required) === required && (filled & excluded) === 0;
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

function optionsOf(names: ChatKind | LevelOptions): LevelOptions {
  if (typeof names !== "string") return names;
  const counts = names === "message" || names === "tool" ? names : undefined;
  return { ...levelNames[names], ...chatRules[names], counts };
}

/** A member that is refused by the end of its name keeps the name that the client sent. */
const refusedName: InspectedName = {
  name: "",
  isRefused: true,
  bit: 0,
  watch: undefined,
  expected: undefined,
  inside: undefined,
};

function watchOf(name: string): InspectedName["watch"] {
  if (name === "cache_control") return "cache";
  if (name === "url") return "address";
  return spellingNames.has(name) ? "spelling" : undefined;
}

/** The inside of a member whose value is an object. */
export const objectOf = (level: Level): Inside => ({ level, isArray: false });
/** The inside of a member whose value is an array of objects. */
export const arrayOf = (level: Level): Inside => ({ level, isArray: true });

const nestedLevel = new Level({ checked: [], refused: fileReferences, nests: true });
const nestedObject = objectOf(nestedLevel);
const nestedArray = arrayOf(nestedLevel);

const image = new Level("image");
// A part that is the result of a tool contains parts.
const part = new Level("part", (self) => ({ content: arrayOf(self), image_url: objectOf(image) }));
const declared = new Level("function");
const call = new Level("call", () => ({ function: objectOf(new Level("called")) }));

const message = new Level("message", () => ({ content: arrayOf(part), tool_calls: arrayOf(call) }));

const tool = new Level("tool", () => ({ function: objectOf(declared) }));

/** The level of the request itself. */
export const requestLevel = new Level("request", () => ({
  messages: arrayOf(message),
  tools: arrayOf(tool),
  functions: arrayOf(declared),
  tool_choice: objectOf(new Level("toolChoice")),
  response_format: objectOf(new Level("format")),
  stream_options: objectOf(new Level("streamOptions")),
}));

/** The cache lifetimes of a prompt prefix that have a price. `other` has none. */
export type CacheTtl = "5m" | "1h" | "other";

/** A nested member that is not sent to every upstream, as ranges of bytes. */
export interface Cut {
  /**
   * `null` for an optional member that is always removed, the lifetime of a cache mark, which is removed if it has no price,
   * or `thoughts`, which are removed if the upstream does not read them.
   */
  readonly why: "null" | "thoughts" | CacheTtl;
  /** The start of its object. */
  readonly object: number;
  /** The number of members before it in its object. */
  readonly index: number;
  readonly keyStart: number;
  readonly valueEnd: number;
  /** The end of the member before it, or the start of the object. */
  readonly previousEnd: number;
  /** The start of the next key; undefined for the last member. */
  readonly nextStart: number | undefined;
}

/** A range of bytes to omit. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Returns the ranges to omit in order, including the commas that they make superfluous. */
export function gapsOf(cuts: readonly Cut[]): readonly Gap[] {
  const gaps: Gap[] = [];
  let object = -1;
  let cutsBefore = 0;
  for (const cut of cuts) {
    if (cut.object !== object) cutsBefore = 0;
    object = cut.object;
    const isFirst = cut.index === cutsBefore++;
    gaps.push(
      isFirst ? { from: cut.keyStart, to: cut.nextStart ?? cut.valueEnd } : { from: cut.previousEnd, to: cut.valueEnd },
    );
  }
  return gaps;
}

const mark =
  /^\{\s*(?:"type"\s*:\s*"ephemeral"\s*(?:,\s*"ttl"\s*:\s*"(5m|1h)"\s*)?|"ttl"\s*:\s*"(5m|1h)"\s*,\s*"type"\s*:\s*"ephemeral"\s*)\}$/;

/** Longer than any cache mark, including some white space. */
const longestMark = 200;

/**
 * Returns the lifetime that a cache mark in the bytes of a JSON text requests. A mark of an unknown form is `other`, since
 * upstreams may interpret it differently.
 */
export function ttlOf(bytes: Uint8Array, start: number, end: number): CacheTtl {
  if (end - start > longestMark) return "other";
  const found = mark.exec(decodeUtf8(bytes.subarray(start, end)) ?? "");
  if (found === null) return "other";
  return (found[1] ?? found[2]) === "1h" ? "1h" : "5m";
}

const openBracket = 0x5b;
const openBrace = 0x7b;
