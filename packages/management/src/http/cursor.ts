import { GatewayError } from "@tollgate/core";
import { digestKey } from "@tollgate/core/internal";
import type { Json } from "@tollgate/core/store";
import * as v from "valibot";

/** What a cursor belongs to: the route, the id in its path, and the filters as they were sent. */
export interface CursorOwner {
  readonly name: string;
  readonly id: string;
  readonly filters: Readonly<Record<string, string>>;
}

/** Returns the text for a position in a list. Clients send it back as it is. */
export async function writeCursor(owner: CursorOwner, position: Json): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([await fingerprint(owner), position]));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Returns the position of a cursor. Throws 400 for a cursor of another list, or of other filters. */
export async function readCursor<Position>(
  owner: CursorOwner,
  schema: v.GenericSchema<unknown, Position>,
  cursor: string,
): Promise<Position> {
  const parsed = v.safeParse(v.tuple([v.literal(await fingerprint(owner)), schema]), decode(cursor));
  if (parsed.success) return parsed.output[1];
  throw new GatewayError(
    "invalid_request",
    "`cursor` does not belong to this list with these filters. Send `next` of a page of it, with the same filters.",
    { param: "cursor" },
  );
}

async function fingerprint({ name, id, filters }: CursorOwner): Promise<string> {
  const sorted = Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return (await digestKey(JSON.stringify([name, id, sorted]))).slice(0, 16);
}

/** Returns undefined for a text that is not base64url of JSON. */
function decode(cursor: string): unknown {
  try {
    const binary = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0))));
  } catch {
    return undefined;
  }
}
