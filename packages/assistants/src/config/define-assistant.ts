import type { AssistantConfig } from "../definition/assistant-config.ts";
import { readAssistant } from "./read-assistant.ts";

/**
 * Returns the configuration of an assistant unchanged. Its type contains the names of the triggers. `createGateway` checks
 * what types cannot express.
 */
export function defineAssistant<const TriggerName extends string = never>(
  config: AssistantConfig<TriggerName>,
): AssistantConfig<TriggerName> {
  return config;
}

/** Parses the configuration of an assistant from a JSON value. Throws one Error that lists all problems, each with its path. */
export function parseAssistant(json: unknown): AssistantConfig {
  const reading = readAssistant(json);
  if ("config" in reading) return reading.config;
  throw new Error(`The assistant is invalid:\n- ${reading.problems.join("\n- ")}`);
}
