import type { Model } from "../ports/model.ts";
import { matchesPattern } from "./name-pattern.ts";

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
