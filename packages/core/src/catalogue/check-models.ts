import type { ModelConfig, Target } from "../gateway-options.ts";
import { attempt, checkNumbers, isPositiveInteger, repeated } from "../problems.ts";
import { readModel } from "./model.ts";
import { attemptLimitNames, limitNames } from "./target-limits.ts";

/** The problems of a list of models, each with the option's name and the cure. */
export function checkModels(models: readonly ModelConfig[]): string[] {
  return [...models.flatMap(checkModel), ...repeated("models", models)];
}

function checkModel(model: ModelConfig): string[] {
  return [
    ...attempt(`models (${model.id})`, () => readModel(model)),
    ...checkNumbers(`models (${model.id}).`, model, ["contextWindow", "imageTokens"]),
    ...checkOutputCap(model),
    ...checkNumbers(`models (${model.id}).upstream.`, model.upstream ?? {}, limitNames),
    ...model.targets.flatMap((target, place) => checkTarget(`models (${model.id}).targets[${place}].`, target)),
    ...checkReasoning(model),
  ];
}

function checkTarget(name: string, target: Target): string[] {
  return [
    ...checkNumbers(name, target, ["contextWindow"]),
    ...checkNumbers(`${name}upstream.`, target.upstream ?? {}, attemptLimitNames),
    ...(target.upstream !== undefined && "totalMs" in target.upstream
      ? [`\`${name}upstream.totalMs\` counts all targets together. Set \`upstream.totalMs\` of the model instead.`]
      : []),
  ];
}

/** Required, since a hold has no bound without it. */
function checkOutputCap({ id, maxOutputTokens }: ModelConfig): string[] {
  if (isPositiveInteger(maxOutputTokens)) return [];
  return [`\`models (${id}).maxOutputTokens\` must be a whole number of at least 1.`];
}

function checkReasoning({ id, reasoning }: ModelConfig): string[] {
  if (reasoning === undefined || reasoning.effortLevels.includes(reasoning.defaultEffort)) return [];
  return [`\`models (${id}).reasoning.defaultEffort\` must be one of its effortLevels.`];
}
