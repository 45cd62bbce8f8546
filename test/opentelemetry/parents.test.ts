import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { context, propagation, SpanKind, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { openaiCompatible } from "@tollgate/core";
import { nodeHandler, pooledTransport } from "@tollgate/node";
import { openTelemetry } from "@tollgate/opentelemetry";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";
import { type TelemetryUnderTest, telemetryUnderTest } from "./telemetry-under-test.ts";

const stream =
  'data: {"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":"stop"}]}\n\n' +
  'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}\n\ndata: [DONE]\n\n';

let telemetry: TelemetryUnderTest;
let upstream: Server;
let server: Server;
let url: string;
let secret: string;
let streaming = false;

beforeEach(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  telemetry = telemetryUnderTest();
  upstream = createServer((req, res) => {
    req.resume();
    res.writeHead(200, { "content-type": streaming ? "text/event-stream" : "application/json" });
    res.end(streaming ? stream : JSON.stringify(completionOf("Hello")));
  });
  const provider = openaiCompatible({ baseURL: `${await listen(upstream)}/v1`, apiKey: "upstream-key" });
  const { tracerProvider, meterProvider } = telemetry;
  const under = gatewayUnderTest({
    observer: openTelemetry({ tracerProvider, meterProvider }),
    // Requests share connections, whose callbacks run in the context of the request that opened them.
    transport: pooledTransport(),
    models: [{ id: "plain", maxOutputTokens: 100, price: "free", targets: [{ provider, model: "upstream-model" }] }],
  });
  secret = await under.key();
  server = createServer(instrumented(nodeHandler(under.gateway, { prefix: "/router/v1" })));
  url = `${await listen(server)}/router/v1/chat/completions`;
});

afterEach(async () => {
  for (const each of [server, upstream]) {
    each.closeAllConnections();
    each.close();
  }
  await telemetry.close();
  context.disable();
  propagation.disable();
});

async function listen(each: Server): Promise<string> {
  await once(each.listen(0, "127.0.0.1"), "listening");
  const address = each.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

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

it.each([false, true])("gives each request the span of the host as parent; stream: %s", async (stream) => {
  streaming = stream;
  const traceIds = ["1", "2", "3"].map((digit) => digit.repeat(32));
  for (const traceId of traceIds) await ask(traceId, stream);
  await vi.waitUntil(() => telemetry.spans().length === 9, { timeout: 10_000 });
  const spanOf = (name: string, traceId: string) =>
    telemetry.spans().find((span) => span.name === name && span.spanContext().traceId === traceId);
  for (const traceId of traceIds) {
    const parent = spanOf("POST", traceId);
    expect(parent).toBeDefined();
    const call = spanOf("chat plain", traceId);
    expect(call?.parentSpanContext?.spanId).toBe(parent?.spanContext().spanId);
    expect(spanOf("attempt upstream-model", traceId)?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
  }
});
