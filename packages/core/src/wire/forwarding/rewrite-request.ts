import { asText, decodeUtf8, encodeUtf8, joinBytes } from "../bytes.ts";
import type { Cut, MemberChange } from "../edits.ts";
import { parseExactJson, writeExactJson } from "../exact-json.ts";
import { isJsonList, isJsonMembers, type Json } from "../json.ts";

/** A temporary name for the members to cut, which no client sends. */
const cutName = "\u0000cut";
const cutMember = encodeUtf8(`${JSON.stringify(cutName)}:0`);

/** The reference implementation of `spliceMembers`: parses the text, changes the value and serializes it. */
export function rewriteRequest(bytes: Uint8Array, changes: readonly MemberChange[], cuts: readonly Cut[]): Uint8Array {
  const request = parseExactJson(decodeUtf8(marked(bytes, cuts)) ?? "");
  const members = new Map(isJsonMembers(request) ? Object.entries(request) : []);
  for (const { name, value, json = JSON.stringify(value) } of changes) {
    if (value === undefined) members.delete(name);
    else members.set(name, parseExactJson(asText(json)));
  }
  return encodeUtf8(writeExactJson(withoutCuts(Object.fromEntries(members))));
}

/** Returns the text with each member to cut renamed. */
function marked(bytes: Uint8Array, cuts: readonly Cut[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const { keyStart, valueEnd } of cuts) {
    pieces.push(bytes.subarray(from, keyStart), cutMember);
    from = valueEnd;
  }
  return joinBytes([...pieces, bytes.subarray(from)]);
}

function withoutCuts(value: Json): Json {
  if (isJsonList(value)) return value.map(withoutCuts);
  if (!isJsonMembers(value)) return value;
  const kept = Object.entries(value).filter(([name]) => name !== cutName);
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutCuts(inner)]));
}
