import { type ExtensionHost, snapshot } from "@tollgate/core/extension";
import type { Assistant } from "../definition/assistant.ts";
import type { AssistantConfig } from "../definition/assistant-config.ts";
import type { AssistantOptions } from "./assistant-options.ts";
import type { AssistantServices } from "./assistant-services.ts";
import { checkAssistants } from "./check-assistants.ts";
import { readAssistant } from "./read-assistant.ts";

/** Extends what a gateway offers with the services of assistants. The options have been checked. */
export function assembleAssistants(host: ExtensionHost, options: AssistantOptions): AssistantServices {
  const onFault = (cause: unknown) => host.observe({ type: "configuration.failed", at: Date.now(), cause });
  return {
    ...host,
    sessions: options.sessions,
    runner: options.runner,
    assistants: assistantCatalogue(options.list, onFault),
    turns: {
      maxRounds: 8,
      maxWebhooks: 16,
      parallelWebhooks: 4,
      webhookMs: 20_000,
      webhooksMs: 60_000,
      leaseMs: 60_000,
      historyLimit: 1_000,
      historyBytes: 2_097_152,
      imageBytes: 20_971_520,
      ...options.turns,
    },
    sessionTtlMs: options.sessionTtlMs ?? 2_592_000_000,
    sessionLimits: {
      sessions: options.maxSessionsPerAccount ?? 100_000,
      bytes: options.maxSessionBytesPerAccount ?? 1_073_741_824,
    },
    maxFormBytes: options.maxFormBytes ?? 1_048_576,
  };
}

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
