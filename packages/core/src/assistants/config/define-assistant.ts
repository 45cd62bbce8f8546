import type { AssistantConfig } from "../definition/assistant-config.ts";
import { readAssistant } from "./read-assistant.ts";

/**
 * Gives back the configuration of an assistant as it is, with its type checked and the names of its triggers in it.
 * createGateway checks everything else.
 */
export function defineAssistant<const TriggerName extends string = never>(
  config: AssistantConfig<TriggerName>,
): AssistantConfig<TriggerName> {
  return config;
}

/** The configuration of an assistant from a JSON value; throws one Error that lists all problems, each with its path. */
export function parseAssistant(json: unknown): AssistantConfig {
  const reading = readAssistant(json);
  if ("config" in reading) return reading.config;
  throw new Error(`The assistant cannot be used:\n- ${reading.problems.join("\n- ")}`);
}
