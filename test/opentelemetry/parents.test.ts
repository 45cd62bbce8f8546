import { createServer, type Server } from "node:http";
import { context, propagation, SpanKind, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { nodeHandler } from "@tollgate/node";
import { openTelemetry } from "@tollgate/opentelemetry";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { chunksOf, completionOf } from "../support/scripted-provider.ts";
import { type TelemetryUnderTest, telemetryUnderTest } from "./telemetry-under-test.ts";

let telemetry: TelemetryUnderTest;
let under: GatewayUnderTest;
let server: Server;
let url: string;
let secret: string;

beforeEach(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  telemetry = telemetryUnderTest();
  const { tracerProvider, meterProvider } = telemetry;
  under = gatewayUnderTest({ observer: openTelemetry({ tracerProvider, meterProvider }) });
  secret = await under.key();
  server = createServer(instrumented(nodeHandler(under.gateway, { prefix: "/router/v1" })));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/router/v1/chat/completions`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await telemetry.close();
  context.disable();
  propagation.disable();
});

/** Handles each request inside of a span whose parent is the `traceparent` of the client, as HTTP instrumentation does. */
function instrumented(handler: ReturnType<typeof nodeHandler>): ReturnType<typeof nodeHandler> {
  return (req, res) => {
    const parent = propagation.extract(context.active(), req.headers);
    const span = telemetry.tracerProvider.getTracer("host").startSpan("POST", { kind: SpanKind.SERVER }, parent);
    res.once("close", () => span.end());
    return context.with(trace.setSpan(parent, span), () => handler(req, res));
  };
}

const ask = (traceId: string, stream: boolean) =>
  fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${secret}`,
      "content-type": "application/json",
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    },
    body: JSON.stringify({ model: "plain", messages: [{ role: "user", content: "Hello" }], stream }),
  }).then((response) => response.text());

it.each([false, true])(
  "gives each request the span of the host as parent, also at the same time; stream: %s",
  async (stream) => {
    under.provider.script = { complete: async () => completionOf("Hello"), stream: () => chunksOf(["Hel", "lo"]) };
    const traceIds = ["1", "2", "3", "4"].map((digit) => digit.repeat(32));
    await Promise.all(traceIds.map((traceId) => ask(traceId, stream)));
    await vi.waitUntil(() => telemetry.spans().length === 8);
    const of = (name: string, traceId: string) =>
      telemetry.spans().find((span) => span.name === name && span.spanContext().traceId === traceId);
    for (const traceId of traceIds) {
      const parent = of("POST", traceId);
      expect(parent).toBeDefined();
      expect(of("chat plain", traceId)?.parentSpanContext?.spanId).toBe(parent?.spanContext().spanId);
    }
  },
);
