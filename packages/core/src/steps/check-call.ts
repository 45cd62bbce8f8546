import { GatewayError } from "../errors/gateway-error.ts";
import { exceedsContextWindow, outputBound, promptBound } from "../money/cost.ts";
import type { Model } from "../ports/model.ts";
import type { Call } from "../request/call.ts";
import type { Caller, CallSize } from "../request/paid-call.ts";
import { targetsFor } from "../routing/attempts.ts";
import { type Feature, features, spelledBy } from "../wire/feature.ts";
import { isJsonObject } from "../wire/json.ts";
import { findOtherData, imageTypesOnly } from "../wire/media.ts";
import type { Prompt } from "../wire/prompt.ts";

/**
 * Checks what a call asks for against its caller and its model, and returns upper bounds of its tokens. Throws 403 for a
 * feature that key, plan or model does not have, and 400 for a value that the model does not take.
 */
export function checkCall(caller: Caller, call: Call, model: Model): CallSize {
  checkFeatures(caller, call, model);
  checkParameters(call, model);
  return { promptBound: promptBound(call.prompt, call.bytes, model), outputBound: outputBound(call.chat, model) };
}

/** Throws 403 for a feature that key, plan or model does not have. */
export function checkFeatures(caller: Caller, call: Call, model: Model): void {
  for (const feature of features) {
    if (asksFor(call, feature)) requireFeature(caller, model, feature, call.nameOf(feature));
  }
  for (const name of call.inspected.spellings) {
    for (const { feature, param } of spelledBy(name, call.chat[name])) requireFeature(caller, model, feature, param);
  }
}

function requireFeature(caller: Caller, model: Model, feature: Feature, param: string): void {
  const scope = lackingScope(caller, model, feature);
  if (scope !== undefined) throw featureError(param, scope);
}

function asksFor({ chat, prompt }: Call, feature: Feature): boolean {
  switch (feature) {
    case "response_format":
      return chat.response_format != null;
    case "tools":
      return isFilled(chat["tools"]) || isFilled(chat["functions"]);
    case "reasoning_effort":
      return chat.reasoning_effort != null;
    case "image_url":
      return prompt.images.count > 0;
  }
}

/** `functions` is the deprecated form of `tools`. */
const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0;

function lackingScope({ key, plan }: Caller, model: Model, feature: Feature): "key" | "plan" | "model" | undefined {
  if (key.features !== undefined && !key.features.includes(feature)) return "key";
  if (!plan.allowsFeature(feature)) return "plan";
  const lacksIt =
    (feature === "image_url" && !model.vision) ||
    (feature === "tools" && !model.tools) ||
    (feature === "reasoning_effort" && model.reasoning === undefined);
  return lacksIt ? "model" : undefined;
}

const featureError = (param: string, scope: "key" | "plan" | "model"): GatewayError =>
  new GatewayError(
    "feature_not_available",
    `\`${param}\` is not available on this ${scope}. Leave it out or use another ${scope}.`,
    {
      param,
      metadata: { scope },
    },
  );

function checkParameters(call: Call, model: Model): void {
  const { chat, prompt, inspected } = call;
  refuseUnpriced(inspected.pricedMembers, model);
  targetsFor(model, call);
  if (prompt.images.count > 0) checkImages(prompt);
  checkReasoningEffort(model, call.nameOf("reasoning_effort"), chat.reasoning_effort);
  const { reasoning } = chat;
  if (isJsonObject(reasoning)) checkReasoningEffort(model, "reasoning.effort", reasoning["effort"]);
  if (prompt.inputs !== undefined) prompt.inputs.check(model);
  else if (model.contextWindow !== undefined && exceedsContextWindow(prompt, call.bytes, model.contextWindow)) {
    throw new GatewayError(
      "context_length_exceeded",
      `The messages are longer than this model's context window of ${model.contextWindow} tokens. Shorten them.`,
      { param: call.nameOf("messages") },
    );
  }
}

/** Refuses a member that changes the cost or the route of a call, unless the host's prices cover it at every target. */
function refuseUnpriced(pricedMembers: ReadonlyMap<string, string>, { targets }: Model): void {
  for (const [name, param] of pricedMembers) {
    if (targets.every(({ provider }) => provider.capabilities.pricedFields.includes(name))) continue;
    throw new GatewayError("unsupported_parameter", `\`${param}\` is not supported here. Leave it out.`, { param });
  }
}

/** Refuses data URLs that are not images: some upstreams read their text, which can have more tokens than an image. */
function checkImages({ messages }: Prompt): void {
  const param = findOtherData(messages);
  if (param !== undefined) throw new GatewayError("unsupported_value", `\`${param}\` ${imageTypesOnly}`, { param });
}

function checkReasoningEffort({ reasoning }: Model, param: string, effort: unknown): void {
  if (effort == null || reasoning === undefined || reasoning.effortLevels.some((level) => level === effort)) return;
  throw new GatewayError(
    "unsupported_value",
    `\`${param}\` must be one of ${reasoning.effortLevels.map((level) => `"${level}"`).join(", ")} for this model.`,
    { param },
  );
}
