import type { ModelConfig } from "../gateway-options.ts";
import { attempt, checkNumbers, isPositiveInteger, repeated } from "../problems.ts";
import { readModel } from "./model.ts";

/** The problems of a list of models, each with the option's name and the cure. */
export function checkModels(models: readonly ModelConfig[]): string[] {
  return [...models.flatMap(checkModel), ...repeated("models", models)];
}

function checkModel(model: ModelConfig): string[] {
  return [
    ...attempt(`models (${model.id})`, () => readModel(model)),
    ...checkNumbers(`models (${model.id}).`, model, ["contextWindow", "imageTokens"]),
    ...checkOutputCap(model),
    ...checkImageTokens(model),
    ...model.targets.flatMap((target, place) =>
      checkNumbers(`models (${model.id}).targets[${place}].`, target, ["contextWindow", "imageTokens"]),
    ),
    ...checkReasoning(model),
  ];
}

/** Required, since a hold has no bound without it. */
function checkOutputCap({ id, maxOutputTokens }: ModelConfig): string[] {
  if (isPositiveInteger(maxOutputTokens)) return [];
  return [`\`models (${id}).maxOutputTokens\` must be a whole number of at least 1.`];
}

/** Required with vision, since upstreams differ by a factor of forty in what an image counts for. */
function checkImageTokens({ id, vision, imageTokens, targets }: ModelConfig): string[] {
  if (vision !== true || imageTokens !== undefined) return [];
  if (targets.length > 0 && targets.every((target) => target.imageTokens !== undefined)) return [];
  return [
    `\`models (${id}).imageTokens\` is absent, and the model has \`vision\`. Give the most prompt tokens that its upstream counts for one image, such as 1_445 for GPT-4o and 48_169 for GPT-4o mini.`,
  ];
}

function checkReasoning({ id, reasoning }: ModelConfig): string[] {
  if (reasoning === undefined || reasoning.effortLevels.includes(reasoning.defaultEffort)) return [];
  return [`\`models (${id}).reasoning.defaultEffort\` must be one of its effortLevels.`];
}
