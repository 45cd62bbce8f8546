import type { ModelConfig } from "../gateway-options.ts";
import { type Model, readModel } from "./model.ts";

/** The models on offer, in the configured order. */
export interface ModelCatalogue {
  /** The current models by public id. */
  current(): ReadonlyMap<string, Model>;
}

/**
 * The catalogue of a list, or of a function that gives the current list. A list that a function gives is read when
 * it is a new one; the last good list stays in use while the new one has a fault.
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
  let current = readModels(list);
  return {
    current() {
      const next = models();
      if (next !== list) {
        list = next;
        current = readOr(current, next, onFault);
      }
      return current;
    },
  };
}

function readOr(
  lastGood: ReadonlyMap<string, Model>,
  next: readonly ModelConfig[],
  onFault: (fault: unknown) => void,
): ReadonlyMap<string, Model> {
  try {
    return readModels(next);
  } catch (fault) {
    onFault(fault);
    return lastGood;
  }
}

function readModels(configs: readonly ModelConfig[]): ReadonlyMap<string, Model> {
  return new Map(configs.map((config) => [config.id, readModel(config)]));
}
