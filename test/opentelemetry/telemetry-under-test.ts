import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";

/** The SDK of OpenTelemetry with exporters in memory. */
export interface TelemetryUnderTest {
  readonly tracerProvider: BasicTracerProvider;
  readonly meterProvider: MeterProvider;
  spans(): readonly ReadableSpan[];
  /** Collects now, and returns the metric with this name. */
  metric(name: string): Promise<MetricData>;
  close(): Promise<void>;
}

export function telemetryUnderTest(sampler: Sampler = new AlwaysOnSampler()): TelemetryUnderTest {
  const spanExporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ sampler, spanProcessors: [new SimpleSpanProcessor(spanExporter)] });
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  return {
    tracerProvider,
    meterProvider,
    spans: () => spanExporter.getFinishedSpans(),
    async metric(name) {
      metricExporter.reset();
      await meterProvider.forceFlush();
      const metrics = metricExporter
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((each) => each.metrics));
      const found = metrics.find(({ descriptor }) => descriptor.name === name);
      if (found === undefined) throw new Error(`There is no metric ${name}.`);
      return found;
    },
    async close() {
      await tracerProvider.shutdown();
      await meterProvider.shutdown();
    },
  };
}

/** The value and the attributes of each series of a metric. A histogram has its count and its sum as value. */
export function seriesOf(metric: MetricData): readonly { readonly attributes: object; readonly value: unknown }[] {
  return metric.dataPoints.map(({ attributes, value }) => ({
    attributes,
    value: typeof value === "number" ? value : { count: value.count, sum: value.sum },
  }));
}
