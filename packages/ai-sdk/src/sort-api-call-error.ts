import type { APICallError } from "@ai-sdk/provider";
import {
  type FailureContext,
  ProviderError,
  readRetryAfter,
  sortBodyFailure,
  sortConnectFailure,
  sortErrorPayload,
} from "@tollgate/core/provider";
import { invalidAnswer } from "./invalid-answer.ts";
import { isJsonObject } from "./json-object.ts";
import { networkError } from "./network-error.ts";
import { isSdkError } from "./sdk-errors.ts";

/** A call over HTTP that failed, sorted by its status and body as core sorts an answer of its own transport. */
export function sortApiCallError(error: APICallError, context: FailureContext): ProviderError {
  const { statusCode: status, responseBody, data } = error;
  const all = { ...context, hidden: [...(context.hidden ?? []), ...hostsOf(error.url)] };
  const payload = responseBody || data;
  if (status === undefined && payload === undefined) return sortConnectFailure(networkError(error) ?? error);
  if (status !== undefined && status < 400) return sortAnswer(error, all);
  return withWait(sortErrorPayload(payload, status, all), error.responseHeaders);
}

/** The upstream answered, but not with what the SDK's provider expects, or its body broke off. */
function sortAnswer(error: APICallError, context: FailureContext): ProviderError {
  const reported = readReported(error.responseBody);
  if (reported !== undefined) return sortErrorPayload(reported, undefined, context);
  const { cause } = error;
  return cause instanceof Error && !isSdkError(cause)
    ? sortBodyFailure(networkError(error) ?? error)
    : invalidAnswer(context);
}

/** An error in the place of a completion, under a status of success. */
function readReported(body: string | undefined): unknown {
  try {
    const value: unknown = JSON.parse(body ?? "");
    return isJsonObject(value) && value["error"] != null ? value : undefined;
  } catch {
    return undefined;
  }
}

function withWait(sorted: ProviderError, headers: Readonly<Record<string, string>> | undefined): ProviderError {
  const byName = new Map(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const wait = readRetryAfter((name) => byName.get(name));
  if (wait === undefined) return sorted;
  return new ProviderError(sorted.failure, sorted.message, { ...sorted.details, retryAfterSeconds: wait });
}

function hostsOf(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  const { host, hostname } = new URL(url);
  return [host, hostname];
}
