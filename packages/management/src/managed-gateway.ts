import type { Gateway } from "@tollgate/core";
import type { WithAssistants } from "@tollgate/core/assistants";

export type {
  AssistantDescription,
  DryRunResult,
  DryRunSession,
  TriggerDescription,
} from "@tollgate/core/assistants";

/** A gateway, with assistants or without. */
export type ManagedGateway = Gateway & Partial<Pick<WithAssistants, "describeAssistants" | "dryRun">>;
