import type { SessionLimits, SessionStore } from "../../ports/session-store.ts";
import type { WebhookRunner } from "../../ports/webhook-runner.ts";
import type { Services } from "../../request/services.ts";
import type { Assistant } from "../definition/assistant.ts";
import type { TurnOptions } from "./assistant-options.ts";

/** What the session endpoints and the steps of a turn share, beside what the router shares. */
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
