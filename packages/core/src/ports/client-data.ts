import { byteLength } from "../wire/bytes.ts";
import { hasHugeExponent, isLosslessNumber, type Json } from "../wire/json.ts";
import { writeLosslessJson } from "../wire/lossless-json.ts";

/** The variables of a session, by name. */
export type ClientData = Readonly<Record<string, Json>>;

/** Changes of client data, in order. Null removes a key. */
export type ClientDataChanges = readonly (readonly [key: string, value: Json])[];

const max = { keys: 200, keyCharacters: 128, bytes: 65_536, depth: 16 } as const;
const prototypeNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Matches keys that are or look like names of system variables. */
const systemKey = /^(?:(?:session|company|assistant)\.|images(?:\[\d+\])?$)/;
const refusedCharacters = /[${}\p{Cc}]/u;

/**
 * Applies changes to client data. Each change replaces the value of its key. Returns the merged client data; or a problem
 * that continues a sentence which begins with "client_data". Every SessionStore calls it within its atomic step.
 */
export function mergeClientData(
  current: ClientData,
  changes: ClientDataChanges,
): { readonly clientData: ClientData } | { readonly problem: string } {
  const merged = new Map(Object.entries(current));
  for (const [key, value] of changes) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  if (merged.size > max.keys) {
    return { problem: `has more than ${max.keys} keys. Remove some by setting them to null.` };
  }
  const clientData: ClientData = Object.fromEntries(merged);
  if (byteLength(writeLosslessJson(clientData)) > max.bytes) {
    return { problem: `is larger than ${max.bytes} bytes. Remove keys by setting them to null.` };
  }
  return { clientData };
}

/** Returns why an entry is not valid client data, as words that follow "client_data"; undefined if it is valid. */
export function clientDataProblem(key: string, value: Json): string | undefined {
  // A character has at most two code units, so this slice is long enough to detect a key that is too long.
  const characters = [...key.slice(0, 2 * (max.keyCharacters + 1))];
  const shown = JSON.stringify(characters.slice(0, max.keyCharacters).join(""));
  if (characters.length === 0 || characters.length > max.keyCharacters) {
    return `has the key ${shown}, which is not 1 to ${max.keyCharacters} characters long. Rename it.`;
  }
  if (prototypeNames.has(key)) return `has the key ${shown}, which is not allowed. Rename it.`;
  if (systemKey.test(key)) return `has the key ${shown}, which is reserved. Rename it.`;
  if (refusedCharacters.test(key)) {
    return `has the key ${shown}, which contains $, {, } or a control character. Rename it.`;
  }
  if (isDeeperThan(value, max.depth - 1)) return `is nested more than ${max.depth} levels deep. Flatten it.`;
  if (holdsInfinity(value)) return `has a number under ${shown} that is too large. Send it as a string.`;
  return undefined;
}

function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null || isLosslessNumber(value)) return false;
  return levels === 0 || Object.values(value).some((member: Json) => isDeeperThan(member, levels - 1));
}

/** True for a value with a number like 1e999, which JSON.parse reads as Infinity and JSON.stringify writes as null. */
function holdsInfinity(value: Json): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (isLosslessNumber(value)) return hasHugeExponent(value);
  return typeof value === "object" && value !== null && Object.values(value).some(holdsInfinity);
}
