import { ProviderError } from "../../../errors/provider-error.ts";
import { isJsonMembers, isJsonObject, isText, type Json, type JsonObject } from "../../../wire/json.ts";
import { parseLosslessJson } from "../../../wire/lossless-json.ts";
import { messageTexts } from "../../../wire/message-texts.ts";
import { toMessagesUsage } from "../../../wire/messages-usage.ts";
import type { NormalizedChoice, NormalizedCompletion } from "../../../wire/normalize-completion.ts";
import type { Usage } from "../../../wire/usage.ts";
import { toMessagesCallId } from "../request/call-ids.ts";

/**
 * Maps a chat completion to the answer of the Messages API, under this id. `sequences` are the stop sequences of the
 * request. Throws a ProviderError for a call whose arguments are not a JSON object.
 * Follows https://platform.claude.com/docs/en/api/messages/create
 */
export function toMessage(
  { model, choices }: NormalizedCompletion,
  { id, sequences }: { readonly id: string; readonly sequences: readonly string[] },
  usage: Usage,
): JsonObject {
  const [choice] = choices;
  const message = choice?.message ?? {};
  const { reasoning, text, refusal } = messageTexts(message);
  const hasRefused = refusal !== "";
  const calls = callsOf(message, choice);
  const stopReason = choice?.["stop_reason"];
  const content: JsonObject[] = [
    // Only the provider that has thought can sign it. Without a signature it is not sent to Anthropic's API again.
    ...(reasoning === "" ? [] : [{ type: "thinking", thinking: reasoning, signature: "" }]),
    ...(text + refusal === "" ? [] : [{ type: "text", text: text + refusal }]),
    ...calls,
  ];
  const end = { finishReason: choice?.finish_reason, stopReason, sequences, hasCalls: calls.length > 0, hasRefused };
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content,
    ...toStop(end),
    usage: toMessagesUsage(usage),
  };
}

function callsOf({ tool_calls: calls }: JsonObject, choice: NormalizedChoice | undefined): readonly JsonObject[] {
  if (!Array.isArray(calls)) return [];
  return calls.filter(isJsonObject).flatMap(({ id, function: called }) => {
    if (!isJsonObject(called)) return [];
    const input = readInput(called["arguments"], choice?.finish_reason === "length");
    return [{ type: "tool_use", id: toMessagesCallId(String(id)), name: called["name"], input }];
  });
}

/** The arguments of an answer that was cut off are often incomplete. */
function readInput(args: unknown, isCutOff: boolean): JsonObject {
  const input = !isText(args) || args.trim() === "" ? {} : parse(args);
  if (isJsonMembers(input)) return input;
  if (isCutOff) return {};
  throw new ProviderError("invalid_response", "The answer calls a tool with arguments that are not a JSON object.");
}

function parse(json: string): Json | undefined {
  try {
    return parseLosslessJson(json);
  } catch {
    return undefined;
  }
}

const reasons: ReadonlyMap<unknown, string> = new Map([
  ["length", "max_tokens"],
  ["tool_calls", "tool_use"],
  ["function_call", "tool_use"],
  ["content_filter", "refusal"],
]);

/**
 * Maps the end of a chat completion. Some upstreams report "stop" after tool calls, for which clients of this API wait.
 * `stopReason` is the stop sequence that was found, where the upstream names it, and `sequences` are those of the request.
 * Follows https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
 */
export function toStop({
  finishReason,
  stopReason,
  sequences,
  hasCalls,
  hasRefused,
}: {
  readonly finishReason: unknown;
  readonly stopReason: unknown;
  readonly sequences: readonly string[];
  readonly hasCalls: boolean;
  readonly hasRefused: boolean;
}) {
  const known = reasons.get(finishReason);
  if (known !== undefined) return { stop_reason: known, stop_sequence: null };
  if (hasCalls) return { stop_reason: "tool_use", stop_sequence: null };
  if (hasRefused) return { stop_reason: "refusal", stop_sequence: null };
  const sequence = sequences.find((each) => each === stopReason);
  return sequence === undefined
    ? { stop_reason: "end_turn", stop_sequence: null }
    : { stop_reason: "stop_sequence", stop_sequence: sequence };
}

/** Returns the stop sequences of a request in the form of a chat completion. */
export const sequencesOf = (stop: unknown): readonly string[] =>
  Array.isArray(stop) ? stop.filter((each) => typeof each === "string") : [];
