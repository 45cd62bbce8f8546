import type { ProviderError } from "../errors/provider-error.ts";
import { isJsonObject, isText, type JsonObject } from "../wire/json.ts";
import { classifyErrorPayload, type FailureContext } from "./failure.ts";

/**
 * Returns a copy of a frame without its usage, and every usage object in it, not validated yet. OpenAI puts the usage on the
 * frame, Groq in `x_groq`, Moonshot on a choice. Does not change the frame.
 */
export function takeUsage(frame: JsonObject): {
  readonly frame: JsonObject;
  readonly reported: readonly JsonObject[];
} {
  const reported: JsonObject[] = [];
  const take = (holder: JsonObject): JsonObject => {
    if (!Object.hasOwn(holder, "usage")) return holder;
    const { usage, ...rest } = holder;
    if (isJsonObject(usage)) reported.push(usage);
    return rest;
  };
  const { x_groq: groq, choices } = frame;
  const bare = {
    ...take(frame),
    ...(isJsonObject(groq) ? { x_groq: take(groq) } : {}),
    ...(Array.isArray(choices)
      ? { choices: choices.map((choice) => (isJsonObject(choice) ? take(choice) : choice)) }
      : {}),
  };
  return { frame: bare, reported };
}

/**
 * Returns the error that a frame or an answer with status 200 reports, or undefined if it reports none. Calls `context`
 * only for an error.
 */
export function readReportedError(
  value: unknown,
  context: () => FailureContext = nothingKnown,
): ProviderError | undefined {
  const payload = findError(value);
  return payload === undefined ? undefined : classifyErrorPayload(payload, undefined, context());
}

/** The context of an unknown upstream. */
export const nothingKnown = (): FailureContext => ({});

function findError(value: unknown): unknown {
  const body = Array.isArray(value) ? value[0] : value;
  if (!isJsonObject(body)) return undefined;
  if (body["error"] || body["object"] === "error") return body;
  const { choices } = body;
  if (!Array.isArray(choices)) return reportsError(body) ? body : undefined;
  for (const choice of choices) {
    if (!isJsonObject(choice)) continue;
    if (isJsonObject(choice["error"])) return choice["error"];
    if (choice["finish_reason"] === "error") return "The upstream ended a choice with an error.";
  }
  return undefined;
}

/** Members in which upstreams report an error beside `message` and `code`: FastAPI, Cloudflare, AWS, Apigee and others. */
const errorMember =
  /^(?:err(?:or)?s?|fault|exception|detail|err(?:or)?[_-]?(?:code|no|msg|message|description|type))$/i;
const errorName = /error|exception|fail/i;
const statusMembers = ["code", "status", "status_code", "statusCode", "type"] as const;
/** Codes with which some upstreams report that nothing is wrong. */
const success: ReadonlySet<unknown> = new Set([0, 200, "0", "200", "ok", "OK", "success", "completed", "in_progress"]);

/**
 * True for an event that reports an error in any form. `name` is that of the event stream, `type` that of the event, either of
 * which may be empty. `isKnown` is true for a type that the API has, and that reports none.
 */
export function isErrorEvent(data: JsonObject, name: string, type: string, isKnown: boolean): boolean {
  if (name !== type && errorName.test(name)) return true;
  return isKnown ? isFilled(data["error"]) : errorName.test(type) || reportsError(data);
}

/**
 * True for an object that reports an error in any form of the listed upstreams: `{error}`, `{errors}`, `{detail}` of FastAPI,
 * `{object: "error"}` of vLLM and Mistral, `{message, code}` of SiliconFlow and DashScope, `{success: false}` of Cloudflare,
 * `{base_resp}` of MiniMax. Only for an object that is no answer.
 */
export function reportsError(value: JsonObject): boolean {
  if (value["object"] === "error" || value["status"] === "error" || value["success"] === false) return true;
  const { base_resp: state, message } = value;
  if (isJsonObject(state) && isFilled(state["status_code"])) return true;
  if (isText(message) && statusMembers.some((name) => isFilled(value[name]) && !success.has(value[name]))) return true;
  return Object.keys(value).some((name) => errorMember.test(name) && isFilled(value[name]));
}

/** False for a value that says that there is no error. */
export function isFilled(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === "" || value === 0) return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
