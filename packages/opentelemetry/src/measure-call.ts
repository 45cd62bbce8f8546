import type { Attributes } from "@opentelemetry/api";
import type { CallEvent } from "./events.ts";
import type { Instruments } from "./instruments.ts";
import type { TargetSeries } from "./target-series.ts";

/** Records the metrics of a model call. The outcome counts for its duration only, so that tokens have few series. */
export function measureCall(
  instruments: Instruments,
  event: CallEvent,
  series: TargetSeries,
  withOutcome: Attributes,
): void {
  const { usage, cost, firstContentMs } = event;
  instruments.duration.record(event.durationMs / 1_000, withOutcome);
  if (firstContentMs !== undefined) instruments.timeToFirstChunk.record(firstContentMs / 1_000, series.ofModel);
  if (cost !== undefined) series.cost += cost;
  // A call that consumed nothing, such as one that no provider answered, says nothing about tokens.
  if (usage === undefined || usage.total_tokens === 0) return;
  instruments.tokens.record(usage.prompt_tokens, series.inputTokens);
  instruments.tokens.record(usage.completion_tokens, series.outputTokens);
}
