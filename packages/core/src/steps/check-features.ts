import { GatewayError } from "../errors/gateway-error.ts";
import type { Permitted, Selected } from "../request/request-stages.ts";
import type { Feature } from "../wire/feature.ts";
import { features } from "../wire/feature.ts";
import { spelledFeatures } from "../wire/spelled-features.ts";

/** Check 7: the features of key, plan and model. */
export function checkFeatures(selected: Selected): Permitted {
  const { chat, inspected } = selected.content;
  const spelled = spelledFeatures(chat, inspected.spellings);
  for (const feature of features) {
    const param = asksFor(selected, feature) ? feature : spelled.find((each) => each.feature === feature)?.param;
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

/** `functions` is what tools were called before them. */
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
