import type { WebhookError, WebhookRunner } from "@tollgate/core/extension";
import type { ClientDataChanges, WebhookLog } from "@tollgate/core/store";
import type { Trigger } from "../definition/assistant.ts";
import type { RenderedWebhook, UsedVariable, VariableSources } from "../definition/compiled-webhook.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { callLog } from "./call-log.ts";
import { type ConcludedCall, conclude } from "./conclude-call.ts";
import { describeThrown } from "./describe-thrown.ts";
import { guardedRun } from "./guarded-run.ts";
import { failureContent } from "./tool-message.ts";

/** A tool call of the model, for one trigger. */
export interface WebhookCall {
  /** A UUID. */
  readonly id: string;
  readonly toolCallId: string;
  readonly sessionId: string;
  readonly trigger: Trigger;
  /** The text of the model, which should be JSON. */
  readonly arguments: string;
  /** The values as of the start of the round. */
  readonly sources: Omit<VariableSources, "arguments" | "declared">;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The identity of a call in its log. */
export type CallIdentity = Pick<WebhookCall, "id" | "toolCallId" | "sessionId"> & {
  readonly trigger: Pick<Trigger, "name">;
};

/** The redacted outcome of a call. */
export interface WebhookOutcome {
  /** The content of the `tool` message: JSON text. */
  readonly content: string;
  /** Complete except for `merged_keys` and the warnings of the merge. */
  readonly log: WebhookLog;
  /** The changes of client data that the response requests, without invalid keys. */
  readonly changes: ClientDataChanges;
}

/** Makes one trigger call: checks the arguments, renders, sends, and returns the outcome. Never rejects. */
export async function runWebhook(
  runner: WebhookRunner,
  redactor: Redactor,
  call: WebhookCall,
): Promise<WebhookOutcome> {
  const finish = startCall(redactor, call);
  const prepared = prepare(call);
  if ("error" in prepared) {
    return finish({ content: failureContent(redactor, null, prepared.error, undefined), ...prepared });
  }
  const { id, timeoutMs, signal, trigger } = call;
  const { signingSecret } = trigger;
  const result = await guardedRun(runner, { id, ...prepared.request, timeoutMs, signal, signingSecret });
  return finish({ ...conclude(redactor, trigger, result), ...prepared });
}

/** Returns the outcome of a call that is not made, such as one beyond a limit. */
export function refuseWebhook(redactor: Redactor, call: CallIdentity, error: WebhookError): WebhookOutcome {
  return startCall(redactor, call)({ content: failureContent(redactor, null, error, undefined), error });
}

/** Starts to measure the duration. Returns the function that makes the outcome. */
function startCall(redactor: Redactor, call: CallIdentity): (concluded: ConcludedCall) => WebhookOutcome {
  const started_at = new Date().toISOString();
  const startedAt = performance.now();
  return (concluded) => {
    const duration_ms = Math.round(performance.now() - startedAt);
    const identity = {
      id: call.id,
      session_id: call.sessionId,
      trigger: call.trigger.name,
      tool_call_id: call.toolCallId,
    };
    const log = callLog(redactor, { ...identity, started_at, duration_ms }, concluded);
    return { content: concluded.content, log, changes: concluded.changes ?? [] };
  };
}

type Prepared = { readonly variables?: readonly UsedVariable[] } & (
  | { readonly request: RenderedWebhook }
  | { readonly error: WebhookError }
);

function prepare({ trigger, sources, ...call }: WebhookCall): Prepared {
  try {
    const checked = trigger.checkArguments(call.arguments);
    if (checked.outcome === "invalid") return { error: invalidArguments(checked.problem, checked.problem) };
    const declared = trigger.properties;
    const rendering = trigger.webhook.render({ ...sources, declared, arguments: checked.arguments });
    const { variables } = rendering;
    return rendering.outcome === "refused"
      ? { error: rendering.error, variables }
      : { request: rendering.request, variables };
  } catch (thrown) {
    return {
      error: invalidArguments(
        "These arguments cannot be processed. Send simpler ones.",
        `Rendering the webhook failed unexpectedly: ${describeThrown(thrown)}`,
      ),
    };
  }
}

const invalidArguments = (message: string, detail: string): WebhookError => ({
  code: "invalid_arguments",
  message,
  certainty: "not_sent",
  detail,
});
