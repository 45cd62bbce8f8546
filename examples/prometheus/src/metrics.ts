import { metrics } from "@opentelemetry/api";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { MeterProvider } from "@opentelemetry/sdk-metrics";

/** Serves the metrics at http://127.0.0.1:9464/metrics. */
export const exporter = new PrometheusExporter({
  host: "127.0.0.1",
  port: Number(process.env["METRICS_PORT"] ?? 9464),
});

metrics.setGlobalMeterProvider(new MeterProvider({ readers: [exporter] }));
