import { type ChatParameters, isTextFormat } from "./chat-completion-request.ts";
import { formatNames, isNoOp } from "./inspected-names.ts";
import { isJsonObject } from "./json.ts";

/** A feature that a key, a plan or a model may lack; each is named after the request field that asks for it. */
export type Feature = "response_format" | "image_url" | "tools" | "reasoning_effort";

/** Every feature, in the order in which a request is checked for them. */
export const features: readonly Feature[] = ["response_format", "image_url", "tools", "reasoning_effort"];

/** True for the name of a feature. */
export const isFeature = (name: string): name is Feature => features.some((feature) => feature === name);

const formats: ReadonlySet<string> = new Set(formatNames);

/** Returns the feature that a member which the scan found requests under another name, with the dot path that requests it. */
export function spelledBy(name: string, value: unknown): { readonly feature: Feature; readonly param: string }[] {
  if (isNoOp(name, value)) return [];
  if (formats.has(name)) return [{ feature: "response_format", param: name }];
  if (name === "text") return hasFormat(value) ? [{ feature: "response_format", param: "text.format" }] : [];
  if (name === "reasoning" && isJsonObject(value)) {
    if (value["effort"] != null) return [{ feature: "reasoning_effort", param: "reasoning.effort" }];
    const asks = Object.keys(value).some((member) => !shown.has(member) && !isNoOp(member, value[member]));
    return asks ? [{ feature: "reasoning_effort", param: "reasoning" }] : [];
  }
  const isOff = value === 0 || (isJsonObject(value) && value["type"] === "disabled");
  return isOff ? [] : [{ feature: "reasoning_effort", param: name }];
}

const hasFormat = (value: unknown): boolean =>
  isJsonObject(value) && value["format"] != null && !isTextFormat(value["format"]);

/** Members that control whether reasoning is shown, not whether the model reasons. */
const shown: ReadonlySet<string> = new Set(["summary", "generate_summary", "exclude"]);

/** True if a request sets the reasoning effort under another name, including to none. */
export const setsReasoningEffort = (chat: ChatParameters, names: readonly string[]): boolean =>
  names.some((name) => {
    const value = chat[name];
    if (value == null || name === "text" || formats.has(name)) return false;
    return name !== "reasoning" || !isJsonObject(value) || Object.keys(value).some((member) => !shown.has(member));
  });
