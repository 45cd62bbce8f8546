import { asksForNothingIn } from "./asks-for-nothing.ts";
import { type CacheTtl, type Cut, ttlOf } from "./cut.ts";
import { isWritten } from "./fold-key.ts";
import {
  decodeKey,
  type JsonMember,
  memberOf,
  nextInContainer,
  openContainer,
  scanElements,
  scanRoot,
} from "./json-members.ts";
import {
  type Budget,
  budgetOf,
  exceeds,
  type JsonLimit,
  type JsonLimits,
  limitOf,
  skipBlank,
  skipString,
  skipValue,
} from "./json-skip.ts";
import { type InspectedName, type Level, requestLevel } from "./level.ts";
import { decodeUtf8 } from "./utf8.ts";

/** What stands in the text of a request, and does not show in the value that JSON.parse makes of it. */
export interface Inspection {
  /** The members of the request itself. */
  readonly members: readonly JsonMember[];
  /** How many values the request holds in all, itself included. */
  readonly values: number;
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
  return end < 0 ? { exceeded: limitOf(end) } : inspector.found();
}

/** More names than any provider prices: what comes beyond them need not be known, since one of these is refused. */
const mostSteering = 100;
/** No mark is longer, with some white space in it. */
const longestMark = 200;

const none: ReadonlyMap<string, string> = new Map();

class Inspector {
  readonly #members: JsonMember[] = [];
  #steering: Map<string, string> | undefined;
  readonly #cuts: OpenCut[] = [];
  readonly #spellings: string[] = [];
  #misspelt: Misspelt | undefined;
  #ttl: CacheTtl | undefined;
  #asksForHour = false;
  readonly #bytes: Uint8Array;
  readonly #budget: Budget;
  readonly #maxValues: number;
  readonly #path: (string | number)[] = [];

  constructor(bytes: Uint8Array, budget: Budget) {
    this.#bytes = bytes;
    this.#budget = budget;
    this.#maxValues = budget.values;
  }

  run(): number {
    return scanRoot(this.#bytes, this.#budget, (start) => this.#object(start, requestLevel));
  }

  /** What was found, without the text itself: it lives longer than the prompt. */
  found(): Inspection {
    return {
      members: this.#members,
      values: this.#maxValues - this.#budget.values,
      misspelt: this.#misspelt,
      steering: this.#steering ?? none,
      cuts: this.#cuts,
      ttl: this.#ttl,
      asksForHour: this.#asksForHour,
      spellings: this.#spellings,
    };
  }

  #object(object: number, level: Level): number {
    const bytes = this.#bytes;
    const budget = this.#budget;
    const full = openContainer(budget);
    if (full < 0) return full;
    let at = skipBlank(bytes, object + 1);
    let seen = 0;
    let previousEnd = object + 1;
    let lastCut: OpenCut | undefined;
    for (let index = 0; bytes[at] === quote; index++) {
      if (index === budget.members) return exceeds.members;
      if (--budget.values < 0) return exceeds.values;
      const keyStart = at;
      const keyEnd = skipString(bytes, keyStart);
      const valueStart = skipBlank(bytes, skipBlank(bytes, keyEnd) + 1);
      const found = level.exact(bytes, keyStart, keyEnd);
      const valueEnd = this.#value(valueStart, found);
      if (valueEnd < 0) return valueEnd;
      if (lastCut !== undefined) lastCut.nextStart = keyStart;
      lastCut = undefined;
      const name = found ?? level.find(bytes, keyStart, keyEnd);
      if (name !== undefined) {
        const isRepeated = (seen & name.bit) !== 0;
        seen |= name.bit;
        const member = { keyStart, keyEnd, valueStart, valueEnd };
        if (isRepeated || found === undefined) this.#suspect(name, member, isRepeated);
        const why = name.watch && this.#watch(name, member);
        if (why !== undefined)
          lastCut = this.#cut({ why, object, index, keyStart, valueEnd, previousEnd, nextStart: undefined }, level);
      }
      if (level === requestLevel) this.#members.push(memberOf(bytes, keyStart, keyEnd, valueStart, valueEnd));
      previousEnd = valueEnd;
      at = nextInContainer(bytes, valueEnd);
    }
    budget.depth += 1;
    return at + 1;
  }

  #value(start: number, found: InspectedName | undefined): number {
    const inside = found?.inside;
    if (inside === undefined || this.#bytes[start] !== (inside.isArray ? openBracket : openBrace))
      return skipValue(this.#bytes, start, this.#budget);
    this.#path.push(found?.name ?? "");
    const end = inside.isArray ? this.#array(start, inside.level) : this.#object(start, inside.level);
    this.#path.pop();
    return end;
  }

  #array(start: number, level: Level): number {
    const bytes = this.#bytes;
    return scanElements(bytes, start, this.#budget, (at, index) => {
      if (bytes[at] !== openBrace) return skipValue(bytes, at, this.#budget);
      this.#path.push(index);
      const end = this.#object(at, level);
      this.#path.pop();
      return end;
    });
  }

  /** Notes a member that is refused, repeated or written in another way. */
  #suspect(
    { name, isRefused }: InspectedName,
    { keyStart, keyEnd, valueStart, valueEnd }: Ranges,
    isRepeated: boolean,
  ) {
    const bytes = this.#bytes;
    const param = () => [...this.#path, decodeKey(bytes, keyStart, keyEnd)].join(".");
    if (!isRefused) {
      if (this.#misspelt === undefined && (isRepeated || !isWritten(bytes, keyStart, keyEnd, name)))
        this.#misspelt = { param: param(), name, isRepeated };
      return;
    }
    this.#steering ??= new Map();
    const steering = this.#steering;
    if (steering.size > mostSteering || steering.has(name)) return;
    if (asksForNothingIn(name, bytes, valueStart, valueEnd)) return;
    steering.set(name === "" ? decodeKey(bytes, keyStart, keyEnd) : name, param());
  }

  /** Looks at the value of a member, and returns why it may have to be cut, if so. */
  #watch({ name, watch }: InspectedName, { valueStart, valueEnd }: Ranges): Cut["why"] | undefined {
    if (watch === "cache") return this.#ttlOf(valueStart, valueEnd);
    if (watch === "null") return this.#bytes[valueStart] === lowerN ? "null" : undefined;
    this.#spellings.push(name);
    return undefined;
  }

  #ttlOf(start: number, end: number): CacheTtl {
    return end - start > longestMark ? "other" : ttlOf(decodeUtf8(this.#bytes.subarray(start, end)) ?? "");
  }

  /** A member of the request itself is changed like its others. */
  #cut(cut: OpenCut, level: Level): OpenCut | undefined {
    if (cut.why === "1h") this.#asksForHour = true;
    if (level !== requestLevel) {
      this.#cuts.push(cut);
      return cut;
    }
    if (cut.why !== "null") this.#ttl = cut.why;
    return undefined;
  }
}

type Ranges = Pick<JsonMember, "keyStart" | "keyEnd" | "valueStart" | "valueEnd">;

/** A cut while the member behind it is not known. */
type OpenCut = Omit<Cut, "nextStart"> & { nextStart: number | undefined };

const quote = 0x22;
const openBracket = 0x5b;
const openBrace = 0x7b;
/** The first byte of null, which no other value has. */
const lowerN = 0x6e;
