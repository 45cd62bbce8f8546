import type { APICallError } from "@ai-sdk/provider";
import {
  classifyBodyFailure,
  classifyConnectFailure,
  classifyErrorPayload,
  type FailureContext,
  ProviderError,
  readRetryAfter,
} from "@tollgate/core/provider";
import { invalidAnswer } from "./invalid-answer.ts";
import { isJsonObject } from "./json-object.ts";
import { networkError } from "./network-error.ts";
import { isSdkError } from "./sdk-errors.ts";

/** Classifies a failed HTTP call by its status and body, as core classifies a response of its own transport. */
export function classifyApiCallError(error: APICallError, context: FailureContext): ProviderError {
  const { statusCode: status, responseBody, data } = error;
  const all = { ...context, hidden: [...(context.hidden ?? []), ...hostsOf(error.url)] };
  const payload = responseBody || data;
  if (status === undefined && payload === undefined) return classifyConnectFailure(networkError(error) ?? error);
  if (status !== undefined && status < 400) return classifyUnreadable(error, all);
  return withRetryAfter(classifyErrorPayload(payload, status, all), error.responseHeaders);
}

/** Classifies a successful status whose body was cut off, or is not what the SDK's provider expects. */
function classifyUnreadable(error: APICallError, context: FailureContext): ProviderError {
  const reported = readReported(error.responseBody);
  if (reported !== undefined) return classifyErrorPayload(reported, undefined, context);
  const { cause } = error;
  return cause instanceof Error && !isSdkError(cause)
    ? classifyBodyFailure(networkError(error) ?? error)
    : invalidAnswer(context);
}

/** Returns the error object that some upstreams send with a successful status. */
function readReported(body: string | undefined): unknown {
  try {
    const value: unknown = JSON.parse(body ?? "");
    return isJsonObject(value) && value["error"] != null ? value : undefined;
  } catch {
    return undefined;
  }
}

function withRetryAfter(sorted: ProviderError, headers: Readonly<Record<string, string>> | undefined): ProviderError {
  const byName = new Map(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const seconds = readRetryAfter((name) => byName.get(name));
  if (seconds === undefined) return sorted;
  return new ProviderError(sorted.failure, sorted.message, { ...sorted.details, retryAfterSeconds: seconds });
}

function hostsOf(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  const { host, hostname } = new URL(url);
  return [host, hostname];
}
