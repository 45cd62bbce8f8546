import { ProviderError } from "../../../errors/provider-error.ts";
import { isJsonMembers, isJsonObject, isText, type Json, type JsonObject } from "../../../wire/json.ts";
import { parseLosslessJson } from "../../../wire/lossless-json.ts";
import { messageTexts } from "../../../wire/message-texts.ts";
import { toMessagesUsage } from "../../../wire/messages-usage.ts";
import type { NormalizedChoice, NormalizedCompletion } from "../../../wire/normalize-completion.ts";
import type { Usage } from "../../../wire/usage.ts";
import { toMessagesCallId } from "../request/call-ids.ts";
import { toStop } from "./stop-reason.ts";

/** What an answer needs beside the completion. */
export interface MessageIdentity {
  readonly id: string;
  /** The stop sequences of the request. */
  readonly sequences: readonly string[];
}

/**
 * Maps a chat completion to the answer of the Messages API. Throws a ProviderError for a call whose arguments are not a
 * JSON object.
 * Follows https://platform.claude.com/docs/en/api/messages/create
 */
export function toMessage(
  { model, choices }: NormalizedCompletion,
  identity: MessageIdentity,
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
  const { sequences } = identity;
  const end = { finishReason: choice?.finish_reason, stopReason, sequences, hasCalls: calls.length > 0, hasRefused };
  return {
    id: identity.id,
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
