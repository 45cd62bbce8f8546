import { isJsonObject, readOptions, uniqueIds } from "@tollgate/core/extension";
import * as v from "valibot";
import type { AssistantConfig } from "../definition/assistant-config.ts";
import { readAssistant } from "./read-assistant.ts";

/**
 * Returns the problems of a list of assistants. Each names the option and says what to do. If `models` is a list, the
 * model of each assistant must be in it.
 */
export function checkAssistants(list: readonly AssistantConfig[], models?: unknown): string[] {
  if (!Array.isArray(list)) return ["`assistants.list` is not an array. Give an array of assistants."];
  const modelIds = Array.isArray(models)
    ? models
        .filter(hasId)
        .filter(isChatModel)
        .map(({ id }) => id)
    : undefined;
  const ids = readOptions(listSchema, list, "assistants.list");
  return [
    ...list.flatMap((config, index) => [...checkConfig(config, index), ...checkModel(config, index, modelIds)]),
    ...("problems" in ids ? ids.problems : []),
  ];
}

const listSchema = v.pipe(v.array(v.unknown()), uniqueIds<unknown>());

function checkConfig(config: AssistantConfig, index: number): string[] {
  const reading = readAssistant(config);
  return "problems" in reading ? reading.problems.map((problem) => `${optionOf(config, index)}: ${problem}`) : [];
}

function checkModel(config: AssistantConfig, index: number, modelIds: readonly string[] | undefined): string[] {
  if (modelIds === undefined || !isJsonObject(config) || typeof config.model !== "string") return [];
  if (config.model === "" || modelIds.includes(config.model)) return [];
  return [
    `${optionOf(config, index)}: model: is "${config.model}", which is not a chat model among \`models\`. ` +
      "Give the id of one, or add that model.",
  ];
}

const optionOf = (config: AssistantConfig, index: number): string =>
  `\`assistants.list (${hasId(config) ? config.id : index})\``;

const hasId = (config: unknown): config is { readonly id: string } =>
  isJsonObject(config) && typeof config["id"] === "string" && config["id"] !== "";

const isChatModel = (config: object): boolean => !("kind" in config) || config.kind !== "embedding";
