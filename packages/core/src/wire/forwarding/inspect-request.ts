import { decodeUtf8 } from "../bytes.ts";
import { chatShape } from "../chat-completion-request.ts";
import { type Removal, ttlOf } from "../edits.ts";
import { matchExpected } from "../expected-values.ts";
import { isWritten } from "../fold-key.ts";
import { isNoOpText } from "../inspected-names.ts";
import { closeContainer, decodeKey, type JsonMember, memberOf, openContainer, scanRoot } from "../json-members.ts";
import {
  type Budget,
  budgetOf,
  failed,
  type JsonLimit,
  type JsonLimits,
  limitOf,
  skipBlank,
  skipColon,
  skipString,
  skipValue,
} from "../json-skip.ts";
import { isOtherData, mayHoldMedia } from "../media.ts";
import type { Inside, InspectedName, ObjectShape } from "../object-shape.ts";
import type { RequestShape } from "../shape-of.ts";
import type { Inspection, Outline } from "./inspection.ts";

/**
 * Scans the bytes of a request once: checks the limits, finds the members, and inspects the objects that `request`
 * describes.
 * If the result has no outline, the text may not be JSON, and the findings are then meaningless.
 */
export function inspectRequest(
  bytes: Uint8Array,
  limits: JsonLimits = {},
  request: RequestShape = chatShape,
): Inspection | { readonly exceeded: JsonLimit } {
  return inspector.inspect(bytes, budgetOf(limits), request);
}

/** More names than any provider prices. Further names need not be recorded, because one of these is refused. */
const maxPricedMembers = 100;

const none: ReadonlyMap<string, string> = new Map();
const noBytes: Uint8Array = new Uint8Array();

/** An inspection that is being made. It has no reference to the text, since it outlives the prompt. */
interface Findings extends Writable<Inspection> {
  readonly members: JsonMember[];
  readonly removals: OpenRemoval[];
  readonly spellings: string[];
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

const newFindings = (): Findings => ({
  members: [],
  values: 0,
  misspelt: undefined,
  pricedMembers: none,
  removals: [],
  ttl: undefined,
  asksForHour: false,
  spellings: [],
  outline: undefined,
});

/** Makes one inspection after another. */
class Inspector {
  #bytes = noBytes;
  #budget = budgetOf({});
  #request = chatShape;
  #findings = newFindings();
  /** Whether the messages and tools scanned so far match the schema. */
  #passes = true;
  #messages: string[] = [];
  #tools: string[] = [];
  #images = { count: 0, addressLength: 0 };
  /** The type of the object that was scanned last. */
  #type = "";
  /** The names and indexes of what is scanned, of which as many are valid as the depth. */
  readonly #path: (string | number)[] = [];
  #depth = 0;

