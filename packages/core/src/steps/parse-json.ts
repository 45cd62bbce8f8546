import { GatewayError } from "../errors/gateway-error.ts";
import type { Json } from "../wire/json.ts";
import { type JsonMember, scanJson } from "../wire/json-members.ts";
import { decodeUtf8 } from "../wire/utf8.ts";

/** A JSON text as a value, and where the members of an object stand in its bytes. */
export interface ParsedJson {
  readonly value: Json;
  readonly members: readonly JsonMember[];
}

const maxDepth = 100;

const tooMuch = {
  depth: `is nested more than ${maxDepth} levels deep`,
  members: "has too many members",
  containers: "holds too many objects and arrays",
} as const;

/** Parses a JSON text that a client sent, or refuses it with 400 `invalid_json`; `name` is what errors call it, and `param` what they point to. */
export function parseJson(bytes: Uint8Array, name: string, param?: string): ParsedJson {
  const refuse = (problem: string) =>
    new GatewayError("invalid_json", `${name} ${problem}`, param === undefined ? {} : { param });
  const text = decodeUtf8(bytes);
  if (text === undefined) throw refuse("is not valid UTF-8. Encode it as UTF-8.");
  // Before the parse: a body of brackets alone keeps JSON.parse, and with it every other request, busy for seconds.
  const scan = scanJson(bytes, { maxDepth });
  if ("exceeded" in scan) throw refuse(`${tooMuch[scan.exceeded]}. Send a simpler one.`);
  try {
    return { value: JSON.parse(text), members: scan.members };
  } catch {
    throw refuse("is not valid JSON. Check its quotes, commas and brackets.");
  }
}
