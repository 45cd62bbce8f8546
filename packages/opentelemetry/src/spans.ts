import { type Attributes, type Context, type Span, SpanKind, SpanStatusCode, type Tracer } from "@opentelemetry/api";
import type { Usage } from "@tollgate/core/provider";
import { amountOf } from "./amount-of.ts";
import { attribute, value } from "./conventions.ts";
import { type CallEvent, type EndEvent, operationOf, type WebhookEvent } from "./events.ts";

/** A span that is known as a whole when it starts, since its operation has ended. */
interface EndedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since the Unix epoch. */
  readonly endedAt: number;
  readonly durationMs: number;
  /** What samplers see. */
  readonly attributes: Attributes;
  readonly parent: Context;
  /** Called for sampled spans only. */
  readonly details: () => Attributes;
}

/** Records a model call that has ended as a span. */
export function recordCall(tracer: Tracer, event: CallEvent, attributes: Attributes, parent: Context): void {
  const operation = operationOf(event);
  recordEnded(tracer, {
    name: event.model === undefined ? operation : `${operation} ${event.model}`,
    kind: SpanKind.CLIENT,
    endedAt: event.at,
    durationMs: event.durationMs,
    attributes,
    parent,
    details: () => callDetails(event),
  });
}

/** Records a turn of an assistant that has ended as a span. */
export function recordTurn(tracer: Tracer, event: EndEvent, attributes: Attributes, parent: Context): void {
  recordEnded(tracer, {
    name: value.turn,
    kind: SpanKind.INTERNAL,
    endedAt: event.at,
    durationMs: event.durationMs,
    attributes,
    parent,
    details: () => callDetails(event),
  });
}

/** Records a webhook that has ended as a span. */
export function recordWebhook(tracer: Tracer, event: WebhookEvent, attributes: Attributes, parent: Context): void {
  const { status, trigger } = event;
  recordEnded(tracer, {
    name: `${value.webhook} ${trigger}`,
    kind: SpanKind.INTERNAL,
    endedAt: event.at,
    durationMs: event.durationMs,
    attributes,
    parent,
    details: () => ({
      [attribute.requestId]: event.requestId,
      [attribute.conversation]: event.sessionId,
      [attribute.attempts]: event.attempts,
      ...(status === null ? {} : { [attribute.status]: status }),
    }),
  });
}

function recordEnded(tracer: Tracer, ended: EndedSpan): void {
  const { name, kind, endedAt, durationMs, attributes, parent } = ended;
  const span = tracer.startSpan(name, { kind, startTime: endedAt - durationMs, attributes }, parent);
  if (!span.isRecording()) return;
  span.setAttributes(ended.details());
  setStatus(span, attributes[attribute.error]);
  span.end(endedAt);
}

function setStatus(span: Span, error: Attributes[string]): void {
  if (typeof error === "string") span.setStatus({ code: SpanStatusCode.ERROR, message: error });
}

/** OpenTelemetry leaves out attributes that are undefined. */
function callDetails(event: CallEvent): Attributes {
  const { cost, firstContentMs, usage } = event;
  return {
    [attribute.requestId]: event.requestId,
    [attribute.conversation]: "sessionId" in event ? event.sessionId : undefined,
    [attribute.key]: event.keyId,
    [attribute.account]: event.account,
    [attribute.dialect]: event.dialect,
    [attribute.hold]: event.holdId,
    [attribute.attempts]: event.attempts,
    [attribute.ending]: event.ending,
    [attribute.estimated]: event.estimated,
    [attribute.cost]: cost === undefined ? undefined : amountOf(cost),
    ...(firstContentMs === undefined
      ? {}
      : { [attribute.stream]: true, [attribute.timeToFirstChunk]: firstContentMs / 1_000 }),
    ...(usage === undefined ? {} : usageDetails(usage)),
  };
}

const usageDetails = (usage: Usage): Attributes => ({
  [attribute.inputTokens]: usage.prompt_tokens,
  [attribute.cacheReadTokens]: usage.prompt_tokens_details?.cached_tokens,
  [attribute.cacheCreationTokens]: usage.prompt_tokens_details?.cache_write_tokens,
  [attribute.outputTokens]: usage.completion_tokens,
  [attribute.reasoningTokens]: usage.completion_tokens_details?.reasoning_tokens,
});