  inspect(bytes: Uint8Array, budget: Budget, request: RequestShape): Inspection | { readonly exceeded: JsonLimit } {
    const findings = newFindings();
    const { values } = budget;
    this.#bytes = bytes;
    this.#budget = budget;
    this.#request = request;
    this.#findings = findings;
    this.#passes = true;
    this.#messages = [];
    this.#tools = [];
    this.#images = { count: 0, addressLength: 0 };
    this.#depth = 0;
    const end = scanRoot(bytes, budget, this.#readRoot);
    this.#bytes = noBytes;
    const exceeded = limitOf(end);
    if (exceeded !== undefined) return { exceeded };
    findings.values = values - budget.values;
    if (end >= 0) findings.outline = this.#outline();
    return findings;
  }

  /** A text that is not an object has no messages. */
  #outline(): Outline | undefined {
    if (!this.#passes || this.#messages.length === 0 || this.#findings.misspelt !== undefined) return undefined;
    return { messages: this.#messages, tools: this.#tools, images: this.#images };
  }

  readonly #readRoot = (start: number): number => this.#object(start, this.#request.root);

  #object(object: number, shape: ObjectShape): number {
    const bytes = this.#bytes;
    const budget = this.#budget;
    const full = openContainer(budget);
    if (full < 0) return full;
    let at = skipBlank(bytes, object + 1);
    let isOpen = bytes[at] !== closeBrace;
    let seen = 0;
    let filled = 0;
    let type = 0;
    let previousEnd = object + 1;
    let lastRemoval: OpenRemoval | undefined;
    for (let index = 0; isOpen; index++) {
      if (index === budget.members) return failed.members;
      if (--budget.values < 0) return failed.values;
      if (bytes[at] !== quote) return failed.syntax;
      const keyStart = at;
      const keyEnd = skipString(bytes, keyStart);
      const valueStart = keyEnd < 0 ? keyEnd : skipColon(bytes, keyEnd);
      if (valueStart < 0) return valueStart;
      const found = shape.exact(bytes, keyStart, keyEnd);
      const inside = shape.insideOf(bytes, keyStart, keyEnd, valueStart, found);
      const valueEnd =
        inside === undefined
          ? skipValue(bytes, valueStart, budget)
          : this.#inside(found?.name ?? decodeKey(bytes, keyStart, keyEnd), valueStart, inside);
      if (valueEnd < 0) return valueEnd;
      if (lastRemoval !== undefined) lastRemoval.nextStart = keyStart;
      lastRemoval = undefined;
      const name = found ?? shape.find(bytes, keyStart, keyEnd);
      if (name !== undefined) {
        const isOnlyOne = found !== undefined && (seen & name.bit) === 0;
        const matched = this.#check(name, valueStart, valueEnd, isOnlyOne);
        if (name.isType) type = matched;
        // The ranges are put together only for the few members that need them.
        if (!isOnlyOne) this.#suspect(name, { keyStart, keyEnd, valueStart, valueEnd }, (seen & name.bit) !== 0);
        seen |= name.bit;
        const isNull = bytes[valueStart] === lowerN;
        if (!isNull) filled |= name.bit;
        const why = isWatched(name, isNull) && this.#watch(name, { keyStart, keyEnd, valueStart, valueEnd });
        if (why)
          lastRemoval = this.#remove(
            { why, object, index, keyStart, valueEnd, previousEnd, nextStart: undefined },
            shape,
          );
      }
      if (shape.isContent && (name === undefined || name.isRefused))
        this.#passes &&= !mayHoldMedia(bytes, { keyStart, keyEnd, valueStart, valueEnd });
      if (shape === this.#request.root)
        this.#findings.members.push(memberOf(bytes, keyStart, keyEnd, valueStart, valueEnd));
      previousEnd = valueEnd;
      at = skipBlank(bytes, valueEnd);
      isOpen = bytes[at] === comma;
      if (isOpen) at = skipBlank(bytes, at + 1);
    }
    if (!shape.isComplete(type, filled)) this.#passes = false;
    this.#type = shape.typeAt(type);
    return closeContainer(bytes, at, closeBrace, budget);
  }

  #inside(name: string, start: number, { isArray, shape }: Inside): number {
    this.#path[this.#depth++] = name;
    const end = isArray ? this.#array(start, shape) : this.#object(start, shape);
    this.#depth -= 1;
    return end;
  }

  #array(start: number, shape: ObjectShape): number {
    const bytes = this.#bytes;
    const budget = this.#budget;
    const types = this.#typesOf(shape);
    const full = openContainer(budget);
    if (full < 0) return full;
    let at = skipBlank(bytes, start + 1);
    let isOpen = bytes[at] !== closeBracket;
    for (let index = 0; isOpen; index++) {
      if (--budget.values < 0) return failed.values;
      const end = this.#element(at, index, shape);
      if (end < 0) return end;
      types?.push(this.#type);
      at = skipBlank(bytes, end);
      isOpen = bytes[at] === comma;
      if (isOpen) at = skipBlank(bytes, at + 1);
    }
    return closeContainer(bytes, at, closeBracket, budget);
  }

  #element(at: number, index: number, shape: ObjectShape): number {
    const bytes = this.#bytes;
    const isObject = bytes[at] === openBrace;
    if (!isObject && !shape.isNested) this.#passes = false;
    if (!isObject && !(shape.isNested && bytes[at] === openBracket)) return skipValue(bytes, at, this.#budget);
    this.#path[this.#depth++] = index;
    const end = isObject ? this.#object(at, shape) : this.#array(at, shape);
    this.#depth -= 1;
    return end;
  }

