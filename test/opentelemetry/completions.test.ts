import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { AlwaysOffSampler } from "@opentelemetry/sdk-trace-base";
import type { GatewayOptions } from "@tollgate/core";
import { ProviderError } from "@tollgate/core/provider";
import { openTelemetry } from "@tollgate/opentelemetry";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { allEvents } from "../support/read-stream.ts";
import { chunksOf, completionOf } from "../support/scripted-provider.ts";
import { seriesOf, type TelemetryUnderTest, telemetryUnderTest } from "./telemetry-under-test.ts";

let telemetry: TelemetryUnderTest;
let under: GatewayUnderTest;
let secret: string;
let keyId: string;

async function start(options: Partial<GatewayOptions> = {}): Promise<void> {
  const { tracerProvider, meterProvider } = telemetry;
  const observer = openTelemetry({ tracerProvider, meterProvider, state: () => under.gateway.inspect() });
  under = gatewayUnderTest({ observer, ...options });
  const issued = await under.keys.create({ account: "acme", plan: "prepaid" });
  keyId = issued.key.id;
  secret = issued.secret;
}

beforeEach(async () => {
  telemetry = telemetryUnderTest();
  await start();
});

afterEach(() => telemetry.close());

const target = {
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "scripted",
  "gen_ai.request.model": "plain",
  "gen_ai.response.model": "upstream-model",
};

const { "gen_ai.response.model": _, ...model } = target;

const usage = {
  prompt_tokens: 100,
  completion_tokens: 50,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 20 },
  completion_tokens_details: { reasoning_tokens: 40 },
};

it("records a completion as a span with the target, the tokens by class, the cost, and the ids of key and account", async () => {
  under.provider.script = { complete: async () => completionOf("Hello", usage) };
  const before = Date.now();
  await under.chat(secret, {}, { headers: { "x-request-id": "request-1" } });
  const [attempt, span, ...others] = telemetry.spans();
  expect(others).toEqual([]);
  expect(attempt?.name).toBe("attempt upstream-model");
  expect(span).toMatchObject({ name: "chat plain", kind: SpanKind.CLIENT, ended: true });
  expect(span?.status.code).toBe(SpanStatusCode.UNSET);
  expect(span?.attributes).toEqual({
    ...target,
    "http.response.status_code": 200,
    "gen_ai.response.id": "chatcmpl-upstream",
    "gen_ai.response.finish_reasons": ["stop"],
    "gen_ai.usage.input_tokens": 100,
    "gen_ai.usage.cache_read.input_tokens": 30,
    "gen_ai.usage.cache_creation.input_tokens": 20,
    "gen_ai.usage.output_tokens": 50,
    "gen_ai.usage.reasoning.output_tokens": 40,
    "tollgate.request.id": "request-1",
    "tollgate.key.id": keyId,
    "tollgate.account.id": "acme",
    "tollgate.hold.id": expect.any(String),
    "tollgate.dialect": "chat",
    "tollgate.attempts": 1,
    "tollgate.cost": 0.0002,
    "tollgate.usage.estimated": false,
    "tollgate.ending": "complete",
  });
  const [seconds = 0] = span?.startTime ?? [];
  expect(seconds).toBeGreaterThanOrEqual(Math.floor(before / 1_000));
});

it("begins the span when the request arrived and ends it when the request ended", async () => {
  vi.useFakeTimers({ now: 1_700_000_000_000, toFake: ["Date"] });
  try {
    under.provider.script = {
      complete: async () => {
        vi.setSystemTime(1_700_000_002_500);
        return completionOf("Hello");
      },
    };
    await under.chat(secret);
  } finally {
    vi.useRealTimers();
  }
  const span = telemetry.spans().find(({ name }) => name === "chat plain");
  expect([span?.startTime, span?.endTime]).toEqual([
    [1_700_000_000, 0],
    [1_700_000_002, 500_000_000],
  ]);
  expect(seriesOf(await telemetry.metric("gen_ai.client.operation.duration"))).toEqual([
    { attributes: { ...target, "http.response.status_code": 200 }, value: { count: 1, sum: 2.5 } },
  ]);
});

it("records the time to the first content of a stream, on its span and as a metric", async () => {
  under.provider.script = { stream: () => chunksOf(["Hel", "lo"]) };
  await allEvents(await under.chat(secret, { stream: true }));
  await vi.waitUntil(() => telemetry.spans().length === 2, { timeout: 10_000 });
  const call = telemetry.spans().find(({ name }) => name === "chat plain");
  const seconds = call?.attributes["gen_ai.response.time_to_first_chunk"];
  expect(call?.attributes).toMatchObject({
    "gen_ai.request.stream": true,
    "gen_ai.response.finish_reasons": ["stop"],
    "gen_ai.response.id": expect.stringMatching(/^chatcmpl-/),
  });
  expect(seriesOf(await telemetry.metric("gen_ai.client.operation.time_to_first_chunk"))).toEqual([
    { attributes: model, value: { count: 1, sum: seconds } },
  ]);
});

