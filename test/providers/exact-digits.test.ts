import { text } from "node:stream/consumers";
import { anthropic } from "@tollgate/anthropic";
import type { ProviderAdapter } from "@tollgate/core/provider";
import { google } from "@tollgate/google";
import { afterEach, describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { httpUpstream, type Upstream } from "./upstream.ts";

const opened: Upstream[] = [];
afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));

interface Case {
  readonly name: string;
  readonly make: (baseURL: string) => ProviderAdapter;
  /** The answer without streaming. */
  readonly whole: string;
  /** The frames of a streamed answer. If it is empty, the upstream answers with JSON. */
  readonly frames: readonly string[];
  /** The JSON answer to a request with stream; `whole` when absent. */
  readonly list?: string;
}

const args = '{"id":1234567890123456789,"price":19.90}';
const use = (input: string) => `{"type":"tool_use","id":"toolu_1","name":"f","input":${input}}`;
const candidate = `{"content":{"role":"model","parts":[{"functionCall":{"id":"call_1","name":"f","args":${args}}}]},"finishReason":"STOP","index":0.0,"avgLogprobs":-0.010}`;
const gemini = `{"candidates":[${candidate}],"usageMetadata":{"promptTokenCount":5.0,"candidatesTokenCount":2,"totalTokenCount":7}}`;

const started =
  '{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":5,"output_tokens":1}}}';
const ended = [
  '{"type":"content_block_stop","index":0}',
  '{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":2}}',
  '{"type":"message_stop"}',
];
const pieces = ['{"id":1234567890', '123456789,"price":19.90}'].map(
  (json) =>
    `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":${JSON.stringify(json)}}}`,
);
const blockStart = (input: string) => `{"type":"content_block_start","index":0,"content_block":${use(input)}}`;
const message = `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[${use(args)}],"stop_reason":"tool_use","usage":{"input_tokens":5.0,"output_tokens":2}}`;

const atAnthropic = { make: (baseURL: string) => anthropic({ apiKey: "key", baseURL }), whole: message };
const atGoogle = { make: (baseURL: string) => google({ apiKey: "key", baseURL: new URL(baseURL).origin }) };
const cases: readonly Case[] = [
  { name: "anthropic", ...atAnthropic, frames: [started, blockStart("{}"), ...pieces, ...ended] },
  { name: "anthropic, with the input in one event", ...atAnthropic, frames: [started, blockStart(args), ...ended] },
  { name: "anthropic, which does not stream", ...atAnthropic, frames: [] },
  { name: "google", ...atGoogle, whole: gemini, frames: [gemini] },
  { name: "google, which does not stream", ...atGoogle, whole: gemini, frames: [] },
  { name: "google, which answers a stream with a list", ...atGoogle, whole: gemini, list: `[${gemini}]`, frames: [] },
];

const schema =
  '{"type":"object","properties":{"id":{"type":"integer","maximum":9223372036854775807,"enum":[1234567890123456789]},"price":{"const":19.90}},"required":["id"]}';
const requestWith = (stream: boolean) =>
  `{"model":"plain","stream":${stream},"temperature":0.70,"messages":[{"role":"user","content":"Hello"},` +
  `{"role":"assistant","tool_calls":[{"id":"call_0","type":"function","function":{"name":"f","arguments":${JSON.stringify(args)}}}]},` +
  `{"role":"tool","tool_call_id":"call_0","content":"Done."}],` +
  `"tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}],` +
  `"response_format":{"type":"json_schema","json_schema":{"name":"r","schema":${schema}}}}`;

async function gatewayBefore({ make, whole, frames, list = whole }: Case) {
  const bodies: string[] = [];
  const upstream = await httpUpstream(async (request, response) => {
    const body = await text(request);
    bodies.push(body);
    const streams = body.includes('"stream":true') || request.url?.includes("streamGenerateContent");
    const isEvents = streams && frames.length > 0;
    response.writeHead(200, { "content-type": isEvents ? "text/event-stream" : "application/json" });
    response.end(isEvents ? frames.map((frame) => `data: ${frame}\n\n`).join("") : streams ? list : whole);
  });
  opened.push(upstream);
  const provider = make(upstream.baseURL);
  const under = gatewayUnderTest({
    plans: [{ id: "prepaid", billing: "prepaid", features: ["tools", "response_format"] }],
    models: [
      {
        id: "plain",
        maxOutputTokens: 1_000,
        contextWindow: 8_000,
        price: { input: "1", output: "2" },
        targets: [{ provider, model: "up-model" }],
      },
    ],
  });
  return { chat: under.chat, key: await under.key(), bodies };
}

describe.each(cases)("$name", (each) => {
  it.each([false, true])("keeps the digits of numbers in both directions, stream: %s", async (stream) => {
    const { chat, key, bodies } = await gatewayBefore(each);
    const response = await chat(key, requestWith(stream));
    expect(response.status).toBe(200);
    expect(argumentsIn(await response.text(), stream)).toBe(args);

    const [body = ""] = bodies;
    expect(body).toContain(args);
    // Strict output of Anthropic has a bound in the description.
    expect(body.match(/"?maximum"?: ?9223372036854775807/g)).toHaveLength(2);
    expect(body.match(/"enum":\[1234567890123456789\]/g)).toHaveLength(2);
    expect(body.match(/(?:"const":|"enum":\[)19\.90/g)).toHaveLength(2);
    expect(body).toContain('"temperature":0.7,');
  });
});

function argumentsIn(body: string, stream: boolean): string {
  if (!stream) return JSON.parse(body).choices[0].message.tool_calls[0].function.arguments;
  const frames = body.split("\n\n").filter((line) => line.startsWith("data: {"));
  return frames
    .flatMap((frame) => JSON.parse(frame.slice("data: ".length)).choices)
    .flatMap(({ delta }) => delta.tool_calls ?? [])
    .map((call) => call.function.arguments ?? "")
    .join("");
}
