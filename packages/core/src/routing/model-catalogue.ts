import type { Model } from "../ports/model.ts";
import type { ModelConfig, UpstreamLimits } from "../ports/model-config.ts";
import { checkModels } from "../ports/model-schema.ts";
import { matchesPattern } from "../wire/name-pattern.ts";
import { readModel } from "./model.ts";

/** Makes the catalogue of the models that the gateway offers, by id and with their first price lists: of a list of models, or of a function that returns the current one. `upstream` has the gateway's limits. */
export function modelCatalogue(
  models: readonly ModelConfig[] | (() => readonly ModelConfig[]),
  upstream: UpstreamLimits,
  onError: (cause: unknown) => void,
): Snapshot<Model> {
  const copy = { ...upstream };
  return snapshot(models, (configs) => readModels(configs, copy), onError);
}

function readModels(configs: readonly ModelConfig[], upstream: UpstreamLimits): ReadonlyMap<string, Model> {
  const problems = checkModels(configs);
  if (problems.length > 0) throw new Error(`The list of models cannot be used:\n- ${problems.join("\n- ")}`);
  return new Map(configs.map((config) => [config.id, readModel(config, upstream)]));
}

/** Returns the model with this alias, or else with the longest pattern that matches. */
export function findByAlias(models: Iterable<Model>, name: string): Model | undefined {
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

/** The current items of a configured list, by id and in the configured order. */
export interface Snapshot<Item> {
  current(): ReadonlyMap<string, Item>;
}

/**
 * Makes the snapshot of a list, or of a function that returns the current list. `read` throws for an invalid list. A
 * function's list is read again when it is another array. If the function throws or its list is invalid, `onError` gets
 * the error and the last valid list stays in use. The first list must be valid.
 */
export function snapshot<Config, Item>(
  source: readonly Config[] | (() => readonly Config[]),
  read: (list: readonly Config[]) => ReadonlyMap<string, Item>,
  onError: (cause: unknown) => void,
): Snapshot<Item> {
  if (typeof source !== "function") {
    const fixed = read(source);
    return { current: () => fixed };
  }
  let list = source();
  let current = read(list);
  return {
    current() {
      try {
        const next = source();
        if (next !== list) {
          list = next;
          current = read(next);
        }
      } catch (cause) {
        onError(cause);
      }
      return current;
    },
  };
}
