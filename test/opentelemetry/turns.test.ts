import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { openTelemetry } from "@tollgate/opentelemetry";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type AssistantUnderTest, assistantUnderTest } from "../support/assistant-under-test.ts";
import { json } from "../support/webhook-target.ts";
import { seriesOf, type TelemetryUnderTest, telemetryUnderTest } from "./telemetry-under-test.ts";

let telemetry: TelemetryUnderTest;
let under: AssistantUnderTest;

beforeEach(async () => {
  telemetry = telemetryUnderTest();
  const { tracerProvider, meterProvider } = telemetry;
  under = await assistantUnderTest({ gateway: { observer: openTelemetry({ tracerProvider, meterProvider }) } });
  under.think((_request, call) =>
    call === 1 ? { calls: [["find_order", { number: 17 }]] } : { content: "It is on its way." },
  );
});

afterEach(async () => {
  await under.close();
  await telemetry.close();
});

const spanNames = () => telemetry.spans().map(({ name }) => name);

it("records each model call of a turn, its webhooks, and the turn as spans of their own", async () => {
  const id = await under.session({ customer: "Ann" });
  await under.say(id);
  const calls = ["attempt upstream-model", "chat plain"];
  expect(spanNames()).toEqual([...calls, "execute_tool find_order", ...calls, "invoke_agent"]);
  const [attempt, call, webhook, , lastCall, turn] = telemetry.spans();
  expect(turn?.parentSpanContext).toBeUndefined();
  for (const each of [call, webhook, lastCall])
    expect(each?.parentSpanContext?.spanId).toBe(turn?.spanContext().spanId);
  expect(attempt?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
  expect(call).toMatchObject({
    kind: SpanKind.CLIENT,
    attributes: { "gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 5, "tollgate.account.id": "acme" },
  });
  expect(webhook?.kind).toBe(SpanKind.INTERNAL);
  expect(webhook?.attributes).toMatchObject({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "find_order",
    "gen_ai.agent.id": "shop",
    "gen_ai.conversation.id": id,
    "http.response.status_code": 200,
  });
  expect(turn?.attributes).toMatchObject({
    "gen_ai.conversation.id": id,
    "gen_ai.usage.input_tokens": 20,
    "gen_ai.response.finish_reasons": ["stop"],
    "http.response.status_code": 200,
  });
});

it("counts the tokens of each call once, and not again for the turn", async () => {
  await under.say(await under.session({ customer: "Ann" }));
  const tokens = seriesOf(await telemetry.metric("gen_ai.client.token.usage"));
  expect(tokens.map(({ value }) => value)).toEqual([
    { count: 2, sum: 20 },
    { count: 2, sum: 10 },
  ]);
  expect(seriesOf(await telemetry.metric("gen_ai.invoke_agent.duration"))).toMatchObject([{ value: { count: 1 } }]);
});

it("records the duration of webhooks by trigger, with the error of one that failed", async () => {
  under.target.answer = (_request, res) => json(res, 404, {});
  await under.say(await under.session({ customer: "Ann" }));
  const [series] = seriesOf(await telemetry.metric("gen_ai.execute_tool.duration"));
  expect(series).toMatchObject({
    attributes: { "gen_ai.tool.name": "find_order", "gen_ai.agent.id": "shop", "error.type": "http_error" },
    value: { count: 1 },
  });
  const webhook = telemetry.spans().find(({ name }) => name === "execute_tool find_order");
  expect(webhook?.status.code).toBe(SpanStatusCode.ERROR);
});
