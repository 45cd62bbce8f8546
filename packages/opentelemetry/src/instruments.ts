import type { Counter, Histogram, Meter } from "@opentelemetry/api";
import { metric, secondBuckets, tokenBuckets } from "./conventions.ts";

/** The instruments that events are recorded with. */
export interface Instruments {
  readonly tokens: Histogram;
  readonly duration: Histogram;
  readonly timeToFirstChunk: Histogram;
  readonly turnDuration: Histogram;
  readonly webhookDuration: Histogram;
  readonly failedAttempts: Counter;
  readonly events: Counter;
}

/** Creates the instruments, with the buckets that the conventions advise. */
export function createInstruments(meter: Meter): Instruments {
  const seconds = (name: string, description: string): Histogram =>
    meter.createHistogram(name, { description, unit: "s", advice: { explicitBucketBoundaries: secondBuckets } });
  return {
    tokens: meter.createHistogram(metric.tokens, {
      description: "Tokens that were charged, of the input and of the output.",
      unit: "{token}",
      advice: { explicitBucketBoundaries: tokenBuckets },
    }),
    duration: seconds(metric.duration, "Duration of completions and of the model calls of turns."),
    timeToFirstChunk: seconds(metric.timeToFirstChunk, "Time from a request to the first content of its stream."),
    turnDuration: seconds(metric.turnDuration, "Duration of the turns of assistants."),
    webhookDuration: seconds(metric.webhookDuration, "Duration of the webhooks of assistants, with all attempts."),
    failedAttempts: meter.createCounter(metric.failedAttempts, {
      description: "Attempts at targets that failed.",
      unit: "{attempt}",
    }),
    events: meter.createCounter(metric.events, {
      description: "Other events of the gateway, by type.",
      unit: "{event}",
    }),
  };
}
