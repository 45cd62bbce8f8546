import { type AnswerForm, finishReasonOf, standardUsage } from "./answer-form.ts";
import type { AnswerIdentity } from "./chat-completion.ts";
import { isJsonObject, isText, isTime, type JsonObject } from "./json.ts";
import { withTextContent } from "./message-texts.ts";
import { isNoArguments, newCallId } from "./tool-calls.ts";
import { isComplete, type PartialUsage, readAnyUsage, type Usage } from "./usage.ts";

/** A choice with its index, its message and its finish_reason. The role is `assistant`, whatever role the provider sent. */
export interface NormalizedChoice {
  readonly index: number;
  readonly message: JsonObject & { readonly role: "assistant" };
  readonly finish_reason: string;
  readonly [name: string]: unknown;
}

/** A completion with every member that clients rely on. Unlisted members are kept. */
export interface NormalizedCompletion {
  readonly id: string;
  readonly object: "chat.completion";
  readonly created: number;
  model: string;
  system_fingerprint?: unknown;
  readonly choices: readonly NormalizedChoice[];
  /** The usage as reported, until it is settled. Undefined if it is missing or invalid. */
  usage: Usage | undefined;
  readonly [name: string]: unknown;
}

/** A completion for the client, and the usage that the provider reported. */
export interface Normalized {
  readonly completion: NormalizedCompletion;
  readonly usage: Usage | undefined;
  /** A usage with one count missing. */
  readonly partialUsage: PartialUsage | undefined;
}

/**
 * Normalizes a provider's answer, or returns undefined if it is not a completion. `usage` is the reported usage. If it
 * is missing or invalid, `usage` is undefined and `completion` has no usage either. A choice that the upstream gave up has
 * the finish_reason `interrupted`. `identity` has the id and time for a completion that has none. `form` is that of the
 * upstream's answers.
 */
export function normalizeCompletion(
  value: unknown,
  identity: AnswerIdentity,
  form?: AnswerForm,
): Normalized | undefined {
  if (!isJsonObject(value)) return undefined;
  const choices = normalizeChoices(value["choices"], form);
  if (choices === undefined) return undefined;
  const { id, created } = value;
  const reported = readAnyUsage(standardUsage(value["usage"], form));
  const usage = isComplete(reported) ? reported : undefined;
  // V8 is five times slower if a member is added to a copy, and this member is often missing.
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
  return { completion, usage, partialUsage: isComplete(reported) ? undefined : reported };
}

/** Returns the normalized choices, or undefined if there are none or one is invalid. */
function normalizeChoices(choices: unknown, form: AnswerForm | undefined): NormalizedChoice[] | undefined {
  if (!Array.isArray(choices) || choices.length === 0) return undefined;
  const normalized: NormalizedChoice[] = [];
  for (const choice of choices) {
    if (!isJsonObject(choice) || !isJsonObject(choice["message"])) return undefined;
    const message = normalizeMessage(choice["message"]);
    if (message === undefined) return undefined;
    normalized.push(normalizeChoice(choice, message, normalized.length, form));
  }
  return normalized;
}

function normalizeChoice(
  choice: JsonObject,
  message: NormalizedChoice["message"],
  position: number,
  form: AnswerForm | undefined,
): NormalizedChoice {
  const { index } = choice;
  return {
    ...choice,
    index: typeof index === "number" && Number.isInteger(index) ? index : position,
    message,
    finish_reason: reasonOf(choice["finish_reason"], message, form),
  };
}

function reasonOf(word: unknown, message: NormalizedChoice["message"], form: AnswerForm | undefined): string {
  if (word === "stop") return word;
  const reason = isText(word) ? finishReasonOf(word, form?.finishReasons) : "stop";
  return reason === "stop" ? finishOf(message) : reason;
}

/** Returns the finish_reason of a whole message for which the upstream sent none of OpenAI's. */
export function finishOf({ tool_calls: calls, function_call: called }: JsonObject): string {
  if (Array.isArray(calls) && calls.length > 0) return "tool_calls";
  return isJsonObject(called) ? "function_call" : "stop";
}

function normalizeMessage(message: JsonObject): NormalizedChoice["message"] | undefined {
  const { content, tool_calls: toolCalls } = message;
  if (content != null && typeof content !== "string" && !Array.isArray(content)) return undefined;
  const whole = withTextContent(message);
  if (Array.isArray(toolCalls)) {
    const calls = normalizeToolCalls(toolCalls);
    return calls && { ...whole, role, tool_calls: calls };
  }
  const { tool_calls: _, ...others } = whole;
  return { ...(toolCalls == null ? whole : others), role };
}

const role = "assistant";

/** Returns the normalized calls, or undefined if a function call has no name. */
function normalizeToolCalls(toolCalls: readonly unknown[]): JsonObject[] | undefined {
  const calls: JsonObject[] = [];
  for (const call of toolCalls.filter(isJsonObject)) {
    const id = isText(call["id"]) ? call["id"] : newCallId();
    const type = isText(call["type"]) ? call["type"] : "function";
    const called = call["function"];
    if (type !== "function") calls.push({ ...call, id, type });
    else if (!isJsonObject(called) || typeof called["name"] !== "string") return undefined;
    else calls.push({ ...call, id, type, function: { ...called, arguments: argumentsText(called["arguments"]) } });
  }
  return calls;
}

/** Some upstreams send the arguments as an object or omit them, but clients parse the text of an object. */
function argumentsText(args: unknown): string {
  if (typeof args !== "string") return JSON.stringify(args ?? {});
  return isNoArguments(args) ? "{}" : args;
}
