import type { ExtensionHost, WebhookRunner } from "@tollgate/core/extension";
import type { SessionLimits, SessionStore } from "@tollgate/core/store";
import type { Assistant } from "../definition/assistant.ts";
import type { TurnOptions } from "./assistant-options.ts";

/** The services of the session endpoints and of turns, in addition to those that the gateway offers. */
export interface AssistantServices extends ExtensionHost {
  readonly sessions: SessionStore;
  readonly runner: WebhookRunner;
  readonly assistants: {
    /** The current assistants by id. */
    current(): ReadonlyMap<string, Assistant>;
  };
  readonly turns: Required<TurnOptions>;
  readonly sessionTtlMs: number;
  readonly sessionLimits: Required<SessionLimits>;
  readonly maxFormBytes: number;
}
