import { aiSdk } from "@tollgate/ai-sdk";
import { fetchTransport } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { callOver } from "../providers/calls.ts";
import { allEvents } from "../support/read-stream.ts";
import { choice, frame, gatewayAt, json, streamHead } from "./gateway-at.ts";
import { finish, ModelUnderTest, usage } from "./models.ts";

const args = '{"id":1234567890123456789,"list":[{"price":19.90}],"huge":1e400,"__proto__":{"days":3}}';
/** Node 20 cannot write a number with exact digits. */
const echoed =
  "rawJSON" in JSON
    ? args
    : '{"id":"1234567890123456789","list":[{"price":19.9}],"huge":"1e400","__proto__":{"days":3}}';
const callWith = (json: string) => ({
  id: "call_0",
  type: "function" as const,
  function: { name: "f", arguments: json },
});
const messages = (json = args) => [
  { role: "user" as const, content: "Hello" },
  { role: "assistant" as const, tool_calls: [callWith(json)] },
  { role: "tool" as const, tool_call_id: "call_0", content: "Done." },
];
const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];

describe("@ai-sdk/openai-compatible", () => {
  it("keeps the digits of a call's arguments on the way to the client and back to the model", async () => {
    const { chat, bodies } = await gatewayAt((_request, response) => {
      const message = { role: "assistant", content: null, tool_calls: [callWith(args)] };
      json(response, { ...choice({}), choices: [{ index: 0, message, finish_reason: "tool_calls" }] });
    });
    const { choices } = await (await chat({ messages: messages(), tools })).json();
    expect(choices[0].message.tool_calls[0].function.arguments).toBe(args);
    expect(bodies[0]).toMatchObject({ messages: [{}, { tool_calls: [{ function: { arguments: echoed } }] }, {}] });
  });

  it("keeps the digits of a call's arguments in a stream", async () => {
    const { chat } = await gatewayAt((_request, response) => {
      streamHead(response);
      frame(response, choice({ tool_calls: [{ index: 0, ...callWith(args.slice(0, 12)) }] }));
      frame(response, choice({ tool_calls: [{ index: 0, function: { arguments: args.slice(12) } }] }));
      frame(response, choice({}, "tool_calls"));
      response.end("data: [DONE]\n\n");
    });
    const events = await allEvents(await chat({ messages: messages(), tools, stream: true }));
    const deltas = events.slice(0, -1).flatMap((event) => JSON.parse(event).choices[0]?.delta.tool_calls ?? []);
    expect(deltas.map((delta) => delta.function?.arguments ?? "").join("")).toBe(args);
  });
});

describe("a hand-written model", () => {
  it("receives plain values where no digits are lost, and otherwise values that convert to the exact digits", async () => {
    const stop = { unified: "stop", raw: undefined } as const;
    const content = [{ type: "tool-call" as const, toolCallId: "call_1", toolName: "f", input: args }];
    const model = new ModelUnderTest({
      generate: async () => ({ content, finishReason: stop, usage, warnings: [] }),
      parts: async function* () {
        yield { type: "tool-call", toolCallId: "call_1", toolName: "f", input: args };
        yield finish;
      },
    });
    const request = { model: "m", messages: messages('{"days":3,"ratio":0.5,"id":-9007199254740993}') };
    const call = callOver(fetchTransport(), { request });
    expect(await aiSdk(model).complete(call)).toMatchObject({
      choices: [{ message: { tool_calls: [{ function: { arguments: args } }] } }],
    });
    const part = model.calls[0]?.prompt[1]?.content[0];
    const input: unknown = typeof part === "object" && part.type === "tool-call" ? part.input : undefined;
    expect(input).toMatchObject({ days: 3, ratio: 0.5 });
    expect(`${Object.values(Object(input))}`).toBe("3,0.5,-9007199254740993");

    const stream = await aiSdk(model).stream(call);
    if (stream.kind !== "chunks") throw new Error("The provider returned a stream of bytes.");
    expect((await stream.chunks[Symbol.asyncIterator]().next()).value).toMatchObject({
      choices: [{ delta: { tool_calls: [{ function: { arguments: args } }] } }],
    });
  });
});
