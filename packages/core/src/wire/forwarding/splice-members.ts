import { allocate, asText, encodeUtf8 } from "../bytes.ts";
import type { MemberChange } from "../edits.ts";
import { hashName, isNamed, type JsonMember, nameOf } from "../json-members.ts";

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
  removed: readonly Omit<Piece, "source">[] = [],
): Uint8Array {
  const replacements = members.map((): Replacement => undefined);
  let added = "";
  if (mayRepeat(members)) dropRepeated(bytes, members, replacements);
  for (const { name, value, json = JSON.stringify(value) } of changes) {
    const index = findLast(bytes, members, name);
    if (index >= 0) replacements[index] = value === undefined ? null : asBytes(json);
    else if (value !== undefined) added += `${added === "" ? "" : ","}${JSON.stringify(name)}:${asText(json)}`;
  }
  const pieces = split(bytes, members, replacements, added);
  return joinPieces(removed.length === 0 ? pieces : leaveOut(removed, bytes, pieces));
}

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

function findLast(bytes: Uint8Array, members: readonly JsonMember[], name: string): number {
  const hash = hashName(name);
  for (let i = members.length - 1; i >= 0; i--) {
    const member = members[i];
    if (member?.hash === hash && isNamed(bytes, member, name)) return i;
  }
  return -1;
}

/** Splits the text into the parts to keep and inserts the new values. A removed member is removed with the comma before it. */
function split(
  bytes: Uint8Array,
  members: readonly JsonMember[],
  replacements: readonly Replacement[],
  added: string,
): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let end = members.length === 0 ? bytes.indexOf(openBrace) + 1 : 0;
  let isFirst = true;
  for (let i = 0; i < members.length; i++) {
    const member = members[i];
    if (member === undefined) continue;
    const change = replacements[i];
    if (change === null) {
      addRange(pieces, bytes, from, i === 0 ? member.keyStart : end);
      from = member.valueEnd;
    } else {
      if (isFirst && i > 0) from = member.keyStart;
      isFirst = false;
      if (change !== undefined) {
        addRange(pieces, bytes, from, member.valueStart);
        pieces.push(whole(change));
        from = member.valueEnd;
      }
    }
    end = member.valueEnd;
  }
  if (added !== "") {
    addRange(pieces, bytes, from, end);
    pieces.push(whole(encodeUtf8(isFirst ? added : `,${added}`)));
    from = end;
  }
  addRange(pieces, bytes, from, bytes.length);
  return pieces;
}

function addRange(pieces: Piece[], source: Uint8Array, from: number, to: number): void {
  if (to > from) pieces.push({ source, from, to });
}

const openBrace = 0x7b;

/** A range of bytes to copy. */
interface Piece {
  readonly source: Uint8Array;
  readonly from: number;
  readonly to: number;
}

function whole(source: Uint8Array): Piece {
  return { source, from: 0, to: source.length };
}

/** Returns the pieces without the removed ranges, which are always inside pieces of the original text. */
function leaveOut(
  removed: readonly Omit<Piece, "source">[],
  bytes: Uint8Array,
  pieces: readonly Piece[],
): readonly Piece[] {
  const left: Piece[] = [];
  let next = 0;
  for (const piece of pieces) {
    if (piece.source !== bytes) {
      left.push(piece);
      continue;
    }
    let { from } = piece;
    for (let range = removed[next]; range !== undefined && range.from < piece.to; range = removed[++next]) {
      if (range.from > from) left.push({ source: bytes, from, to: range.from });
      from = Math.max(from, range.to);
    }
    if (piece.to > from) left.push({ source: bytes, from, to: piece.to });
  }
  return left;
}

/** Copies the pieces into one text. The result may be a view of a larger buffer: do not use its `buffer`. */
export function joinPieces(pieces: readonly Piece[]): Uint8Array {
  let length = 0;
  for (const { from, to } of pieces) length += to - from;
  const joined = allocate(length);
  let at = 0;
  for (const piece of pieces) {
    copy(piece, joined, at);
    at += piece.to - piece.from;
  }
  return joined;
}

/** Up to this number of bytes, copying each is faster than creating a view. */
const shortPiece = 128;

function copy({ source, from, to }: Piece, target: Uint8Array, at: number): void {
  if (to - from > shortPiece) {
    target.set(source.subarray(from, to), at);
    return;
  }
  for (let i = from; i < to; i++) target[at + i - from] = source[i] ?? 0;
}
