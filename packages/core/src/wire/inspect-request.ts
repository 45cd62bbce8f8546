import { asksForNothingIn } from "./asks-for-nothing.ts";
import { type CacheTtl, type Cut, ttlOf } from "./cut.ts";
import { isWritten } from "./fold-key.ts";
import { decodeKey, type JsonMember, memberOf, scanElements, scanMembers, scanRoot } from "./json-members.ts";
import { type Budget, budgetOf, type JsonLimit, type JsonLimits, limitOf, skipValue } from "./json-skip.ts";
import { type Inside, type InspectedName, type Level, messageLevel, requestLevel } from "./level.ts";
import { spellingNames } from "./spelled-features.ts";
import { decodeUtf8 } from "./utf8.ts";

/** What stands in the text of a request, and does not show in the value that JSON.parse makes of it. */
export interface Inspection {
  /** The members of the request itself. */
  readonly members: readonly JsonMember[];
  /** The first member that comes a second time or in another spelling. */
  readonly misspelt: Misspelt | undefined;
  /** Members that change what a call costs or where it goes: the place of the first of each name. */
  readonly steering: ReadonlyMap<string, string>;
  /** What is left out for some upstreams, in order. */
  readonly cuts: readonly Cut[];
  /** How long the request itself asks to be cached. */
  readonly ttl: CacheTtl | undefined;
  /** Something is to be cached for an hour. */
  readonly asksForHour: boolean;
  /** Members of the request that may ask for a feature under another name. */
  readonly spellings: readonly string[];
}

/** A member that a check or an upstream could read in another way than was checked. */
export interface Misspelt {
  /** Its dot path, as it is written. */
  readonly param: string;
  readonly name: string;
  readonly isRepeated: boolean;
}

/**
 * Scans the bytes of a request once: whether it is within the limits, where its members stand, and what its objects
 * hold at the levels that are inspected. Like `scanJson` it does not check the syntax.
 */
export function inspectRequest(
  bytes: Uint8Array,
  limits: JsonLimits = {},
): Inspection | { readonly exceeded: JsonLimit } {
  const inspector = new Inspector(bytes, budgetOf(limits));
  const end = inspector.run();
  return end < 0 ? { exceeded: limitOf(end) } : inspector;
}

/** More names than any provider prices: what comes beyond them need not be known, since one of these is refused. */
const mostSteering = 100;
/** No mark is longer, with some white space in it. */
const longestMark = 200;
const nullableNames: ReadonlySet<string> = new Set(["name", "tool_call_id", "tool_calls"]);

class Inspector implements Inspection {
  readonly members: JsonMember[] = [];
  misspelt: Misspelt | undefined;
  readonly steering = new Map<string, string>();
  readonly cuts: OpenCut[] = [];
  ttl: CacheTtl | undefined;
  asksForHour = false;
  readonly spellings: string[] = [];
  readonly #bytes: Uint8Array;
  readonly #budget: Budget;
  readonly #path: (string | number)[] = [];

  constructor(bytes: Uint8Array, budget: Budget) {
    this.#bytes = bytes;
    this.#budget = budget;
  }

  run(): number {
    return scanRoot(this.#bytes, this.#budget, (start) => this.#object(start, requestLevel));
  }

  #object(object: number, level: Level): number {
    const bytes = this.#bytes;
    let seen = 0;
    let index = 0;
    let previousEnd = object + 1;
    let lastCut: OpenCut | undefined;
    return scanMembers(bytes, object, this.#budget, (keyStart, keyEnd, valueStart) => {
      if (lastCut !== undefined) lastCut.nextStart = keyStart;
      const found = level.find(bytes, keyStart, keyEnd);
      const valueEnd = this.#value(valueStart, found);
      if (valueEnd < 0) return valueEnd;
      const key = { keyStart, keyEnd };
      const why = found && this.#note(found, level, key, (seen & found.bit) !== 0, valueStart, valueEnd);
      seen |= found?.bit ?? 0;
      lastCut = why && this.#cut({ why, object, index, keyStart, valueEnd, previousEnd, nextStart: undefined }, level);
      if (level === requestLevel) this.members.push(memberOf(bytes, keyStart, keyEnd, valueStart, valueEnd));
      index += 1;
      previousEnd = valueEnd;
      return valueEnd;
    });
  }

  #value(start: number, found: InspectedName | undefined): number {
    const inside = found?.inside;
    if (inside === undefined || this.#bytes[start] !== (inside.isArray ? openBracket : openBrace))
      return skipValue(this.#bytes, start, this.#budget);
    this.#path.push(found?.name ?? "");
    const end = inside.isArray ? this.#array(start, inside) : this.#object(start, inside.level);
    this.#path.pop();
    return end;
  }

  #array(start: number, { level }: Inside): number {
    const bytes = this.#bytes;
    return scanElements(bytes, start, this.#budget, (at, index) => {
      if (bytes[at] !== openBrace) return skipValue(bytes, at, this.#budget);
      this.#path.push(index);
      const end = this.#object(at, level);
      this.#path.pop();
      return end;
    });
  }

  /** Notes a member, and returns why it may have to be cut, if so. */
  #note(
    { name, isRefused }: InspectedName,
    level: Level,
    { keyStart, keyEnd }: Pick<JsonMember, "keyStart" | "keyEnd">,
    isRepeated: boolean,
    valueStart: number,
    valueEnd: number,
  ): Cut["why"] | undefined {
    const bytes = this.#bytes;
    const param = () => [...this.#path, decodeKey(bytes, keyStart, keyEnd)].join(".");
    if (isRefused) {
      if (this.steering.size > mostSteering || this.steering.has(name)) return undefined;
      if (asksForNothingIn(name, bytes, valueStart, valueEnd)) return undefined;
      this.steering.set(name === "" ? decodeKey(bytes, keyStart, keyEnd) : name, param());
      return undefined;
    }
    if (this.misspelt === undefined && (isRepeated || !isWritten(bytes, keyStart, keyEnd, name)))
      this.misspelt = { param: param(), name, isRepeated };
    if (level === requestLevel && spellingNames.has(name)) this.spellings.push(name);
    if (name === "cache_control") return this.#ttlOf(valueStart, valueEnd);
    const isNull = level === messageLevel && bytes[valueStart] === lowerN && nullableNames.has(name);
    return isNull ? "null" : undefined;
  }

  #ttlOf(start: number, end: number): CacheTtl {
    return end - start > longestMark ? "other" : ttlOf(decodeUtf8(this.#bytes.subarray(start, end)) ?? "");
  }

  /** A member of the request itself is changed like its others. */
  #cut(cut: OpenCut, level: Level): OpenCut | undefined {
    if (cut.why === "1h") this.asksForHour = true;
    if (level !== requestLevel) {
      this.cuts.push(cut);
      return cut;
    }
    if (cut.why !== "null") this.ttl = cut.why;
    return undefined;
  }
}

/** A cut while the member behind it is not known. */
type OpenCut = Omit<Cut, "nextStart"> & { nextStart: number | undefined };

const openBracket = 0x5b;
const openBrace = 0x7b;
/** The first byte of null, which no other value has. */
const lowerN = 0x6e;
