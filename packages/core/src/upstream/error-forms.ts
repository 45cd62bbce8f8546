import { isJsonObject, isText, type JsonObject } from "../wire/json.ts";

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
