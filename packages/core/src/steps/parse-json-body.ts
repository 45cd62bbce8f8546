import { GatewayError } from "../errors/gateway-error.ts";
import { type JsonMember, scanJson } from "../wire/json-members.ts";
import { decodeUtf8 } from "../wire/utf8.ts";

/** A body's value, and where the members of its object stand in its bytes. */
export interface JsonBody {
  readonly value: unknown;
  readonly members: readonly JsonMember[];
}

const maxDepth = 100;

const tooMuch = {
  depth: `is nested more than ${maxDepth} levels deep`,
  members: "has too many members",
  containers: "holds too many objects and arrays",
} as const;

/** Reads a body of JSON; what is none, or more than anybody needs, is 400 `invalid_json`. */
export function parseJsonBody(body: Uint8Array): JsonBody {
  const text = decode(body);
  // Before the parse: a body of brackets alone keeps JSON.parse, and with it every other request, busy for seconds.
  const scan = scanJson(body, { maxDepth });
  if ("exceeded" in scan) {
    throw new GatewayError("invalid_json", `The request body ${tooMuch[scan.exceeded]}. Send a simpler one.`);
  }
  return { value: parse(text), members: scan.members };
}

function decode(body: Uint8Array): string {
  const text = decodeUtf8(body);
  if (text !== undefined) return text;
  throw new GatewayError("invalid_json", "The request body is not valid UTF-8. Encode it as UTF-8.");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new GatewayError(
      "invalid_json",
      "The request body is not valid JSON. Check its quotes, commas and brackets.",
    );
  }
}
