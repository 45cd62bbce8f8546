import { isJsonObject, type JsonObject } from "./json.ts";
import { isText, isTime } from "./present.ts";
import { type PartialUsage, readPartialUsage, readUsage, type Usage } from "./usage.ts";

/** A message of the assistant, whatever the provider calls that role; unlisted members are kept. */
export interface NormalizedMessage {
  readonly role: "assistant";
  readonly [name: string]: unknown;
}

/** A choice with its place, its message and why it ended. */
export interface NormalizedChoice {
  readonly index: number;
  readonly message: NormalizedMessage;
  readonly finish_reason: string;
  readonly [name: string]: unknown;
}

/** A completion with every member that clients rely on; unlisted ones are kept. */
export interface NormalizedCompletion {
  readonly id: string;
  readonly object: "chat.completion";
  readonly created: number;
  model: string;
  system_fingerprint?: unknown;
  readonly choices: readonly NormalizedChoice[];
  /** As reported until it is settled; undefined when it is missing or absurd. */
  usage: Usage | undefined;
  readonly [name: string]: unknown;
}

/** What a completion gets: the public model id, and an id and a time (Unix seconds) when the provider gave none. */
export interface CompletionIdentity {
  readonly model: string;
  readonly id: string;
  readonly created: number;
}

/** A completion for the client, and what the provider said of its usage. */
export interface Normalized {
  readonly completion: NormalizedCompletion;
  readonly usage: Usage | undefined;
  /** What is left of a usage that is missing a count. */
  readonly partialUsage: PartialUsage | undefined;
}

/**
 * Makes the answer of a provider the completion that the client gets, or undefined when it is none. `usage` is what
 * the provider reported, undefined when it is missing or absurd; `completion` then has no usage either.
 */
export function normalizeCompletion(value: unknown, identity: CompletionIdentity): Normalized | undefined {
  if (!isJsonObject(value)) return undefined;
  const choices = normalizeChoices(value["choices"]);
  if (choices === undefined) return undefined;
  const { usage: reported, id, created } = value;
  const usage = readUsage(reported);
  // V8 takes five times as long for a copy to which a member is added, and this one is often missing.
  const whole = "system_fingerprint" in value ? value : { system_fingerprint: null, ...value };
  const completion = {
    ...whole,
    id: isText(id) ? id : identity.id,
    object: "chat.completion" as const,
    created: isTime(created) ? created : identity.created,
    model: identity.model,
    choices,
    usage,
    system_fingerprint: value["system_fingerprint"] ?? null,
  };
  return { completion, usage, partialUsage: usage === undefined ? readPartialUsage(reported) : undefined };
}

/** Every choice, or undefined when there is none or one is no choice. */
function normalizeChoices(choices: unknown): NormalizedChoice[] | undefined {
  if (!Array.isArray(choices) || choices.length === 0) return undefined;
  const normalized: NormalizedChoice[] = [];
  for (const choice of choices) {
    if (!isJsonObject(choice) || !isJsonObject(choice["message"])) return undefined;
    const message = normalizeMessage(choice["message"]);
    if (message === undefined) return undefined;
    normalized.push(normalizeChoice(choice, message, normalized.length));
  }
  return normalized;
}

function normalizeChoice(choice: JsonObject, message: NormalizedMessage, position: number): NormalizedChoice {
  const { index, finish_reason: reason } = choice;
  return {
    ...choice,
    index: typeof index === "number" && Number.isInteger(index) ? index : position,
    message,
    finish_reason: isText(reason) ? reason : finishOf(message),
  };
}

/** Why a message ended, when its upstream does not say. */
export function finishOf({ tool_calls: calls, function_call: called }: JsonObject): string {
  if (Array.isArray(calls) && calls.length > 0) return "tool_calls";
  return isJsonObject(called) ? "function_call" : "stop";
}

function normalizeMessage(message: JsonObject): NormalizedMessage | undefined {
  const { content, tool_calls: given } = message;
  if (content != null && typeof content !== "string" && !Array.isArray(content)) return undefined;
  if (Array.isArray(given)) {
    const calls = normalizeToolCalls(given);
    return calls && { ...message, role, tool_calls: calls };
  }
  const { tool_calls: _, ...others } = message;
  return { ...(given == null ? message : others), role };
}

const role = "assistant";

/** Every call, or undefined when one of a function names none. */
function normalizeToolCalls(given: readonly unknown[]): JsonObject[] | undefined {
  const calls: JsonObject[] = [];
  for (const call of given.filter(isJsonObject)) {
    const id = isText(call["id"]) ? call["id"] : `call_${crypto.randomUUID().replaceAll("-", "")}`;
    const type = isText(call["type"]) ? call["type"] : "function";
    const called = call["function"];
    if (type !== "function") calls.push({ ...call, id, type });
    else if (!isJsonObject(called) || typeof called["name"] !== "string") return undefined;
    else calls.push({ ...call, id, type, function: { ...called, arguments: argumentsText(called["arguments"]) } });
  }
  return calls;
}

/** Some upstreams give the arguments as an object, or none at all, where clients parse a text. */
function argumentsText(given: unknown): string {
  return typeof given === "string" ? given : JSON.stringify(given ?? {});
}
