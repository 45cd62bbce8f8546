import type { ClientDataChanges } from "../../ports/client-data.ts";
import type { WebhookError } from "../../ports/webhook-error.ts";
import type { WebhookLog } from "../../ports/webhook-log.ts";
import type { WebhookRunner } from "../../ports/webhook-runner.ts";
import type { Trigger } from "../definition/assistant.ts";
import type { RenderedWebhook, UsedVariable } from "../definition/compiled-webhook.ts";
import type { VariableSources } from "../definition/variables.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { callLog } from "./call-log.ts";
import { conclude, type Ending } from "./conclude-call.ts";
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
  /** As the model wrote them: text that should be JSON. */
  readonly arguments: string;
  /** As of the start of the round. */
  readonly sources: Omit<VariableSources, "arguments" | "declared">;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Which call it is, for its log. */
export type CallIdentity = Pick<WebhookCall, "id" | "toolCallId" | "sessionId"> & {
  readonly trigger: Pick<Trigger, "name">;
};

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
  runner: WebhookRunner,
  redactor: Redactor,
  call: WebhookCall,
): Promise<WebhookOutcome> {
  const end = beginCall(redactor, call);
  const prepared = prepare(call);
  if ("error" in prepared)
    return end({ content: failureContent(redactor, null, prepared.error, undefined), ...prepared });
  const { id, timeoutMs, signal, trigger } = call;
  const { signingSecret } = trigger;
  const result = await guardedRun(runner, { id, ...prepared.request, timeoutMs, signal, signingSecret });
  return end({ ...conclude(redactor, trigger, result), ...prepared });
}

/** A call that was not to be made, such as one beyond a limit, in the form of one that was. */
export function refuseWebhook(redactor: Redactor, call: CallIdentity, error: WebhookError): WebhookOutcome {
  return beginCall(redactor, call)({ content: failureContent(redactor, null, error, undefined), error });
}

/** Starts the clock; gives back what makes the outcome. */
function beginCall(redactor: Redactor, call: CallIdentity): (ending: Ending) => WebhookOutcome {
  const started_at = new Date().toISOString();
  const begun = performance.now();
  return (ending) => {
    const duration_ms = Math.round(performance.now() - begun);
    const identity = {
      id: call.id,
      session_id: call.sessionId,
      trigger: call.trigger.name,
      tool_call_id: call.toolCallId,
    };
    const log = callLog(redactor, { ...identity, started_at, duration_ms }, ending);
    return { content: ending.content, log, changes: ending.changes ?? [] };
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
        "These arguments cannot be used. Write simpler ones.",
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
