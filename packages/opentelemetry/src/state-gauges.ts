import type { Meter } from "@opentelemetry/api";
import type { GatewayState } from "@tollgate/core";
import { attribute, metric } from "./conventions.ts";
import type { ProviderName } from "./provider-name.ts";

type BreakerState = GatewayState["models"][number]["targets"][number]["breaker"];

/** The values of the gauge of circuit breakers. */
const breakerValues: Readonly<Record<BreakerState, number>> = { closed: 0, half_open: 1, open: 2 };

/** Creates gauges that read the state of a gateway once in each collection. */
export function createStateGauges(meter: Meter, state: () => GatewayState, providerName: ProviderName): void {
  const gauge = (name: string, description: string, unit?: string) =>
    meter.createObservableGauge(name, { description, ...(unit === undefined ? {} : { unit }) });
  const inFlight = gauge(metric.inFlight, "Running requests.", "{request}");
  const holds = gauge(metric.holds, "Holds of running requests of this process.", "{hold}");
  const waiting = gauge(metric.settlementsWaiting, "Settlements that the store has not taken yet.", "{settlement}");
  const breaker = gauge(metric.breakerState, "Circuit breaker of a target: 0 is closed, 1 half open, 2 open.");
  meter.addBatchObservableCallback(
    (result) => {
      const now = state();
      result.observe(inFlight, now.inFlight);
      result.observe(holds, now.holds);
      result.observe(waiting, now.settlementsWaiting);
      for (const target of now.models.flatMap(({ targets }) => targets)) {
        result.observe(breaker, breakerValues[target.breaker], {
          [attribute.provider]: providerName(target.provider),
          [attribute.responseModel]: target.upstreamModel,
        });
      }
    },
    [inFlight, holds, waiting, breaker],
  );
}
