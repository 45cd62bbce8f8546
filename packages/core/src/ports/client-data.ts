import { writeExactJson } from "../wire/exact-json.ts";
import { hasHugeExponent, isExactNumber } from "../wire/exact-number.ts";
import type { Json } from "../wire/json.ts";
import { byteLength } from "../wire/utf8.ts";

/** The variables that a session keeps, by name. */
export type ClientData = Readonly<Record<string, Json>>;

/** Changes of client data in their order; null removes a key. */
export type ClientDataChanges = readonly (readonly [key: string, value: Json])[];

const most = { keys: 200, keyCharacters: 128, bytes: 65_536, depth: 16 } as const;
const prototypeNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Matches keys that are, or would look like, names of the system's variables. */
const systemKey = /^(?:(?:session|company|assistant)\.|images(?:\[\d+\])?$)/;
const refusedCharacters = /[${}\p{Cc}]/u;

/**
 * Client data with changes made to it, each to its whole key; or what is wrong with the result, in words that follow
 * "client_data". Every SessionStore merges with this, within its own atomic step.
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
  if (merged.size > most.keys)
    return { problem: `has more than ${most.keys} keys. Remove some by setting them to null.` };
  const clientData: ClientData = Object.fromEntries(merged);
  if (byteLength(writeExactJson(clientData)) > most.bytes) {
    return { problem: `is larger than ${most.bytes} bytes. Remove keys by setting them to null.` };
  }
  return { clientData };
}

/** Why one entry cannot be client data, in words that follow "client_data"; undefined: it can. */
export function clientDataProblem(key: string, value: Json): string | undefined {
  // A character may be two units, so these are enough to see that there are too many.
  const characters = [...key.slice(0, 2 * (most.keyCharacters + 1))];
  const shown = JSON.stringify(characters.slice(0, most.keyCharacters).join(""));
  if (characters.length === 0 || characters.length > most.keyCharacters) {
    return `has the key ${shown}, which is not 1 to ${most.keyCharacters} characters long. Rename it.`;
  }
  if (prototypeNames.has(key)) return `has the key ${shown}, which is not allowed. Rename it.`;
  if (systemKey.test(key)) return `has the key ${shown}, which is reserved. Rename it.`;
  if (refusedCharacters.test(key)) {
    return `has the key ${shown}, which contains $, {, } or a control character. Rename it.`;
  }
  if (isDeeperThan(value, most.depth - 1)) return `is nested more than ${most.depth} levels deep. Flatten it.`;
  if (holdsInfinity(value)) return `has a number under ${shown} that is too large. Send it as a string.`;
  return undefined;
}

function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null || isExactNumber(value)) return false;
  return levels === 0 || Object.values(value).some((member: Json) => isDeeperThan(member, levels - 1));
}

/** What JSON.parse makes of 1e999, and JSON.stringify a null; also 1e999 itself. */
function holdsInfinity(value: Json): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (isExactNumber(value)) return hasHugeExponent(value);
  return typeof value === "object" && value !== null && Object.values(value).some(holdsInfinity);
}
