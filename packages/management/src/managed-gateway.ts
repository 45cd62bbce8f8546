import type { Gateway } from "@tollgate/core";
import type { AssistantAdmin } from "@tollgate/core/extension";

export type {
  AssistantDescription,
  DryRunResult,
  DryRunSession,
  TriggerDescription,
} from "@tollgate/core/extension";

/** A gateway, with assistants or without. */
export type ManagedGateway = Gateway & Partial<AssistantAdmin>;
