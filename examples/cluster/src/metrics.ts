import { metrics } from "@opentelemetry/api";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { MeterProvider } from "@opentelemetry/sdk-metrics";

/** Serves the metrics of this process at /metrics of a port of their own. Call it before the gateway is created. */
export async function startMetrics(host: string, port: number): Promise<() => Promise<void>> {
  const exporter = new PrometheusExporter({ host, port, preventServerStart: true });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [exporter] }));
  await exporter.startServer();
  return () => exporter.shutdown();
}
