import * as v from "valibot";
import { isJsonObject, type JsonObject } from "./json.ts";
import { readUsage, type Usage } from "./usage.ts";

const mendedCompletion = v.looseObject({
  id: v.string(),
  object: v.literal("chat.completion"),
  created: v.pipe(v.number(), v.integer()),
  model: v.string(),
  choices: v.pipe(
    v.array(
      v.looseObject({
        index: v.pipe(v.number(), v.integer()),
        message: v.looseObject({ role: v.string() }),
        finish_reason: v.nullable(v.string()),
      }),
    ),
    v.minLength(1),
  ),
});

/** A completion with every member that clients rely on; unlisted ones are kept. */
export type MendedCompletion = v.InferOutput<typeof mendedCompletion>;

/** What a completion gets: the public model id, and an id and a time (Unix seconds) when the provider gave none. */
export interface CompletionIdentity {
  readonly model: string;
  readonly id: string;
  readonly created: number;
}

/** A completion for the client, and what the provider said of its usage. */
export interface Mended {
  readonly completion: MendedCompletion;
  readonly usage: Usage | undefined;
}

/**
 * Makes the answer of a provider the completion that the client gets, or undefined when it is none. `usage` is what
 * the provider reported, undefined when it is missing or absurd; `completion` then has no usage either.
 */
export function mendCompletion(value: unknown, identity: CompletionIdentity): Mended | undefined {
  if (!isJsonObject(value) || !Array.isArray(value["choices"])) return undefined;
  const { usage: reported, ...rest } = value;
  const usage = readUsage(reported);
  const { id, created } = rest;
  const head = {
    id: isText(id) ? id : identity.id,
    object: "chat.completion",
    created: isTime(created) ? created : identity.created,
    model: identity.model,
    choices: value["choices"].map(mendChoice),
    system_fingerprint: rest["system_fingerprint"] ?? null,
  };
  const mended = v.safeParse(mendedCompletion, { ...rest, ...head, ...(usage === undefined ? {} : { usage }) });
  return mended.success ? { completion: mended.output, usage } : undefined;
}

function mendChoice(choice: unknown, position: number): unknown {
  if (!isJsonObject(choice) || !isJsonObject(choice["message"])) return choice;
  const message = mendMessage(choice["message"]);
  const called = Array.isArray(message["tool_calls"]) && message["tool_calls"].length > 0;
  const { index, finish_reason: reason } = choice;
  return {
    ...choice,
    index: typeof index === "number" && Number.isInteger(index) ? index : position,
    message,
    finish_reason: isText(reason) ? reason : called ? "tool_calls" : "stop",
  };
}

function mendMessage(message: JsonObject): JsonObject {
  const calls = message["tool_calls"];
  return {
    ...message,
    role: isText(message["role"]) ? message["role"] : "assistant",
    ...(Array.isArray(calls) ? { tool_calls: calls.filter(isJsonObject).map(mendToolCall) } : {}),
  };
}

const mendToolCall = (call: JsonObject): JsonObject => ({
  ...call,
  id: isText(call["id"]) ? call["id"] : `call_${crypto.randomUUID().replaceAll("-", "")}`,
  type: isText(call["type"]) ? call["type"] : "function",
});

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

const isTime = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0;
