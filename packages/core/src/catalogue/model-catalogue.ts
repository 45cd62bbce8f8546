import type { Model } from "../ports/model.ts";
import type { ModelConfig, UpstreamLimits } from "../ports/model-config.ts";
import { checkModels } from "./check-models.ts";
import { readModel } from "./model.ts";
import { type Snapshot, snapshot } from "./snapshot.ts";

/** The models on offer. */
export type ModelCatalogue = Snapshot<Model>;

/** The catalogue of a list of models, or of a function that gives the current list, on a gateway with these limits. */
export function modelCatalogue(
  models: readonly ModelConfig[] | (() => readonly ModelConfig[]),
  upstream: UpstreamLimits,
  onFault: (fault: unknown) => void,
): ModelCatalogue {
  const copy = { ...upstream };
  return snapshot(models, (configs) => readModels(configs, copy), onFault);
}

function readModels(configs: readonly ModelConfig[], upstream: UpstreamLimits): ReadonlyMap<string, Model> {
  const problems = checkModels(configs);
  if (problems.length > 0) throw new Error(`The list of models cannot be used:\n- ${problems.join("\n- ")}`);
  return new Map(configs.map((config) => [config.id, readModel(config, upstream)]));
}
