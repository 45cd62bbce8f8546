import type { WebhookOutcome } from "./run-webhook.ts";
import type { Redactor } from "./redactor.ts";

/** A call that is not even rendered. */
export interface RefusedCall {
  /** A UUID. */
  readonly id: string;
  readonly toolCallId: string;
  readonly sessionId: string;
  /** As the model named it. */
  readonly trigger: string;
}

/** What comes of a call of an unknown trigger, or of one beyond the limit of its turn. */
export function refuseCall(
  _call: RefusedCall,
  _redactor: Redactor,
  _reason: "unknown_trigger" | "limit_reached",
): WebhookOutcome {
  throw new Error("not built");
}
