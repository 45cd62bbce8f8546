import { GatewayError } from "../errors/gateway-error.ts";
import { certainlyTooLong } from "../money/cost.ts";
import type { Model } from "../ports/model.ts";
import type { Checked, Permitted, Selected } from "../request/request-stages.ts";
import { targetsFor } from "../routing/attempts.ts";
import { type Feature, features } from "../wire/feature.ts";
import { findOtherData, imageTypesOnly } from "../wire/images.ts";
import { isJsonObject } from "../wire/json.ts";
import type { Prompt } from "../wire/prompt.ts";
import { spelledFeatures } from "../wire/spelled-features.ts";

/** Check 7: the features of key, plan and model. */
export function checkFeatures(selected: Selected): Permitted {
  const { chat, inspected } = selected.content;
  const spelled = spelledFeatures(chat, inspected.spellings);
  for (const feature of features) {
    const param = asksFor(selected, feature)
      ? selected.content.nameOf(feature)
      : spelled.find((each) => each.feature === feature)?.param;
    if (param === undefined) continue;
    const scope = lackingScope(selected, feature);
    if (scope !== undefined) throw featureError(param, scope);
  }
  return { ...selected, featuresChecked: true };
}

function asksFor({ content: { chat, prompt } }: Selected, feature: Feature): boolean {
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

function lackingScope({ key, plan, model }: Selected, feature: Feature): "key" | "plan" | "model" | undefined {
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

/** Check 8: the parameter values against the model. */
export function checkParameters(permitted: Permitted): Checked {
  const { model, content } = permitted;
  const { chat, prompt, inspected } = content;
  refuseUnpriced(inspected.steering, model);
  targetsFor(model, content);
  if (prompt.images.count > 0) checkImages(prompt);
  checkReasoningEffort(model, content.nameOf("reasoning_effort"), chat.reasoning_effort);
  const { reasoning } = chat;
  if (isJsonObject(reasoning)) checkReasoningEffort(model, "reasoning.effort", reasoning["effort"]);
  if (prompt.inputs !== undefined) prompt.inputs.check(model);
  else if (model.contextWindow !== undefined && certainlyTooLong(prompt, content.bytes, model.contextWindow)) {
    throw new GatewayError(
      "context_length_exceeded",
      `The messages are longer than this model's context window of ${model.contextWindow} tokens. Shorten them.`,
      { param: content.nameOf("messages") },
    );
  }
  return { ...permitted, parametersChecked: true };
}

/** Refuses a member that changes the cost or the route of a call, unless the host's prices cover it at every target. */
function refuseUnpriced(steering: ReadonlyMap<string, string>, { targets }: Model): void {
  for (const [name, param] of steering) {
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
