import { isJsonObject, type JsonObject } from "../wire/json.ts";

/** The members of an upstream's error of any shape. Its text may contain secrets. */
export interface ErrorPayload {
  readonly message?: string | undefined;
  /** The message if it comes from a known error object. Any other text only classifies the error and is never shown. */
  readonly shown?: string | undefined;
  /** The upstream's names of the error, most specific first. */
  readonly names: readonly string[];
  /** The HTTP status in the payload, or the one that its names imply. */
  readonly status?: number | undefined;
  readonly param?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

const emptyPayload: ErrorPayload = { names: [] };

/**
 * Reads `{error:{}}` of OpenAI, `{error:"text"}` of Ollama, `{type:"error",error:{}}` of Anthropic,
 * `{error:{status,details}}` of Google, `{detail}` of FastAPI, a flat `{message}`, an array of those, or plain text.
 */
export function readErrorPayload(value: unknown): ErrorPayload {
  if (typeof value === "string") return readText(value);
  if (Array.isArray(value)) return readErrorPayload(value.find(isJsonObject));
  if (!isJsonObject(value)) return emptyPayload;
  const { error } = value;
  if (isJsonObject(error)) {
    const inner = readFlat(error);
    return { ...inner, status: inner.status ?? explicitStatus(value) };
  }
  return typeof error === "string" ? { ...readFlat(value), ...readSentence(error) } : readFlat(value);
}

function readText(text: string): ErrorPayload {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.startsWith("<")) return emptyPayload;
  if (!/^[[{]/.test(trimmed)) return { names: [], message: trimmed };
  try {
    return readErrorPayload(JSON.parse(trimmed));
  } catch {
    return emptyPayload;
  }
}

function readFlat(error: JsonObject): ErrorPayload {
  const names = [error["code"], error["type"], error["status"], reason(error)].filter(isName);
  const inner = readMessage(error);
  return {
    ...inner,
    names: [...names, ...inner.names],
    status: readStatus(error, names) ?? inner.status,
    param: readParam(error) ?? inner.param,
    retryAfterSeconds: details(error)
      .map((detail) => readDuration(detail["retryDelay"]))
      .find((seconds) => seconds !== undefined),
  };
}

/** Some gateways put the JSON of their own upstream into the message. */
function readMessage(error: JsonObject): ErrorPayload {
  const text = [error["message"], error["detail"], error["msg"]].find((each) => typeof each === "string");
  if (typeof text === "string") return readSentence(text);
  const nested = [error["message"], error["detail"]].find((each) => typeof each === "object" && each !== null);
  return nested === undefined ? emptyPayload : readErrorPayload(nested);
}

function readSentence(text: string): ErrorPayload {
  if (/^\s*[[{]/.test(text)) return readText(text);
  return isPage(text) || isStackTrace(text) ? { names: [], message: text } : { names: [], message: text, shown: text };
}

const isPage = (text: string): boolean => /^\s*</.test(text);

/** Matches stack traces of Python, JavaScript and Java, which a proxy may put into an error object. */
const isStackTrace = (text: string): boolean =>
  /Traceback \(most recent call last\)|\n\s{1,8}(?:at |File ")/.test(text);

function readStatus(error: JsonObject, names: readonly string[]): number | undefined {
  return (
    explicitStatus(error) ??
    names.map((name) => statusOfName.get(name.toLowerCase())).find((status) => status !== undefined)
  );
}

/** Returns the status that an object has as a number or as digits. */
function explicitStatus(error: JsonObject): number | undefined {
  const candidates = [error["status"], error["status_code"], error["code"]];
  return candidates
    .map((each) => (typeof each === "number" || typeof each === "string" ? Number(each) : Number.NaN))
    .find(isErrorStatus);
}

function readParam(error: JsonObject): string | undefined {
  const location = Array.isArray(error["loc"]) ? error["loc"].filter((part) => part !== "body").join(".") : undefined;
  const violation = details(error).flatMap((detail) => detail["fieldViolations"] ?? [])[0];
  const field = isJsonObject(violation) ? violation["field"] : undefined;
  const param = [error["param"], location, field].find((each) => typeof each === "string");
  return typeof param === "string" && /^[\w.[\]-]{1,200}$/.test(param) ? param : undefined;
}

/** Google sends a list of details, Anthropic one object. */
const reason = (error: JsonObject) =>
  isJsonObject(error["details"])
    ? error["details"]["error_code"]
    : details(error)
        .map((detail) => detail["reason"])
        .find(isName);

const details = (error: JsonObject): readonly JsonObject[] =>
  Array.isArray(error["details"]) ? error["details"].filter(isJsonObject) : [];

const isName = (value: unknown): value is string => typeof value === "string" && /^[A-Za-z][\w.-]{1,60}$/.test(value);

const isErrorStatus = (status: number) => Number.isInteger(status) && status >= 400 && status <= 599;

/** Names of OpenAI, Anthropic, vLLM and gRPC (https://cloud.google.com/apis/design/errors), in lower case. */
const statusOfName: ReadonlyMap<string, number> = new Map([
  ["invalid_request_error", 400],
  ["badrequesterror", 400],
  ["context_length_exceeded", 400],
  ["invalid_argument", 400],
  ["failed_precondition", 400],
  ["out_of_range", 400],
  ["content_filter", 400],
  ["authentication_error", 401],
  ["invalid_api_key", 401],
  ["unauthenticated", 401],
  ["billing_error", 402],
  ["insufficient_quota", 402],
  ["permission_error", 403],
  ["permission_denied", 403],
  ["not_found_error", 404],
  ["model_not_found", 404],
  ["not_found", 404],
  ["timeout_error", 408],
  ["aborted", 409],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["rate_limit_exceeded", 429],
  ["resource_exhausted", 429],
  ["unavailable", 503],
  ["service_unavailable", 503],
  ["overloaded_error", 529],
  ["engine_overloaded", 503],
  ["deadline_exceeded", 504],
]);

const maxSeconds = 31_536_000;

/**
 * Reads the delay of a response head in whole seconds: `retry-after-ms`, or `retry-after` as seconds or a date
 * (RFC 9110, section 10.2.3). A date is compared with the `date` header where there is one.
 */
export function readRetryAfter(header: (name: string) => string | undefined): number | undefined {
  const milliseconds = readNumber(header("retry-after-ms"));
  if (milliseconds !== undefined) return wholeSeconds(milliseconds / 1000);
  const value = header("retry-after");
  return wholeSeconds(readNumber(value) ?? secondsUntil(value, header("date")));
}

/** Reads a duration of Google's RetryInfo: "34s" or "0.5s". */
export function readDuration(value: unknown): number | undefined {
  const seconds = typeof value === "string" ? /^(\d{1,10}(?:\.\d{1,9})?)s$/.exec(value)?.[1] : undefined;
  return wholeSeconds(readNumber(seconds));
}

function secondsUntil(date: string | undefined, now: string | undefined): number {
  // Date.parse reads "-5" as a year. An HTTP date begins with the name of a day.
  if (date === undefined || !/^[A-Z][a-z]{2}/.test(date)) return Number.NaN;
  const upstreamNow = Date.parse(now ?? "");
  return (Date.parse(date) - (Number.isNaN(upstreamNow) ? Date.now() : upstreamNow)) / 1000;
}

function readNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

function wholeSeconds(seconds: number | undefined): number | undefined {
  if (seconds === undefined || Number.isNaN(seconds) || seconds > maxSeconds) return undefined;
  return Math.max(0, Math.ceil(seconds));
}
