import * as v from "valibot";
import { GatewayError } from "../errors/gateway-error.ts";
import type { ClientRequest } from "../ports/client-request.ts";
import { parseJsonLossless } from "../steps/parse-request.ts";
import { type BodyServices, readUncountedBody } from "../steps/read-body.ts";

const limit = { maxBodyBytes: 65_536, advice: "Send less." };

/** Reads the JSON body of a request, or checks that there is none if the schema is `v.undefined()`. Throws 415 without `application/json`, 413 for more than 64 KiB, and 400 for an invalid one and for a repeated member. */
export async function readJsonBody<Output>(
  services: BodyServices,
  request: ClientRequest,
  schema: v.GenericSchema<unknown, Output>,
): Promise<Output> {
  const type = request.header("content-type");
  if (schema.type === "undefined") {
    if (type !== undefined) requireJson(type);
    return requireValid(schema, undefined, "The body");
  }
  requireJson(type);
  const body = await readUncountedBody(services, request, limit);
  const value = await parseJsonLossless(body, { name: "The request body" });
  const repeated = repeatedMember(new TextDecoder().decode(body));
  if (repeated !== undefined) throw occursTwice(repeated);
  return requireValid(schema, value, "The request body");
}

/** A proxy or a log in front may have read the other value. */
const occursTwice = (name: string): GatewayError =>
  new GatewayError("invalid_request", `\`${name.slice(0, 128)}\` occurs more than once in an object. Send it once.`, {
    param: name.slice(0, 128),
  });

/** Forms of other sites cannot send this type without a preflight. */
function requireJson(type = ""): void {
  if (/^application\/json\s*(?:;|$)/i.test(type)) return;
  throw new GatewayError("unsupported_media_type", "The body must be JSON. Set `Content-Type: application/json`.");
}

const keyOrBracket = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/gs;

/** Returns the first name that occurs twice in one object of a valid JSON text, at any depth, or undefined if none does. */
function repeatedMember(json: string): string | undefined {
  const open: Set<unknown>[] = [];
  for (const [token, colon = ""] of json.matchAll(keyOrBracket)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (colon !== "") {
      const name: unknown = JSON.parse(token.slice(0, -colon.length));
      const names = open.at(-1);
      if (names?.has(name)) return String(name);
      names?.add(name);
    }
  }
  return undefined;
}

/** Returns a value as its schema transforms it. Throws 400 that names the first invalid member; `whole` names the value, such as "The query". */
export function requireValid<Output>(schema: v.GenericSchema<unknown, Output>, value: unknown, whole: string): Output {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  // A misspelt member is also missing. Its own name helps more.
  const issue = result.issues.find(({ expected }) => expected === "never") ?? result.issues[0];
  const param = v.getDotPath(issue) ?? undefined;
  const sentence = /[.?]$/.test(issue.message) ? issue.message : `${issue.message}.`;
  if (param === undefined) throw new GatewayError("invalid_request", `${whole} ${sentence}`);
  throw new GatewayError("invalid_request", `\`${param}\` ${sentence}`, { param });
}
