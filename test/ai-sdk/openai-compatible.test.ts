import { describe, expect, it } from "vitest";
import { allEvents, eventsOf } from "../support/read-stream.ts";
import { canaryKey, choice, frame, gatewayAt, json, streamHead } from "./gateway-at.ts";

const usage = {
  prompt_tokens: 10,
  completion_tokens: 5,
  total_tokens: 15,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 2 },
};
const completion = {
  id: "c-1",
  created: 5,
  model: "up-model",
  choices: [
    { index: 0, message: { role: "assistant", content: "Hello", reasoning_content: "Hm." }, finish_reason: "stop" },
  ],
  usage,
};
const tools = [{ type: "function", function: { name: "find", parameters: { type: "object" } } }];

describe("@ai-sdk/openai-compatible behind the gateway", () => {
  it("receives the client's request and returns a completion", async () => {
    const { chat, bodies, heads } = await gatewayAt((_request, response) => json(response, completion));
    const history = [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] },
      { role: "assistant", content: null, tool_calls: [callOf("t-1", '{"a":1}')] },
      { role: "tool", tool_call_id: "t-1", content: "found" },
    ];
    const settings = { temperature: 0.5, top_p: 0.5, stop: ["x"], seed: 7, max_tokens: 50 };
    const format = { type: "json_schema", json_schema: { name: "who", schema: { type: "object" }, strict: true } };
    const body = { messages: history, tools, tool_choice: "auto", response_format: format, ...settings };
    const response = await chat(body, { headers: { "x-request-id": "request-9" } });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ ...completion, model: "plain" });
    expect(bodies).toMatchObject([{ ...body, model: "up-model" }]);
    expect(heads[0]).toMatchObject({ authorization: `Bearer ${canaryKey}`, "x-request-id": "request-9" });
  });

  it("streams text, reasoning and usage", async () => {
    const { chat, bodies } = await gatewayAt((_request, response) => {
      streamHead(response);
      frame(response, choice({ role: "assistant", reasoning_content: "Hm." }));
      for (const content of ["Hel", "lo"]) frame(response, choice({ content }));
      frame(response, choice({}, "stop"));
      frame(response, { ...choice({}), choices: [], usage });
      response.end("data: [DONE]\n\n");
    });
    const events = await allEvents(await chat({ stream: true }));
    expect(events.at(-1)).toBe("[DONE]");
    const frames = events.slice(0, -1).map((event) => JSON.parse(event));
    expect(frames.map((each) => each.choices[0]?.delta)).toEqual([
      { role: "assistant", reasoning_content: "Hm." },
      { content: "Hel" },
      { content: "lo" },
      {},
      undefined,
    ]);
    expect(frames.at(-1)).toMatchObject({ id: "c-1", created: 5, model: "plain", choices: [], usage });
    expect(bodies[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it("returns tool calls, with and without streaming", async () => {
    const { chat } = await gatewayAt((_request, response, body) => {
      const request: { stream?: boolean } = JSON.parse(body);
      const calls = [callOf("t-1", '{"a":1}'), callOf("t-2", "{}")];
      if (request.stream !== true) {
        const message = { role: "assistant", content: null, tool_calls: calls };
        json(response, { ...completion, choices: [{ index: 0, message, finish_reason: "tool_calls" }] });
        return;
      }
      streamHead(response);
      for (const [index, call] of calls.entries()) {
        const { name, arguments: args } = call.function;
        const cut = Math.ceil(args.length / 2);
        const start = { index, id: call.id, type: "function", function: { name, arguments: args.slice(0, cut) } };
        frame(response, choice({ tool_calls: [start] }));
        frame(response, choice({ tool_calls: [{ index, function: { arguments: args.slice(cut) } }] }));
      }
      frame(response, choice({}, "tool_calls"));
      response.end("data: [DONE]\n\n");
    });
    const whole = await (await chat({ tools })).json();
    expect(whole.choices).toMatchObject([
      { message: { tool_calls: [callOf("t-1", '{"a":1}'), callOf("t-2", "{}")] }, finish_reason: "tool_calls" },
    ]);
    const events = (await allEvents(await chat({ tools, stream: true })))
      .slice(0, -1)
      .map((event) => JSON.parse(event));
    const choices = events.flatMap((event) => event.choices);
    expect(choices.at(-1)).toMatchObject({ finish_reason: "tool_calls" });
    expect([0, 1].map((index) => joined(choices, index))).toEqual(['t-1 find {"a":1}', "t-2 find {}"]);
  });

  it("closes the connection to the upstream when the client disconnects", async () => {
    let closed = 0;
    const { chat } = await gatewayAt((_request, response) => {
      response.on("close", () => {
        closed += 1;
      });
      streamHead(response);
      frame(response, choice({ content: "Hel" }));
    });
    const events = eventsOf(await chat({ stream: true }));
    await events.next();
    await events.return(undefined);
    await expect.poll(() => closed, { timeout: 10_000 }).toBe(1);
  });
});

const callOf = (id: string, args: string) => ({
  id,
  type: "function" as const,
  function: { name: "find", arguments: args },
});

interface StreamedChoice {
  readonly delta: { readonly tool_calls?: readonly StreamedCall[] };
}

interface StreamedCall {
  readonly index: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

function joined(choices: readonly StreamedChoice[], index: number): string {
  const deltas = choices.flatMap(({ delta }) => delta.tool_calls ?? []).filter((call) => call.index === index);
  const [first] = deltas;
  return `${first?.id} ${first?.function?.name} ${deltas.map((delta) => delta.function?.arguments).join("")}`;
}
