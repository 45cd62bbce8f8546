import { GatewayError } from "../errors/gateway-error.ts";
import { parseExactJson } from "../wire/exact-json.ts";
import type { Json } from "../wire/json.ts";
import { scanJson } from "../wire/json-members.ts";
import type { JsonLimit } from "../wire/json-skip.ts";
import { decodeUtf8 } from "../wire/utf8.ts";

const tooMuch: Readonly<Record<JsonLimit, string>> = {
  depth: "is nested more than 100 levels deep. Send a flatter one.",
  members: "has an object with more than 50,000 members. Send fewer.",
  containers: "holds more than 100,000 objects and arrays. Send fewer.",
  values: "holds more than 1,000,000 values. Send fewer.",
};

/** What a JSON text that a client sent is called in errors, and what those point to. */
interface Named {
  readonly name: string;
  readonly param?: string;
}

/** Parses a JSON text that a client sent, or refuses it with 400 `invalid_json`. */
export function parseJson(bytes: Uint8Array, named: Named): Json {
  // Before the parse: a body of brackets alone keeps JSON.parse, and with it every other request, busy for seconds.
  withinLimits(scanJson(bytes), named);
  return parseScanned(bytes, named);
}

/** The same for a value whose numbers are to keep all their digits. */
export function parseJsonExactly(bytes: Uint8Array, named: Named): Json {
  withinLimits(scanJson(bytes), named);
  return parseScanned(bytes, named, parseExactJson);
}

/** What a scan found, unless the text exceeds a limit: then it is refused with 400 `invalid_json`. */
export function withinLimits<Scan extends object>(
  scan: Scan | { readonly exceeded: JsonLimit },
  named: Named,
): asserts scan is Scan {
  if ("exceeded" in scan) throw refusal(named, tooMuch[scan.exceeded]);
}

/** Parses a JSON text that has been scanned, or refuses it with 400 `invalid_json`. */
export function parseScanned(bytes: Uint8Array, named: Named, parse: (text: string) => Json = JSON.parse): Json {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw refusal(named, "is not valid UTF-8. Encode it as UTF-8.");
  try {
    return parse(text);
  } catch {
    throw refusal(named, "is not valid JSON. Check its quotes, commas and brackets.");
  }
}

function refusal({ name, param }: Named, problem: string): GatewayError {
  return new GatewayError("invalid_json", `${name} ${problem}`, param === undefined ? {} : { param });
}
