import { allocate, asText, copyBytes, encodeUtf8 } from "../bytes.ts";
import type { MemberChange, RemovedRange } from "../edits.ts";
import { indexOfNamed, type JsonMember, nameOf } from "../json-members.ts";

/** The new JSON of a member's value, null to remove the member, or undefined to keep it. */
type Replacement = Uint8Array | null | undefined;

/**
 * Changes members in the text of an object, each at most once. A new name is added at the end. Of repeated members the
 * last is kept, as JSON.parse does. All other bytes stay the same. `members` comes from `scanJson`; `removed` are ranges to
 * omit inside values that stay, in order. The result may be a view of a larger buffer: do not use its `buffer`.
 */
export function spliceMembers(
  bytes: Uint8Array,
  members: readonly JsonMember[],
  changes: readonly MemberChange[],
  removed: readonly RemovedRange[] = none,
): Uint8Array {
  const replacements = Array<Replacement>(members.length);
  let added = "";
  if (mayRepeat(members)) dropRepeated(bytes, members, replacements);
  for (const { name, value, json = JSON.stringify(value) } of changes) {
    const index = indexOfNamed(bytes, members, name);
    if (index >= 0) replacements[index] = value === undefined ? null : asBytes(json);
    else if (value !== undefined) added += `${added === "" ? "" : ","}${JSON.stringify(name)}:${asText(json)}`;
  }
  const inserted = added === "" ? undefined : encodeUtf8(added);
  writer.startCount(bytes, removed);
  write(members, replacements, inserted);
  const spliced = writer.startCopy();
  write(members, replacements, inserted);
  writer.end();
  return spliced;
}

const none: readonly RemovedRange[] = [];

const asBytes = (json: string | Uint8Array): Uint8Array => (typeof json === "string" ? encodeUtf8(json) : json);

/** Up to this number of members, comparing pairs is faster than a set. */
const fewMembers = 32;

/** False if no two hashes are equal, so that no name is repeated. A cheap check for almost every request. */
function mayRepeat(members: readonly JsonMember[]): boolean {
  if (members.length > fewMembers) return new Set(members.map(({ hash }) => hash)).size < members.length;
  for (let i = 1; i < members.length; i++) {
    const hash = members[i]?.hash;
    for (let j = 0; j < i; j++) if (members[j]?.hash === hash) return true;
  }
  return false;
}

function dropRepeated(bytes: Uint8Array, members: readonly JsonMember[], replacements: Replacement[]): void {
  const later = new Set<string>();
  for (let i = members.length - 1; i >= 0; i--) {
    const member = members[i];
    if (member === undefined) continue;
    const name = nameOf(bytes, member);
    if (later.has(name)) replacements[i] = null;
    later.add(name);
  }
}

/** Writes the parts to keep and the new values. A removed member is removed with the comma before it. */
function write(
  members: readonly JsonMember[],
  replacements: readonly Replacement[],
  added: Uint8Array | undefined,
): void {
  const { source } = writer;
  let from = 0;
  let end = members.length === 0 ? source.indexOf(openBrace) + 1 : 0;
  let isFirst = true;
  for (let i = 0; i < members.length; i++) {
    const member = members[i];
    if (member === undefined) continue;
    const replacement = replacements[i];
    if (replacement === null) {
      writer.keep(from, i === 0 ? member.keyStart : end);
      from = member.valueEnd;
    } else {
      if (isFirst && i > 0) from = member.keyStart;
      isFirst = false;
      if (replacement !== undefined) {
        writer.keep(from, member.valueStart);
        writer.add(replacement);
        from = member.valueEnd;
      }
    }
    end = member.valueEnd;
  }
  if (added !== undefined) {
    writer.keep(from, end);
    if (!isFirst) writer.add(comma);
    writer.add(added);
    from = end;
  }
  writer.keep(from, source.length);
}

const openBrace = 0x7b;
const comma = encodeUtf8(",");

const nothing: Uint8Array = new Uint8Array();

/** Writes parts of a text without the ranges to omit, and other bytes. */
class Writer {
  source = nothing;
  #removed = none;
  #target: Uint8Array | undefined;
  #length = 0;
  #next = 0;

  /** From now on, counts what is written. */
  startCount(source: Uint8Array, removed: readonly RemovedRange[]): void {
    this.source = source;
    this.#removed = removed;
    this.#target = undefined;
    this.#length = 0;
    this.#next = 0;
  }

  /** Returns the bytes to which everything is written from now on, as many as were counted. */
  startCopy(): Uint8Array {
    this.#target = allocate(this.#length);
    this.#length = 0;
    this.#next = 0;
    return this.#target;
  }

  /** Releases the text. */
  end(): void {
    this.source = nothing;
    this.#target = undefined;
  }

  /** Writes a part of the text. Ranges to omit lie inside parts to keep, or in no part at all. */
  keep(start: number, to: number): void {
    let from = start;
    for (
      let range = this.#removed[this.#next];
      range !== undefined && range.from < to;
      range = this.#removed[++this.#next]
    ) {
      if (range.from > from) this.#copy(this.source, from, range.from);
      from = Math.max(from, range.to);
    }
    if (to > from) this.#copy(this.source, from, to);
  }

  add(bytes: Uint8Array): void {
    this.#copy(bytes, 0, bytes.length);
  }

  #copy(source: Uint8Array, from: number, to: number): void {
    if (this.#target !== undefined) copyBytes(source, from, to, this.#target, this.#length);
    this.#length += to - from;
  }
}

/** Shared by all texts, since splicing is synchronous. */
const writer = new Writer();
