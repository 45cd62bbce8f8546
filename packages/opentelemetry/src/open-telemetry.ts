import { type MeterProvider, metrics, type TracerProvider, trace } from "@opentelemetry/api";
import type { GatewayState, Observer } from "@tollgate/core";
import { requireKnown } from "@tollgate/core/internal";
import { createCostCounter } from "./cost-counter.ts";
import { createInstruments } from "./instruments.ts";
import { conventionalName } from "./provider-name.ts";
import { Recorder } from "./recorder.ts";
import { createStateGauges } from "./state-gauges.ts";
import { AllSeries } from "./target-series.ts";

/** The options of {@link openTelemetry}. */
export interface OpenTelemetryOptions {
  /** Default: the global provider of `@opentelemetry/api`. */
  readonly tracerProvider?: TracerProvider;
  /** Default: the global provider of `@opentelemetry/api`, which the SDK must have registered before. */
  readonly meterProvider?: MeterProvider;
  /** Returns the state of the gateway for the gauges: `() => gateway.inspect()`. Absent: there are no gauges. */
  readonly state?: () => GatewayState;
  /** Returns the name of a provider in telemetry. Default: its own name; "gcp.gemini" for "google". */
  readonly providerName?: (provider: string) => string;
}

/** The name of the instrumentation scope. */
const scope = "@tollgate/opentelemetry";

/**
 * Creates an observer that records requests as spans and metrics by the GenAI conventions. Prompts and answers are not
 * recorded; ids of keys and accounts are on spans only. Throws a TypeError for an unknown option.
 *
 * @example
 * const gateway = createGateway({ ...options, observer: openTelemetry({ state: () => gateway.inspect() }) });
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Observer {
  requireKnown("openTelemetry", options, {
    tracerProvider: true,
    meterProvider: true,
    state: true,
    providerName: true,
  });
  const { tracerProvider = trace, meterProvider = metrics, state, providerName = conventionalName } = options;
  const meter = meterProvider.getMeter(scope);
  const series = new AllSeries(providerName);
  createCostCounter(meter, series);
  if (state !== undefined) createStateGauges(meter, state, providerName);
  const tracer = tracerProvider.getTracer(scope);
  const recorder = new Recorder({ tracer, instruments: createInstruments(meter), series, providerName });
  return (event) => recorder.record(event);
}
