import { asText, decodeUtf8, encodeUtf8, joinBytes } from "../bytes.ts";
import type { MemberChange, Removal } from "../edits.ts";
import { isJsonList, isJsonMembers, type Json } from "../json.ts";
import { parseLosslessJson, writeLosslessJson } from "../lossless-json.ts";
import { shortcuts } from "./shortcuts.ts";

/** A temporary name for the members to remove, which no client sends. */
const cutName = "\u0000cut";
const cutMember = encodeUtf8(`${JSON.stringify(cutName)}:0`);

/** The reference implementation of `spliceMembers`: parses the text, changes the value and serializes it. */
function rewriteRequest(bytes: Uint8Array, changes: readonly MemberChange[], removals: readonly Removal[]): Uint8Array {
  const request = parseLosslessJson(decodeUtf8(marked(bytes, removals)) ?? "");
  const members = new Map(isJsonMembers(request) ? Object.entries(request) : []);
  for (const { name, value, json = JSON.stringify(value) } of changes) {
    if (value === undefined) members.delete(name);
    else members.set(name, parseLosslessJson(asText(json)));
  }
  return encodeUtf8(writeLosslessJson(withoutCuts(Object.fromEntries(members))));
}

/** Returns the text with each member to remove renamed. */
function marked(bytes: Uint8Array, removals: readonly Removal[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const { keyStart, valueEnd } of removals) {
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

/** Parses and writes every request and completion of this process from now on. For benchmarks. */
export function turnOffShortcuts(): void {
  shortcuts.reference = rewriteRequest;
}