  /** Returns the part of the outline that objects of this shape are in. */
  #typesOf(shape: ObjectShape): string[] | undefined {
    const { messages, tools } = this.#request;
    if (shape === messages) return this.#messages;
    return shape === tools ? this.#tools : undefined;
  }

  /** Checks a value against the schema. Returns the index of the expected text that it equals, if texts are expected. */
  #check({ expected, isRefused }: InspectedName, valueStart: number, valueEnd: number, isOnlyOne: boolean): number {
    if (isOnlyOne && expected === undefined) return 0;
    if (isRefused) return 0;
    const matched =
      isOnlyOne && expected !== undefined ? matchExpected(expected, this.#bytes, valueStart, valueEnd) : -1;
    if (matched < 0) this.#passes = false;
    return Math.max(matched, 0);
  }

  /** Records a member that is refused, repeated or spelled differently. */
  #suspect(
    { name, isRefused }: InspectedName,
    { keyStart, keyEnd, valueStart, valueEnd }: Ranges,
    isRepeated: boolean,
  ): void {
    const bytes = this.#bytes;
    const findings = this.#findings;
    const param = () => [...this.#path.slice(0, this.#depth), decodeKey(bytes, keyStart, keyEnd)].join(".");
    if (!isRefused) {
      if (findings.misspelt === undefined && (isRepeated || !isWritten(bytes, keyStart, keyEnd, name)))
        findings.misspelt = { param: param(), name, isRepeated };
      return;
    }
    const { pricedMembers } = findings;
    if (pricedMembers.size > maxPricedMembers || pricedMembers.has(name)) return;
    if (isNoOpText(name, bytes, valueStart, valueEnd)) return;
    const written = name === "" ? decodeKey(bytes, keyStart, keyEnd) : name;
    findings.pricedMembers = new Map(pricedMembers).set(written, param());
  }

  /** Inspects the value of a watched member. Returns the reason why it may have to be removed, if there is one. */
  #watch({ name, watch }: InspectedName, ranges: Ranges): Removal["why"] | undefined {
    const { valueStart, valueEnd } = ranges;
    if (watch === "cache") return ttlOf(this.#bytes, valueStart, valueEnd);
    if (watch === "thoughts" || watch === "null") return watch;
    if (watch === "spelling") this.#findings.spellings.push(name);
    else if (watch === "media") this.#passes &&= !mayHoldMedia(this.#bytes, ranges);
    else if (watch === "address") this.#addImage(valueStart, valueEnd);
    return undefined;
  }

  #addImage(start: number, end: number): void {
    const url = decodeUtf8(this.#bytes.subarray(start + 1, end - 1)) ?? "\\";
    if (url.includes("\\") || isOtherData(url)) this.#passes = false;
    this.#images.count += 1;
    this.#images.addressLength += url.length;
  }

  /** A top-level member is not removed but changed, like other members of the request. */
  #remove(removal: OpenRemoval, shape: ObjectShape): OpenRemoval | undefined {
    const findings = this.#findings;
    if (removal.why === "1h") findings.asksForHour = true;
    if (shape !== this.#request.root) {
      findings.removals.push(removal);
      return removal;
    }
    if (removal.why !== "null" && removal.why !== "thoughts") findings.ttl = removal.why;
    return undefined;
  }
}

/**
 * Shared by all requests, since an inspection is synchronous. V8 discards optimized code when a major garbage collection finds
 * no object of its classes, which is so whenever no inspection runs, unless one object stays.
 */
const inspector = new Inspector();

type Ranges = Omit<JsonMember, "hash" | "name">;

/** True if the value of a member must be inspected. Of most members, only a null must be. */
const isWatched = ({ watch }: InspectedName, isNull: boolean): boolean =>
  watch !== undefined && (isNull || watch !== "null");

/** A removal whose next member is not known yet. */
type OpenRemoval = Omit<Removal, "nextStart"> & { nextStart: number | undefined };

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** The first byte of `null`, with which no other value starts. */
const lowerN = 0x6e;