it("records tokens and cost by target, without ids of keys and accounts", async () => {
  under.provider.script = { complete: async () => completionOf("Hello", usage) };
  await under.chat(secret);
  await under.chat(secret);
  expect(seriesOf(await telemetry.metric("gen_ai.client.token.usage"))).toEqual([
    { attributes: { ...model, "gen_ai.token.type": "input" }, value: { count: 2, sum: 200 } },
    { attributes: { ...model, "gen_ai.token.type": "output" }, value: { count: 2, sum: 100 } },
  ]);
  expect(seriesOf(await telemetry.metric("tollgate.cost"))).toEqual([{ attributes: target, value: 0.0004 }]);
});

it.each([
  ["gen_ai.client.token.usage", [1, 4, 16], 67_108_864],
  ["gen_ai.client.operation.duration", [0.01, 0.02, 0.04], 81.92],
])("gives %s the buckets of the conventions", async (name, first, last) => {
  under.provider.script = { complete: async () => completionOf("Hello") };
  await under.chat(secret);
  const value = (await telemetry.metric(name)).dataPoints[0]?.value;
  const { boundaries } = typeof value === "object" && "buckets" in value ? value.buckets : { boundaries: [] };
  expect([boundaries.slice(0, 3), boundaries.at(-1), boundaries.length]).toEqual([first, last, 14]);
});

it("records a refused request with its code as the error, and nothing that the client sent", async () => {
  await under.chat(secret, { model: "canary-model", user: "canary-user" });
  const [span] = telemetry.spans();
  expect(span).toMatchObject({ name: "chat", status: { code: SpanStatusCode.ERROR, message: "model_not_found" } });
  const outcome = {
    "gen_ai.operation.name": "chat",
    "error.type": "model_not_found",
    "http.response.status_code": 404,
  };
  expect(span?.attributes).toMatchObject(outcome);
  expect(JSON.stringify(span?.attributes)).not.toContain("canary");
  expect(seriesOf(await telemetry.metric("gen_ai.client.operation.duration"))).toMatchObject([{ attributes: outcome }]);
});

it("counts the failed attempts of each target by failure", async () => {
  await start({ routing: { retries: 1, backoffMs: 1 } });
  under.provider.script = { complete: () => Promise.reject(new ProviderError("failed", "down")) };
  await under.chat(secret);
  expect(seriesOf(await telemetry.metric("tollgate.attempts.failed"))).toEqual([
    {
      attributes: {
        "gen_ai.provider.name": "scripted",
        "gen_ai.response.model": "upstream-model",
        "error.type": "failed",
      },
      value: 2,
    },
  ]);
});

it("records one span for each attempt within that of the call, with what the upstream answered", async () => {
  await start({ routing: { retries: 1, backoffMs: 1 } });
  const details = { status: 500, upstreamMessage: "The engine is down." };
  let calls = 0;
  under.provider.script = {
    complete: async () => {
      calls += 1;
      if (calls === 1) throw new ProviderError("failed", "down", details);
      return completionOf("Hello");
    },
  };
  await under.chat(secret);
  const [failed, answered, call, ...others] = telemetry.spans();
  expect(others).toEqual([]);
  expect([failed?.name, answered?.name, call?.name]).toEqual([
    "attempt upstream-model",
    "attempt upstream-model",
    "chat plain",
  ]);
  for (const attempt of [failed, answered]) expect(attempt?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
  expect(failed).toMatchObject({
    attributes: { "gen_ai.provider.name": "scripted", "error.type": "failed", "http.response.status_code": 500 },
    status: { code: SpanStatusCode.ERROR, message: "failed: The engine is down." },
  });
  expect(answered?.status.code).toBe(SpanStatusCode.UNSET);
});

it("records nothing for requests that call no model", async () => {
  await under.models(secret);
  expect(telemetry.spans()).toEqual([]);
  await expect(telemetry.metric("gen_ai.client.operation.duration")).rejects.toThrow("no metric");
});

it("reads the gauges from the state of the gateway", async () => {
  await start({ routing: { retries: 0, breaker: { threshold: 1 } } });
  const names = ["tollgate.inflight", "tollgate.holds", "tollgate.settlements.waiting", "tollgate.breaker.state"];
  const gauges = async () => {
    const values: unknown[] = [];
    for (const name of names) values.push(seriesOf(await telemetry.metric(name))[0]?.value);
    return values;
  };
  let during: unknown[] = [];
  under.provider.script = {
    complete: async () => {
      during = await gauges();
      throw new ProviderError("failed", "down");
    },
  };
  await under.chat(secret);
  expect(during).toEqual([1, 1, 0, 0]);
  expect(await gauges()).toEqual([0, 0, 0, 2]);
});

it("counts other events by type", async () => {
  await start({ routing: { retries: 0, breaker: { threshold: 1 } } });
  under.provider.script = { complete: () => Promise.reject(new ProviderError("failed", "down")) };
  await under.chat(secret);
  expect(seriesOf(await telemetry.metric("tollgate.events"))).toEqual([
    { attributes: { "tollgate.event.type": "target.opened" }, value: 1 },
  ]);
});

it("keeps metrics when no span is sampled", async () => {
  await telemetry.close();
  telemetry = telemetryUnderTest(new AlwaysOffSampler());
  await start();
  under.provider.script = { complete: async () => completionOf("Hello") };
  await under.chat(secret);
  expect(telemetry.spans()).toEqual([]);
  expect(seriesOf(await telemetry.metric("gen_ai.client.operation.duration"))).toHaveLength(1);
});
