import type { Model } from "../ports/model.ts";
import type { ModelConfig, UpstreamLimits } from "../ports/model-config.ts";
import { checkModels } from "./check-models.ts";
import { readModel } from "./model.ts";
import { type Snapshot, snapshot } from "./snapshot.ts";

/** The models that the gateway offers, by id. */
export type ModelCatalogue = Snapshot<Model>;

/** Makes the catalogue of a list of models, or of a function that returns the current one. `upstream` has the gateway's limits. */
export function modelCatalogue(
  models: readonly ModelConfig[] | (() => readonly ModelConfig[]),
  upstream: UpstreamLimits,
  onError: (cause: unknown) => void,
): ModelCatalogue {
  const copy = { ...upstream };
  return snapshot(models, (configs) => readModels(configs, copy), onError);
}

function readModels(configs: readonly ModelConfig[], upstream: UpstreamLimits): ReadonlyMap<string, Model> {
  const problems = checkModels(configs);
  if (problems.length > 0) throw new Error(`The list of models cannot be used:\n- ${problems.join("\n- ")}`);
  return new Map(configs.map((config) => [config.id, readModel(config, upstream)]));
}
