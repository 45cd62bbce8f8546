import { snapshot } from "@tollgate/core/extension";
import type { Assistant } from "../definition/assistant.ts";
import type { AssistantConfig } from "../definition/assistant-config.ts";
import type { AssistantServices } from "./assistant-services.ts";
import { checkAssistants } from "./check-assistants.ts";
import { readAssistant } from "./read-assistant.ts";

/** Parses the assistants of a list, or of a function that returns the current list. */
export function assistantCatalogue(
  list: readonly AssistantConfig[] | (() => readonly AssistantConfig[]),
  onFault: (fault: unknown) => void,
): AssistantServices["assistants"] {
  return snapshot(list, readAssistants, onFault);
}

function readAssistants(configs: readonly AssistantConfig[]): ReadonlyMap<string, Assistant> {
  const problems = checkAssistants(configs);
  if (problems.length > 0) throw new Error(`The list of assistants cannot be used:\n- ${problems.join("\n- ")}`);
  const readings = configs.map(readAssistant);
  return new Map(
    readings.flatMap((reading) => ("assistant" in reading ? [[reading.assistant.id, reading.assistant]] : [])),
  );
}
