import {
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Usage } from "@tollgate/core/provider";
import { amountOf } from "./amount-of.ts";
import { attribute, value } from "./conventions.ts";
import { type CallEvent, type EndEvent, type FailedAttemptEvent, operationOf, type WebhookEvent } from "./events.ts";

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
  /** Records the spans within this one, before it ends. */
  readonly within?: (context: Context, span: Span) => void;
  /** Describes the error that the attributes name. Default: its name. */
  readonly errorText?: string | undefined;
}

/** A model call, and the attempts at targets that failed in it. */
export interface AttemptedCall {
  readonly event: CallEvent;
  readonly failed: readonly FailedAttemptEvent[];
}

/** Returns the attributes of an attempt: its target, and the failure if it failed. */
export type AttemptAttributes = (
  target: { readonly provider: string; readonly upstreamModel: string },
  failure?: string,
) => Attributes;

/** Records a model call that has ended as a span, with one span for each attempt within it. */
export function recordCall(
  tracer: Tracer,
  { event, failed }: AttemptedCall,
  attributes: Attributes,
  parent: Context,
  ofAttempt: AttemptAttributes,
): void {
  const operation = operationOf(event);
  recordEnded(tracer, {
    name: event.model === undefined ? operation : `${operation} ${event.model}`,
    kind: SpanKind.CLIENT,
    endedAt: event.at,
    durationMs: event.durationMs,
    attributes,
    parent,
    details: () => callDetails(event),
    within(context, span) {
      if (!span.isRecording()) return;
      for (const each of failed) recordFailedAttempt(tracer, each, ofAttempt(each, each.failure), context);
      recordLastAttempt(tracer, { event, failed }, ofAttempt, context);
    },
  });
}

function recordFailedAttempt(
  tracer: Tracer,
  { at, durationMs, upstreamModel, failure, upstreamStatus, upstreamMessage }: FailedAttemptEvent,
  attributes: Attributes,
  parent: Context,
): void {
  recordEnded(tracer, {
    name: `${value.attempt} ${upstreamModel}`,
    kind: SpanKind.CLIENT,
    endedAt: at,
    durationMs,
    attributes,
    parent,
    details: () => ({ [attribute.status]: upstreamStatus }),
    errorText: upstreamMessage === undefined ? undefined : `${failure}: ${upstreamMessage}`,
  });
}

/** Records the attempt that answered, or whose client left. The event of the call has its target. */
function recordLastAttempt(
  tracer: Tracer,
  { event, failed }: AttemptedCall,
  ofAttempt: AttemptAttributes,
  parent: Context,
): void {
  const { provider, upstreamModel, attempts = 0, attemptMs } = event;
  if (provider === undefined || upstreamModel === undefined || attempts <= failed.length) return;
  recordEnded(tracer, {
    name: `${value.attempt} ${upstreamModel}`,
    kind: SpanKind.CLIENT,
    endedAt: event.at,
    durationMs: attemptMs ?? 0,
    attributes: ofAttempt({ provider, upstreamModel }),
    parent,
    details: () => ({}),
  });
}

/** Records a turn of an assistant that has ended as a span. `within` records its model calls and webhooks. */
export function recordTurn(
  tracer: Tracer,
  event: EndEvent,
  attributes: Attributes,
  parent: Context,
  within: (context: Context) => void,
): void {
  recordEnded(tracer, {
    name: value.turn,
    kind: SpanKind.INTERNAL,
    endedAt: event.at,
    durationMs: event.durationMs,
    attributes,
    parent,
    details: () => callDetails(event),
    within,
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
  ended.within?.(trace.setSpan(parent, span), span);
  if (!span.isRecording()) return;
  span.setAttributes(ended.details());
  setStatus(span, attributes[attribute.error], ended.errorText);
  span.end(endedAt);
}

function setStatus(span: Span, error: Attributes[string], text = error): void {
  if (typeof text === "string") span.setStatus({ code: SpanStatusCode.ERROR, message: text });
}

/** OpenTelemetry leaves out attributes that are undefined. */
function callDetails(event: CallEvent): Attributes {
  const { cost, firstContentMs, usage, finishReasons } = event;
  return {
    [attribute.requestId]: event.requestId,
    [attribute.conversation]: "sessionId" in event ? event.sessionId : undefined,
    [attribute.key]: event.keyId,
    [attribute.account]: event.account,
    [attribute.dialect]: event.dialect,
    [attribute.hold]: event.holdId,
    [attribute.attempts]: event.attempts,
    [attribute.ending]: event.ending,
    [attribute.responseId]: event.answerId,
    [attribute.finishReasons]: finishReasons === undefined ? undefined : [...finishReasons],
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
