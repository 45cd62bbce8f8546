import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { openTelemetry } from "@tollgate/opentelemetry";
import { afterAll, beforeAll, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";

/** What a collector receives: the JSON encoding of OTLP. */
interface Named {
  readonly name: string;
  readonly [member: string]: unknown;
}

const received = new Map<string, unknown>();
let collector: Server;
let url: string;

beforeAll(async () => {
  collector = createServer(async (req, res) => {
    received.set(req.url ?? "", JSON.parse(await text(req)));
    res.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const address = collector.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});

afterAll(() => {
  collector.closeAllConnections();
  collector.close();
});

/** All objects below a value that have a name. */
function namedIn(value: unknown): readonly Named[] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap(namedIn);
  return isNamed(value) ? [value, ...below] : below;
}

const isNamed = (value: object): value is Named => "name" in value && typeof value.name === "string";

it("exports spans and metrics to a collector over OTLP", async () => {
  const traceExporter = new OTLPTraceExporter({ url: `${url}/v1/traces` });
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(traceExporter)] });
  const exporter = new OTLPMetricExporter({ url: `${url}/v1/metrics` });
  const meterProvider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] });
  const under = gatewayUnderTest({
    observer: openTelemetry({ tracerProvider, meterProvider, state: () => under.gateway.inspect() }),
  });
  under.provider.script = { complete: async () => completionOf("canary-answer") };
  await under.chat(await under.key(), { messages: [{ role: "user", content: "canary-prompt" }] });
  await tracerProvider.shutdown();
  await meterProvider.shutdown();

  const span = namedIn(received.get("/v1/traces")).find(({ name }) => name === "chat plain");
  // SPAN_KIND_CLIENT of opentelemetry/proto/trace/v1/trace.proto.
  expect(span).toMatchObject({ kind: 3, endTimeUnixNano: expect.stringMatching(/^\d{19}$/) });
  const metricNames = namedIn(received.get("/v1/metrics")).map(({ name }) => name);
  expect(metricNames).toEqual(
    expect.arrayContaining([
      "gen_ai.client.token.usage",
      "gen_ai.client.operation.duration",
      "tollgate.cost",
      "tollgate.inflight",
      "tollgate.breaker.state",
    ]),
  );
  expect(JSON.stringify([...received])).not.toContain("canary");
});
