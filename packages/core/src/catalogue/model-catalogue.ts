import type { Model } from "../ports/model.ts";
import type { ModelConfig, UpstreamLimits } from "../ports/model-config.ts";
import { checkModels } from "./check-models.ts";
import { readModel } from "./model.ts";
import { matchesPattern } from "./name-pattern.ts";
import { type Snapshot, snapshot } from "./snapshot.ts";

/** The models that the gateway offers, by id. */
export interface ModelCatalogue extends Snapshot<Model> {
  /** Returns the model with this id, or else with this alias, or else with the longest pattern that matches. */
  find(name: string): Model | undefined;
}

/** Makes the catalogue of a list of models, or of a function that returns the current one. `upstream` has the gateway's limits. */
export function modelCatalogue(
  models: readonly ModelConfig[] | (() => readonly ModelConfig[]),
  upstream: UpstreamLimits,
  onError: (cause: unknown) => void,
): ModelCatalogue {
  const copy = { ...upstream };
  const { current } = snapshot(models, (configs) => readModels(configs, copy), onError);
  return {
    current,
    find(name) {
      const byId = current();
      return byId.get(name) ?? findByAlias(byId.values(), name);
    },
  };
}

function findByAlias(models: Iterable<Model>, name: string): Model | undefined {
  let found: Model | undefined;
  let longest = 0;
  for (const model of models) {
    for (const alias of model.aliases) {
      if (alias === name) return model;
      if (alias.length <= longest || !matchesPattern(alias, name)) continue;
      found = model;
      longest = alias.length;
    }
  }
  return found;
}

function readModels(configs: readonly ModelConfig[], upstream: UpstreamLimits): ReadonlyMap<string, Model> {
  const problems = checkModels(configs);
  if (problems.length > 0) throw new Error(`The list of models cannot be used:\n- ${problems.join("\n- ")}`);
  return new Map(configs.map((config) => [config.id, readModel(config, upstream)]));
}
