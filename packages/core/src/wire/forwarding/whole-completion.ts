import { isJsonObject, type JsonObject } from "../json.ts";
import type { Normalized, NormalizedChoice, NormalizedCompletion } from "../normalize-completion.ts";
import { isText, isTime } from "../present.ts";
import { isWholeUsage } from "../usage.ts";

/**
 * Changes the model and a missing fingerprint of a completion in place, if `normalizeCompletion` would change nothing else.
 * Returns undefined for any other value, and does not change it.
 */
export function asCanonicalCompletion(value: unknown, model: string): Normalized | undefined {
  if (!isWhole(value)) return undefined;
  value.model = model;
  value.system_fingerprint ??= null;
  return { completion: value, usage: value.usage, partialUsage: undefined };
}

function isWhole(value: unknown): value is NormalizedCompletion {
  if (!isJsonObject(value)) return false;
  const { id, object, created, choices, usage } = value;
  if (!isText(id) || object !== "chat.completion" || !isTime(created)) return false;
  return Array.isArray(choices) && choices.length > 0 && choices.every(isWholeChoice) && isWholeUsage(usage);
}

function isWholeChoice(choice: unknown): choice is NormalizedChoice {
  if (!isJsonObject(choice) || !isJsonObject(choice["message"])) return false;
  return Number.isInteger(choice["index"]) && isText(choice["finish_reason"]) && isWholeMessage(choice["message"]);
}

function isWholeMessage({ role, content, tool_calls: calls }: JsonObject): boolean {
  if (role !== "assistant") return false;
  if (content != null && typeof content !== "string" && !Array.isArray(content)) return false;
  return calls == null || (Array.isArray(calls) && calls.every(isWholeCall));
}

function isWholeCall(call: unknown): boolean {
  if (!isJsonObject(call) || !isText(call["id"]) || !isText(call["type"])) return false;
  const called = call["function"];
  if (call["type"] !== "function") return true;
  return isJsonObject(called) && typeof called["name"] === "string" && typeof called["arguments"] === "string";
}
