import type { ChatCompletion, CompletionChoice, JsonObject } from "@tollgate/core/provider";
import { indexOf, readOutput } from "./candidate-output.ts";
import { toFinishReason } from "./finish-reason.ts";
import { head, isBlocked } from "./frame-reducer.ts";
import { objectsOf } from "./json.ts";
import { toUsage } from "./usage.ts";

/**
 * The completion that a GenerateContentResponse is, or undefined when it is none. A blocked prompt is an empty answer
 * that ended in `content_filter`. Throws a ProviderError of the kind `failed` for a model that ended without an answer.
 */
export function toCompletion(response: JsonObject): ChatCompletion | undefined {
  const candidates = objectsOf(response["candidates"]);
  if (candidates.length === 0 && !isBlocked(response)) return undefined;
  const usage = toUsage(response["usageMetadata"]);
  return {
    ...head(response),
    object: "chat.completion",
    choices: candidates.length === 0 ? [toChoice({ finishReason: "PROHIBITED_CONTENT" }, 0)] : candidates.map(toChoice),
    ...(usage === undefined ? {} : { usage }),
  };
}

function toChoice(candidate: JsonObject, position: number): CompletionChoice {
  const { text, thoughts, calls, signature } = readOutput(candidate);
  const said = { text: text !== "", calls: calls.length > 0 };
  return {
    index: indexOf(candidate, position),
    message: {
      role: "assistant",
      content: text === "" && said.calls ? null : text,
      ...(thoughts === "" ? {} : { reasoning_content: thoughts }),
      ...(said.calls ? { tool_calls: calls } : {}),
      ...signature,
    },
    finish_reason: toFinishReason(candidate["finishReason"], said) ?? toFinishReason("STOP", said) ?? "stop",
  };
}
