import type { ProviderError } from "../errors/provider-error.ts";
import { type FailureContext, sortErrorPayload } from "../failures/failure.ts";
import { isJsonObject } from "../wire/json.ts";

/**
 * The error that a frame or an answer with status 200 reports, or undefined when it reports none. The context is asked
 * for only when there is one.
 */
export function readReportedError(
  value: unknown,
  context: () => FailureContext = nothingKnown,
): ProviderError | undefined {
  const payload = findError(value);
  return payload === undefined ? undefined : sortErrorPayload(payload, undefined, context());
}

/** The context of an upstream of which nothing is known. */
export const nothingKnown = (): FailureContext => ({});

function findError(value: unknown): unknown {
  const body = Array.isArray(value) ? value[0] : value;
  if (!isJsonObject(body)) return undefined;
  if (body["error"] || body["object"] === "error") return body;
  for (const choice of Array.isArray(body["choices"]) ? body["choices"] : []) {
    if (!isJsonObject(choice)) continue;
    if (isJsonObject(choice["error"])) return choice["error"];
    if (choice["finish_reason"] === "error") return "The upstream ended a choice with an error.";
  }
  return undefined;
}
