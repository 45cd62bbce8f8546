import { type LevelNames, levelNames } from "../inspected-names.ts";
import { isKey } from "../json-members.ts";
import { spellingNames } from "../spelled-features.ts";
import { type Expected, expectedAt, type LevelKind, type Shape, shapesOf } from "./expected-values.ts";
import { endsIn, foldKey, foldName, hashFolded, isSpelling } from "./fold-key.ts";

/** A name that is looked for at a level. */
export interface InspectedName {
  readonly name: string;
  readonly isRefused: boolean;
  /** A bit of its own among the checked names of its level; 0 for a refused one. */
  readonly bit: number;
  /**
   * Why its value is looked at: it may be a cache mark, null, or ask for a feature under another name; it is the address
   * of an image; or only a parser can tell what it is to the checks.
   */
  readonly watch: "cache" | "null" | "spelling" | "address" | "parse" | undefined;
  /** What the schema takes as its value; undefined where this is not known, or where the schema takes anything. */
  readonly expected: Expected | undefined;
  /** What is inspected inside its value. */
  readonly inside: Inside | undefined;
}

/** What is inspected inside a value: an object of a level, or an array of such objects. */
export interface Inside {
  readonly level: Level;
  readonly isArray: boolean;
}

/** What is inspected inside the values of a level, by the names of the members. */
type Insides = Readonly<Record<string, Inside>>;

/** One kind of object in a request, with the names that are looked for in it. */
export class Level {
  /** False where only the schema looks, so that a name in another spelling is just another name. */
  readonly isInspected: boolean;
  /** What the schema asks of the object as a whole. */
  readonly #shapes: readonly [Shape, ...Shape[]];
  readonly #byLength: InspectedName[][] = [];
  readonly #byHash = new Map<number, { readonly folded: string; readonly inspected: InspectedName }>();

  constructor(kind: LevelKind, insidesOf: (self: Level) => Insides = () => ({})) {
    const { checked, refused, nullable = [], parsed = [] }: LevelNames = levelNames[kind];
    const insides = insidesOf(this);
    this.isInspected = refused.length > 0;
    this.#shapes = shapesOf(kind, (name) => 1 << checked.indexOf(name));
    for (const [index, name] of checked.entries()) {
      const watch = nullable.includes(name) ? "null" : watchOf(name);
      const expected = expectedAt(kind, name);
      const inspected = { name, isRefused: false, bit: 1 << index, watch, expected, inside: insides[name] };
      this.#add(inspected);
      this.#byLength[name.length] = [...(this.#byLength[name.length] ?? []), inspected];
    }
    for (const name of refused) this.#add({ ...refusedName, name });
    for (const name of parsed) this.#add({ ...refusedName, name, isRefused: false, watch: "parse" });
  }

  /** The checked name that a key, with its quotes in the bytes, is letter by letter. */
  exact(bytes: Uint8Array, keyStart: number, keyEnd: number): InspectedName | undefined {
    const candidates = this.#byLength[keyEnd - keyStart - 2];
    if (candidates === undefined) return undefined;
    for (let i = 0; i < candidates.length; i++) {
      const candidate = candidates[i];
      if (candidate !== undefined && isKey(bytes, keyStart, keyEnd, candidate.name)) return candidate;
    }
    return undefined;
  }

  /** True for an object with these members that passes the schema, as far as it is known; `type` is which of the expected types it has. */
  isWhole(type: number, seen: number): boolean {
    const { required, excluded } = this.#shapes[type] ?? this.#shapes[0];
    return (seen & required) === required && (seen & excluded) === 0;
  }

  /** The name that a key is a spelling of; undefined when it is nothing to this level. */
  find(bytes: Uint8Array, keyStart: number, keyEnd: number): InspectedName | undefined {
    const key = foldKey(bytes, keyStart, keyEnd);
    if (key === undefined) return undefined;
    const known = this.#byHash.get(key.hash);
    if (known !== undefined && isSpelling(key, known.folded)) return known.inspected;
    return endsIn(key, "fallbacks") ? refusedName : undefined;
  }

  #add(inspected: InspectedName): void {
    const folded = foldName(inspected.name);
    const hash = hashFolded(folded);
    if (this.#byHash.has(hash)) throw new Error(`Two names hash alike, one of them ${inspected.name}. Leave one out.`);
    this.#byHash.set(hash, { folded, inspected });
  }
}

/** What is refused by the end of its name has the name that the client wrote, which is not repeated here. */
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

const objectOf = (level: Level): Inside => ({ level, isArray: false });
const arrayOf = (level: Level): Inside => ({ level, isArray: true });

const image = new Level("image");
// A part that is the result of a tool holds parts itself.
const part = new Level("part", (self) => ({ content: arrayOf(self), image_url: objectOf(image) }));
const declared = new Level("function");
const call = new Level("call", () => ({ function: objectOf(new Level("called")) }));

/** The level of the messages. */
export const messageLevel = new Level("message", () => ({ content: arrayOf(part), tool_calls: arrayOf(call) }));

/** The level of the tools. */
export const toolLevel = new Level("tool", () => ({ function: objectOf(declared) }));

/** The level of the request itself. */
export const requestLevel = new Level("request", () => ({
  messages: arrayOf(messageLevel),
  tools: arrayOf(toolLevel),
  functions: arrayOf(declared),
  tool_choice: objectOf(new Level("toolChoice")),
  response_format: objectOf(new Level("format")),
  stream_options: objectOf(new Level("streamOptions")),
}));

/** How long a prefix of the prompt is to be cached, as far as it can be priced; `other` has no price. */
export type CacheTtl = "5m" | "1h" | "other";

/** A member of an object inside the request that upstreams are not always sent, as ranges of bytes. */
export interface Cut {
  /** An optional member that is null, which goes always, or a cache mark, which goes where its ttl is not priced. */
  readonly why: "null" | CacheTtl;
  /** Where its object starts. */
  readonly object: number;
  /** How many members stand before it in its object. */
  readonly index: number;
  readonly keyStart: number;
  readonly valueEnd: number;
  /** The end of the member before it, or the start of the object. */
  readonly previousEnd: number;
  /** Where the next key starts; undefined for the last member. */
  readonly nextStart: number | undefined;
}

/** A range of bytes that is left out. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** The ranges to leave out, with the commas that are then too many, in order. */
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

/** How long a mark asks to be cached. One of another form is `other`, since upstreams may read it in more than one way. */
export function ttlOf(json: string): CacheTtl {
  const found = mark.exec(json);
  if (found === null) return "other";
  return (found[1] ?? found[2]) === "1h" ? "1h" : "5m";
}
