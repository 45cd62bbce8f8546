import type { Trigger } from "../assistant/assistant.ts";
import type { ClientDataChanges } from "../assistant/client-data.ts";
import type { WebhookRunner } from "../ports/webhook-runner.ts";
import type { Redactor } from "./redactor.ts";
import type { VariableSources } from "./variables.ts";
import type { WebhookLog } from "./webhook-log.ts";

/** A tool call of the model, for one trigger. */
export interface WebhookCall {
  /** A UUID. */
  readonly id: string;
  readonly toolCallId: string;
  readonly sessionId: string;
  readonly trigger: Trigger;
  /** As the model wrote them: text that should be JSON. */
  readonly arguments: string;
  /** As of the start of the round. */
  readonly sources: Omit<VariableSources, "arguments" | "declared">;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What came of a call; everything in it is redacted. */
export interface WebhookOutcome {
  /** The content of the `tool` message: JSON text. */
  readonly content: string;
  /** Complete but for `merged_keys` and the warnings of the merge. */
  readonly log: WebhookLog;
  /** What the answer wants merged into the client data, without refused keys. */
  readonly changes: ClientDataChanges;
}

/** Makes one call of a trigger, from the model's arguments to what the model is told. Never rejects. */
export async function runWebhook(
  _runner: WebhookRunner,
  _redactor: Redactor,
  _call: WebhookCall,
): Promise<WebhookOutcome> {
  throw new Error("Webhooks are not built yet.");
}
