import { ProviderError, type ProviderFailure } from "../errors/provider-error.ts";
import { isJsonObject, type JsonObject } from "../wire/json.ts";

const longestMessage = 500;

const byWord: readonly (readonly [RegExp, ProviderFailure])[] = [
  [/context.?length|context.?window|maximum context|prompt is too long|string_above_max/, "context_length"],
  [/too.?large|payload/, "too_large"],
  [/quota|billing|credit|balance|auth|api.?key|permission|forbidden|not.?found|payment/, "credentials"],
  [/rate.?limit|too.?many|overload|exhausted|unavailable|capacity|throttl/, "overloaded"],
  [/timeout|timed.?out|deadline|server|internal|api_error/, "failed"],
  [/invalid|bad.?request|unsupported|unprocessable|content.?policy|content.?filter/, "rejected"],
];

/** The error that a frame or an answer with status 200 reports, or undefined when it reports none. */
export function readReportedError(value: unknown): ProviderError | undefined {
  const body = Array.isArray(value) ? value[0] : value;
  if (!isJsonObject(body)) return undefined;
  if (body["error"]) return sortReportedError(body["error"], body);
  if (body["object"] === "error") return sortReportedError(body, body);
  for (const choice of Array.isArray(body["choices"]) ? body["choices"] : []) {
    if (!isJsonObject(choice)) continue;
    if (isJsonObject(choice["error"])) return sortReportedError(choice["error"], body);
    if (choice["finish_reason"] === "error")
      return sortReportedError("The upstream ended a choice with an error.", body);
  }
  return undefined;
}

/**
 * Sorts an error that an upstream reported inside an answer: by its HTTP status where it names one, else by its code
 * or type, else by its words. Knows `{error: {}}`, `{error: "text"}`, Anthropic's `type` and Google's `status`.
 */
export function sortReportedError(error: unknown, around: JsonObject = {}): ProviderError {
  const members = isJsonObject(error) ? error : { message: error };
  const message = conceal(readMessage(members, error));
  const status = readStatus(members) ?? readStatus(around);
  const words = [members["code"], members["type"], members["status"]].filter((word) => typeof word === "string");
  const failure = sort(status, words.join(" ").toLowerCase(), message.toLowerCase());
  const param = members["param"];
  return new ProviderError(failure, `The upstream reported an error in its answer: ${message}`, {
    ...(status === undefined ? {} : { status }),
    ...(failure === "rejected" || failure === "context_length" ? { clientMessage: message } : {}),
    ...(typeof param === "string" && /^[\w.[\]]{1,100}$/.test(param) ? { param } : {}),
  });
}

function sort(status: number | undefined, words: string, message: string): ProviderFailure {
  if (status === 400 || status === 422)
    return byWord[0]?.[0].test(`${words} ${message}`) ? "context_length" : "rejected";
  if (status === 413) return "too_large";
  if (status === 429 || status === 503 || status === 529) return "overloaded";
  if (status !== undefined && status >= 401 && status <= 404) return "credentials";
  if (status !== undefined) return "failed";
  if (byWord[0]?.[0].test(`${words} ${message}`)) return "context_length";
  return byWord.find(([pattern]) => pattern.test(words))?.[1] ?? "failed";
}

function readStatus(members: JsonObject): number | undefined {
  for (const name of ["status", "status_code", "code"]) {
    const value = members[name];
    const status = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
    if (Number.isInteger(status) && status >= 400 && status <= 599) return status;
  }
  return undefined;
}

function readMessage(members: JsonObject, error: unknown): string {
  const message = members["message"];
  return typeof message === "string" ? message : (JSON.stringify(error) ?? "no message");
}

/** Takes addresses, hosts, e-mail addresses and long opaque tokens (keys and ids) out of an upstream's words. */
function conceal(message: string): string {
  return message
    .slice(0, longestMessage)
    .replace(/\b[a-z][a-z0-9+.-]{0,20}:\/\/\S+/gi, "[address]")
    .replace(/\S+@\S+/g, "[address]")
    .replace(/\b[\w-]+(?:\.[\w-]+)+(?::\d+)?\b/g, concealHost)
    .replace(/\b(?:sk|org|req|proj|key)[-_]\S+/gi, "[id]")
    .replace(/[A-Za-z0-9_-]{20,}/g, concealToken);
}

/** A dotted name is a host unless it is a version number or a path into the request. */
const concealHost = (name: string): string =>
  /:\d+$|^\d+(?:\.\d+){3}$|\.(?:com|net|org|io|ai|dev|cloud|local|internal|svc)\b/i.test(name) ? "[host]" : name;

/** Long words of letters alone, such as field names, are no secrets. */
const concealToken = (token: string): string => (/\d/.test(token) ? "[id]" : token);
