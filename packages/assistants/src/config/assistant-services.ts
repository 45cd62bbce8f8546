import type { SessionLimits, SessionStore } from "../../ports/session-store.ts";
import type { WebhookRunner } from "../../ports/webhook-runner.ts";
import type { Services } from "../../request/services.ts";
import type { Assistant } from "../definition/assistant.ts";
import type { TurnOptions } from "./assistant-options.ts";

/** The services of the session endpoints and of turns, in addition to those of the router. */
export interface AssistantServices extends Services {
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
