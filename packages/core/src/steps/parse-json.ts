import { GatewayError } from "../errors/gateway-error.ts";
import { parseExactJson } from "../wire/exact-json.ts";
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

/** What a JSON text that a client sent is called in errors, and what those point to. */
interface Named {
  readonly name: string;
  readonly param?: string;
}

/** Parses a JSON text that a client sent, or refuses it with 400 `invalid_json`. */
export const parseJson = (bytes: Uint8Array, named: Named): ParsedJson =>
  parseDecoded(bytes, decodeJson(bytes, named), named);

/** The same for a value whose numbers are to keep all their digits. */
export const parseJsonExactly = (bytes: Uint8Array, named: Named): Json =>
  parseDecoded(bytes, decodeJson(bytes, named), named, parseExactJson).value;

/** The text that a client sent in UTF-8, or refuses it with 400 `invalid_json`. */
export function decodeJson(bytes: Uint8Array, named: Named): string {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw refusal(named, "is not valid UTF-8. Encode it as UTF-8.");
  return text;
}

/** Parses what `decodeJson` gave. */
export function parseDecoded(
  bytes: Uint8Array,
  text: string,
  named: Named,
  parse: (text: string) => Json = JSON.parse,
): ParsedJson {
  // Before the parse: a body of brackets alone keeps JSON.parse, and with it every other request, busy for seconds.
  const scan = scanJson(bytes, { maxDepth });
  if ("exceeded" in scan) throw refusal(named, `${tooMuch[scan.exceeded]}. Send a simpler one.`);
  try {
    return { value: parse(text), members: scan.members };
  } catch {
    throw refusal(named, "is not valid JSON. Check its quotes, commas and brackets.");
  }
}

function refusal({ name, param }: Named, problem: string): GatewayError {
  return new GatewayError("invalid_json", `${name} ${problem}`, param === undefined ? {} : { param });
}
