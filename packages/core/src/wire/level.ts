import { endsIn, foldKey, foldName, hashFolded, isSpelling } from "./fold-key.ts";
import { type LevelNames, levelNames } from "./inspected-names.ts";
import { isKey } from "./json-members.ts";
import { spellingNames } from "./spelled-features.ts";

/** A name that is looked for at a level. */
export interface InspectedName {
  readonly name: string;
  readonly isRefused: boolean;
  /** A bit of its own among the checked names of its level; 0 for a refused one. */
  readonly bit: number;
  /** Why its value is looked at: it may be a cache mark, null, or ask for a feature under another name. */
  readonly watch: "cache" | "null" | "spelling" | undefined;
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
  readonly #byLength: InspectedName[][] = [];
  readonly #byHash = new Map<number, { readonly folded: string; readonly inspected: InspectedName }>();

  constructor({ checked, refused, nullable = [] }: LevelNames, insidesOf: (self: Level) => Insides = () => ({})) {
    const insides = insidesOf(this);
    for (const [index, name] of checked.entries()) {
      const watch = nullable.includes(name) ? "null" : watchOf(name);
      const inspected = { name, isRefused: false, bit: 1 << index, watch, inside: insides[name] };
      this.#add(inspected);
      this.#byLength[name.length] = [...(this.#byLength[name.length] ?? []), inspected];
    }
    for (const name of refused) this.#add({ ...refusedName, name });
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
const refusedName: InspectedName = { name: "", isRefused: true, bit: 0, watch: undefined, inside: undefined };

function watchOf(name: string): InspectedName["watch"] {
  if (name === "cache_control") return "cache";
  return spellingNames.has(name) ? "spelling" : undefined;
}

const objectOf = (level: Level): Inside => ({ level, isArray: false });
const arrayOf = (level: Level): Inside => ({ level, isArray: true });

// A part that is the result of a tool holds parts itself.
const part = new Level(levelNames.part, (self) => ({ content: arrayOf(self) }));
const declared = new Level(levelNames.function);
const message = new Level(levelNames.message, () => ({
  content: arrayOf(part),
  tool_calls: arrayOf(new Level(levelNames.call)),
}));

/** The level of the request itself. */
export const requestLevel = new Level(levelNames.request, () => ({
  messages: arrayOf(message),
  tools: arrayOf(new Level(levelNames.tool, () => ({ function: objectOf(declared) }))),
  functions: arrayOf(declared),
  tool_choice: objectOf(new Level(levelNames.toolChoice)),
  response_format: objectOf(new Level(levelNames.format)),
  stream_options: objectOf(new Level(levelNames.streamOptions)),
}));
