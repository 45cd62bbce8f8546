import type { ModelConfig } from "../gateway-options.ts";
import { checkModels } from "./check-models.ts";
import { type Model, readModel } from "./model.ts";

/** The models on offer, in the configured order. */
export interface ModelCatalogue {
  /** The current models by public id. */
  current(): ReadonlyMap<string, Model>;
}

/**
 * The catalogue of a list, or of a function that gives the current list. A list that a function gives is read when
 * it is a new one; the last good list stays in use while the function throws or its list has a fault.
 */
export function modelCatalogue(
  models: readonly ModelConfig[] | (() => readonly ModelConfig[]),
  onFault: (fault: unknown) => void,
): ModelCatalogue {
  if (typeof models !== "function") {
    const fixed = readModels(models);
    return { current: () => fixed };
  }
  let list = models();
  let current = readChecked(list);
  return {
    current() {
      try {
        const next = models();
        if (next !== list) {
          list = next;
          current = readChecked(next);
        }
      } catch (fault) {
        onFault(fault);
      }
      return current;
    },
  };
}

function readChecked(configs: readonly ModelConfig[]): ReadonlyMap<string, Model> {
  const problems = checkModels(configs);
  if (problems.length > 0) throw new Error(`The list of models cannot be used:\n- ${problems.join("\n- ")}`);
  return readModels(configs);
}

function readModels(configs: readonly ModelConfig[]): ReadonlyMap<string, Model> {
  return new Map(configs.map((config) => [config.id, readModel(config)]));
}
