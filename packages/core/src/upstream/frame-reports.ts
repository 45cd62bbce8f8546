import type { ProviderError } from "../errors/provider-error.ts";
import { isJsonObject, type JsonObject } from "../wire/json.ts";
import { reportsError } from "./error-forms.ts";
import { classifyErrorPayload, type FailureContext } from "./failure.ts";

/** A frame without its usage, and the usage. OpenAI puts it on the frame, Groq in `x_groq`, Moonshot on a choice. */
export interface FrameWithoutUsage {
  readonly frame: JsonObject;
  /** Every usage object of the frame, not validated yet. */
  readonly reported: readonly JsonObject[];
}

/** Returns a copy of a frame without its usage, and the usage. Does not change the frame. */
export function takeUsage(frame: JsonObject): FrameWithoutUsage {
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
