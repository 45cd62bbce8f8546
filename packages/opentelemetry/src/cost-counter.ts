import type { Meter } from "@opentelemetry/api";
import { amountOf } from "./amount-of.ts";
import { metric } from "./conventions.ts";
import type { AllSeries } from "./target-series.ts";

/** Creates the counter of costs. It reads exact sums when metrics are collected, which costs a request nothing. */
export function createCostCounter(meter: Meter, series: AllSeries): void {
  const counter = meter.createObservableCounter(metric.cost, {
    description: "Amount that was charged, in the currency of the price lists.",
    unit: "{currency}",
  });
  counter.addCallback((result) => {
    for (const { cost, attributes } of series.called()) result.observe(amountOf(cost), attributes);
  });
}
