import { type ChatParameters, isTextFormat } from "./chat-completion-request.ts";
import type { Feature } from "./feature.ts";
import { formatNames } from "./inspected-names.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { isNoOp } from "./no-op.ts";

/** A feature that a request asks for under another name. */
export interface SpelledFeature {
  readonly feature: Feature;
  /** The dot path of the member that requests it. */
  readonly param: string;
}

const formats: ReadonlySet<string> = new Set(formatNames);

/** Returns the features that these members request. `names` are those that the scan found. */
export const spelledFeatures = (chat: ChatParameters, names: readonly string[]): readonly SpelledFeature[] =>
  names.flatMap((name) => spelledBy(name, chat[name]) ?? []);

function spelledBy(name: string, value: unknown): SpelledFeature | undefined {
  if (isNoOp(name, value)) return undefined;
  if (formats.has(name)) return { feature: "response_format", param: name };
  if (name === "text") return hasFormat(value) ? { feature: "response_format", param: "text.format" } : undefined;
  if (name === "reasoning" && isJsonObject(value)) return readReasoning(value);
  const isOff = value === 0 || (isJsonObject(value) && value["type"] === "disabled");
  return isOff ? undefined : { feature: "reasoning_effort", param: name };
}

const hasFormat = (value: unknown): boolean =>
  isJsonObject(value) && value["format"] != null && !isTextFormat(value["format"]);

/** Members that control whether reasoning is shown, not whether the model reasons. */
const shown: ReadonlySet<string> = new Set(["summary", "generate_summary", "exclude"]);

function readReasoning(value: JsonObject): SpelledFeature | undefined {
  if (value["effort"] != null) return { feature: "reasoning_effort", param: "reasoning.effort" };
  const asks = Object.keys(value).some((name) => !shown.has(name) && !isNoOp(name, value[name]));
  return asks ? { feature: "reasoning_effort", param: "reasoning" } : undefined;
}

/** True if a request sets the reasoning effort under another name, including to none. */
export const setsReasoningEffort = (chat: ChatParameters, names: readonly string[]): boolean =>
  names.some((name) => {
    const value = chat[name];
    if (value == null || name === "text" || formats.has(name)) return false;
    return name !== "reasoning" || !isJsonObject(value) || Object.keys(value).some((member) => !shown.has(member));
  });
