import type { ExtensionHost } from "@tollgate/core/extension";
import { assistantCatalogue } from "./assistant-catalogue.ts";
import type { AssistantOptions } from "./assistant-options.ts";
import type { AssistantServices } from "./assistant-services.ts";

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
