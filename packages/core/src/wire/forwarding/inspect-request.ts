import { decodeUtf8 } from "../bytes.ts";
import { chatShape } from "../chat-completion-request.ts";
import { type CacheTtl, type Removal, ttlOf } from "../edits.ts";
import { matchExpected } from "../expected-values.ts";
import { isWritten } from "../fold-key.ts";
import { isNoOpText } from "../inspected-names.ts";
import {
  closeContainer,
  decodeKey,
  type JsonMember,
  memberOf,
  openContainer,
  scanElements,
  scanRoot,
} from "../json-members.ts";
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
import type { Inspection, Misspelt, Outline } from "./inspection.ts";

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
  const inspector = new Inspector(bytes, budgetOf(limits), request);
  const exceeded = limitOf(inspector.run());
  return exceeded === undefined ? inspector.found() : { exceeded };
}

/** More names than any provider prices. Further names need not be recorded, because one of these is refused. */
const maxPricedMembers = 100;

const none: ReadonlyMap<string, string> = new Map();

class Inspector {
  readonly #members: JsonMember[] = [];
  #pricedMembers: Map<string, string> | undefined;
  readonly #removals: OpenRemoval[] = [];
  readonly #spellings: string[] = [];
  #misspelt: Misspelt | undefined;
  #ttl: CacheTtl | undefined;
  #asksForHour = false;
  /** Whether the messages and tools scanned so far match the schema. */
  #passes = true;
  readonly #messages: string[] = [];
  readonly #tools: string[] = [];
  /** The type of the object that was scanned last. */
  #type = "";
  #images = 0;
  #addressLength = 0;
  readonly #bytes: Uint8Array;
  readonly #budget: Budget;
  readonly #request: RequestShape;
  readonly #root: ObjectShape;
  readonly #maxValues: number;
  readonly #path: (string | number)[] = [];

  constructor(bytes: Uint8Array, budget: Budget, request: RequestShape) {
    this.#bytes = bytes;
    this.#request = request;
    this.#root = request.root;
    this.#budget = budget;
    this.#maxValues = budget.values;
  }

  run(): number {
    const end = scanRoot(this.#bytes, this.#budget, (start) => this.#object(start, this.#root));
    if (end < 0) this.#passes = false;
    return end;
  }

  /** Returns the findings without a reference to the text, since they outlive the prompt. */
  found(): Inspection {
    return {
      members: this.#members,
      values: this.#maxValues - this.#budget.values,
      misspelt: this.#misspelt,
      pricedMembers: this.#pricedMembers ?? none,
      removals: this.#removals,
      ttl: this.#ttl,
      asksForHour: this.#asksForHour,
      spellings: this.#spellings,
      outline: this.#outline(),
    };
  }

  /** A text that is not an object has no messages. */
  #outline(): Outline | undefined {
    if (!this.#passes || this.#messages.length === 0 || this.#misspelt !== undefined) return undefined;
    const images = { count: this.#images, addressLength: this.#addressLength };
    return { messages: this.#messages, tools: this.#tools, images };
  }

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
        const member = { keyStart, keyEnd, valueStart, valueEnd };
        const matched = this.#check(name, member, isOnlyOne);
        if (name.isType) type = matched;
        if (!isOnlyOne) this.#suspect(name, member, (seen & name.bit) !== 0);
        seen |= name.bit;
        if (bytes[valueStart] !== lowerN) filled |= name.bit;
        const why = name.watch && this.#watch(name, member);
        if (why !== undefined)
          lastRemoval = this.#remove(
            { why, object, index, keyStart, valueEnd, previousEnd, nextStart: undefined },
            shape,
          );
      }
      if (shape.isContent && (name === undefined || name.isRefused))
        this.#passes &&= !mayHoldMedia(bytes, { keyStart, keyEnd, valueStart, valueEnd });
      if (shape === this.#root) this.#members.push(memberOf(bytes, keyStart, keyEnd, valueStart, valueEnd));
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
    this.#path.push(name);
    const end = isArray ? this.#array(start, shape) : this.#object(start, shape);
    this.#path.pop();
    return end;
  }

  #array(start: number, shape: ObjectShape): number {
    const bytes = this.#bytes;
    const types = this.#typesOf(shape);
    return scanElements(bytes, start, this.#budget, (at, index) => {
      const isObject = bytes[at] === openBrace;
      if (!isObject && !shape.isNested) this.#passes = false;
      if (!isObject && !(shape.isNested && bytes[at] === openBracket)) return skipValue(bytes, at, this.#budget);
      this.#path.push(index);
      const end = isObject ? this.#object(at, shape) : this.#array(at, shape);
      this.#path.pop();
      types?.push(this.#type);
      return end;
    });
  }

  /** Returns the part of the outline that objects of this shape are in. */
  #typesOf(shape: ObjectShape): string[] | undefined {
    const { messages, tools } = this.#request;
    if (shape === messages) return this.#messages;
    return shape === tools ? this.#tools : undefined;
  }

  /** Checks a value against the schema. Returns the index of the expected text that it equals, if texts are expected. */
  #check({ expected, isRefused }: InspectedName, { valueStart, valueEnd }: Ranges, isOnlyOne: boolean): number {
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
    const param = () => [...this.#path, decodeKey(bytes, keyStart, keyEnd)].join(".");
    if (!isRefused) {
      if (this.#misspelt === undefined && (isRepeated || !isWritten(bytes, keyStart, keyEnd, name)))
        this.#misspelt = { param: param(), name, isRepeated };
      return;
    }
    this.#pricedMembers ??= new Map();
    const pricedMembers = this.#pricedMembers;
    if (pricedMembers.size > maxPricedMembers || pricedMembers.has(name)) return;
    if (isNoOpText(name, bytes, valueStart, valueEnd)) return;
    pricedMembers.set(name === "" ? decodeKey(bytes, keyStart, keyEnd) : name, param());
  }

  /** Inspects the value of a member. Returns the reason why it may have to be removed, if there is one. */
  #watch({ name, watch }: InspectedName, ranges: Ranges): Removal["why"] | undefined {
    const { valueStart, valueEnd } = ranges;
    if (watch === "cache") return ttlOf(this.#bytes, valueStart, valueEnd);
    if (watch === "thoughts") return watch;
    if (watch === "null") return this.#bytes[valueStart] === lowerN ? "null" : undefined;
    if (watch === "spelling") this.#spellings.push(name);
    else if (watch === "media") this.#passes &&= !mayHoldMedia(this.#bytes, ranges);
    else if (watch === "address") this.#addImage(valueStart, valueEnd);
    return undefined;
  }

  #addImage(start: number, end: number): void {
    const url = decodeUtf8(this.#bytes.subarray(start + 1, end - 1)) ?? "\\";
    if (url.includes("\\") || isOtherData(url)) this.#passes = false;
    this.#images += 1;
    this.#addressLength += url.length;
  }

  /** A top-level member is not removed but changed, like other members of the request. */
  #remove(removal: OpenRemoval, shape: ObjectShape): OpenRemoval | undefined {
    if (removal.why === "1h") this.#asksForHour = true;
    if (shape !== this.#root) {
      this.#removals.push(removal);
      return removal;
    }
    if (removal.why !== "null" && removal.why !== "thoughts") this.#ttl = removal.why;
    return undefined;
  }
}

type Ranges = Omit<JsonMember, "hash" | "name">;

/** A removal whose next member is not known yet. */
type OpenRemoval = Omit<Removal, "nextStart"> & { nextStart: number | undefined };

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** The first byte of `null`, with which no other value starts. */
const lowerN = 0x6e;
