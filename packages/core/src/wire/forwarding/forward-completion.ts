import { isJsonObject, isText, isTime, type JsonObject } from "../json.ts";
import type { Normalized, NormalizedChoice, NormalizedCompletion } from "../normalize-completion.ts";
import { isNoArguments } from "../tool-arguments.ts";
import { isWholeUsage, type Usage } from "../usage.ts";
import { findModel } from "./find-model.ts";
import { shortcuts } from "./shortcuts.ts";

/** A model id of the gateway, also as JSON. */
export interface PublicModel {
  readonly id: string;
  readonly idJson: string;
}

/** A completion for the client: the text that the upstream sent, with the public model id. */
export interface ForwardedCompletion {
  readonly json: string;
  readonly usage: Usage;
  /** The same completion, parsed. */
  readonly completion: NormalizedCompletion;
}

const noFingerprint = ',"system_fingerprint":null';

/**
 * Replaces the model id in the text of a completion that needs no other change; `parsed` is its value, which becomes that
 * of the result. Returns undefined for any other completion, which the caller must normalize: `normalizeCompletion` is the
 * reference implementation.
 */
export function forwardCompletion(text: string, parsed: unknown, model: PublicModel): ForwardedCompletion | undefined {
  if (shortcuts.reference !== undefined) return undefined;
  const hasFingerprint = isJsonObject(parsed) && "system_fingerprint" in parsed;
  const canonical = asCanonicalCompletion(parsed, model.id);
  const range = canonical && findModel(text);
  if (range === undefined || canonical?.usage === undefined) return undefined;
  const put = hasFingerprint ? model.idJson : model.idJson + noFingerprint;
  const json = text.slice(0, range.start) + put + text.slice(range.end);
  return { json, usage: canonical.usage, completion: canonical.completion };
}

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
  if (content != null && typeof content !== "string") return false;
  return calls == null || (Array.isArray(calls) && calls.every(isWholeCall));
}

function isWholeCall(call: unknown): boolean {
  if (!isJsonObject(call) || !isText(call["id"]) || !isText(call["type"])) return false;
  const called = call["function"];
  if (call["type"] !== "function") return true;
  if (!isJsonObject(called) || typeof called["name"] !== "string") return false;
  return typeof called["arguments"] === "string" && !isNoArguments(called["arguments"]);
}
