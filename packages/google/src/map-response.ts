import type { ChatCompletion, CompletionChoice, JsonObject } from "@tollgate/core/provider";
import { indexOf, readOutput } from "./candidate-output.ts";
import { toFinishReason } from "./finish-reason.ts";
import { head, isBlocked } from "./frame-reducer.ts";
import { objectsOf } from "./json.ts";
import { toUsage } from "./usage.ts";

/**
 * Maps a GenerateContentResponse to a completion. Returns undefined if it has no candidates, unless the prompt was
 * blocked: that is an empty completion with the finish reason `content_filter`. Throws a ProviderError of the kind
 * `failed` if the model did not finish its answer.
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
  const hasCalls = calls.length > 0;
  return {
    index: indexOf(candidate, position),
    message: {
      role: "assistant",
      content: text === "" && hasCalls ? null : text,
      ...(thoughts === "" ? {} : { reasoning_content: thoughts }),
      ...(hasCalls ? { tool_calls: calls } : {}),
      ...signature,
    },
    finish_reason: toFinishReason(candidate["finishReason"], hasCalls) ?? (hasCalls ? "tool_calls" : "stop"),
  };
}
