import type OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkResponsesOrder } from "../../support/event-order/responses-order.ts";
import { type ModelAnswer, textAnswer } from "../../upstream/model-answer.ts";
import { answers } from "./answers.ts";
import { costOf, type DialectGateway, models, serveDialects } from "./dialect-gateway.ts";

let served: DialectGateway;
let client: OpenAI;

beforeEach(async () => {
  served = await serveDialects();
  client = await served.openai();
});
afterEach(() => served.close());

const ways = [
  ["native", models.responses],
  ["translated", models.chat],
  ["translated to Messages", models.messages],
] as const;

const weather: OpenAI.Responses.FunctionTool = {
  type: "function",
  name: "get_weather",
  description: "The weather of a city.",
  parameters: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
  strict: true,
};

describe.each(ways)("the official OpenAI client of Responses, %s", (way, model) => {
  const answerWith = (answer: ModelAnswer) => {
    served.upstream.reply = () => ({ answer });
  };
  const streamed = async (more: object = {}) => {
    const response = await client.responses.stream({ model, input: "Hello", ...more }).finalResponse();
    expect(checkResponsesOrder(await served.lastText())).toBe("complete");
    return response;
  };
  const created = (more: object = {}): Promise<OpenAI.Responses.Response> =>
    client.responses.create({ model, input: "Hello", stream: false, ...more });
  const methods = { create: created, stream: streamed };
  const names = ["create", "stream"] as const;

  it.each(names)("gets a response by %s", async (name) => {
    answerWith(answers.text);
    const response = await methods[name]({ metadata: { trace: "7" }, instructions: "Be brief." });
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_/),
      object: "response",
      status: "completed",
      model,
      error: null,
      output: [{ type: "message", role: "assistant", status: "completed" }],
      usage: { input_tokens: 20, output_tokens: 9, total_tokens: 29 },
    });
    expect(response.output_text).toBe("Héllo wörld 🌍");
    expect(served.upstream.last().text).toContain("Be brief.");
    await served.expectCharged(costOf(answers.text.tokens));
  });

  it("streams the text piece by piece", async () => {
    answerWith(answers.text);
    const pieces: string[] = [];
    for await (const event of await client.responses.create({ model, input: "Hello", stream: true })) {
      if (event.type === "response.output_text.delta") pieces.push(event.delta);
    }
    expect(pieces).toEqual(["Hé", "llo ", "wörld 🌍"]);
  });

  it.each(names)("reads calls of tools at once by %s", async (name) => {
    answerWith(answers.tools);
    const { output } = await methods[name]({ tools: [weather] });
    expect(output).toMatchObject([
      { type: "message", content: [{ type: "output_text", text: "I will look." }] },
      { type: "function_call", call_id: "call_oslo", name: "get_weather", arguments: '{"city":"Oslo","days":2}' },
      { type: "function_call", call_id: "call_rome", arguments: String.raw`{"city":"R\"o\"me"}` },
    ]);
  });

  const toolLoop = async (
    next: (first: OpenAI.Responses.Response) => Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming>,
  ) => {
    served.upstream.reply = (_request, before) => ({ answer: before === 0 ? answers.tools : answers.text });
    const first = await created({ tools: [weather] });
    const second = await created({ tools: [weather], ...next(first) });
    expect(second.output_text).toBe("Héllo wörld 🌍");
    for (const text of ["call_oslo", "call_rome", "12 degrees", "I will look."]) {
      expect(served.upstream.last().text).toContain(text);
    }
    await served.expectCharged(costOf(answers.tools.tokens) + costOf(answers.text.tokens));
  };
  const results = ["call_oslo", "call_rome"].map((call_id) => ({
    type: "function_call_output" as const,
    call_id,
    output: "12 degrees",
  }));

  it("runs tools over several requests with previous_response_id", async () => {
    await toolLoop(({ id }) => ({ previous_response_id: id, input: results }));
  });

  it("runs tools over several requests by sending the items", async () => {
    await toolLoop(({ output }) => ({
      store: false,
      input: [{ role: "user", content: "Hello" }, ...itemsOf(output), ...results],
    }));
  });

  it.each(names)("reads reasoning by %s, and sends it back", async (name) => {
    answerWith(answers.thinking);
    const more = {
      store: false,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "low", summary: "auto" },
    } as const;
    const first = await methods[name](more);
    expect(first.output_text).toBe("Then that.");
    expect(first.usage?.output_tokens_details.reasoning_tokens).toBe(25);
    expect(first.output[0]).toMatchObject({ type: "reasoning", summary: [{ text: "First this." }] });
    if (way === "native") expect(first.output[0]).toMatchObject({ encrypted_content: expect.any(String) });
    answerWith(answers.text);
    const input = [
      { role: "user" as const, content: "Hello" },
      ...itemsOf(first.output),
      { role: "user" as const, content: "Go on" },
    ];
    expect(await created({ ...more, input })).toMatchObject({ status: "completed" });
    if (way === "native") expect(served.upstream.last().text).toContain("c2lnbmF0dXJl");
  });

  it.each(names)("reports a response that was cut off by %s", async (name) => {
    answerWith(answers.truncated);
    expect(await methods[name]({ max_output_tokens: 20 })).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    });
  });

  it.each(names)("reports cached tokens by %s, and is charged for each class", async (name) => {
    answerWith(answers.cached);
    const { usage } = await methods[name]({ prompt_cache_key: "conversation-1" });
    expect(usage).toMatchObject({ input_tokens: 792, input_tokens_details: { cached_tokens: 700 }, output_tokens: 5 });
    await served.expectCharged(costOf(answers.cached.tokens));
  });

  it("parses an object by its schema", async () => {
    answerWith(answers.object);
    const schema = {
      type: "object",
      properties: { name: { type: "string" }, age: { type: "integer" } },
      required: ["name", "age"],
      additionalProperties: false,
    };
    const format = { type: "json_schema" as const, name: "person", schema, strict: true };
    const response = await client.responses.parse({ model, input: '"Ada" is 36', text: { format } });
    expect(response.output_parsed).toEqual({ name: "Ada", age: 36 });
    expect(served.upstream.last().text).toContain('"age"');
  });

  it("keeps a response, so that it can be read and removed", async () => {
    const made = await created({ input: "Remember this." });
    const { id } = made;
    expect(made).toMatchObject({ store: true });
    expect(await client.responses.retrieve(id)).toMatchObject({ id, model, output_text: made.output_text });
    const { data } = await client.responses.inputItems.list(id);
    expect(JSON.stringify(data)).toContain("Remember this.");
    await client.responses.delete(id);
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });

  it("never asks an upstream to store", async () => {
    await created({ store: true });
    if (way === "native") expect(served.upstream.last().body["store"]).toBe(false);
    else expect(served.upstream.last().body).not.toHaveProperty("store");
  });

  it("sends images", async () => {
    const image_url = "data:image/png;base64,bm90IGEgcmVhbCBpbWFnZQ==";
    const content = [
      { type: "input_text" as const, text: "What is this?" },
      { type: "input_image" as const, image_url, detail: "auto" as const },
    ];
    await created({ input: [{ role: "user", content }] });
    expect(served.upstream.last().text).toContain("bm90IGEgcmVhbCBpbWFnZQ==");
  });
});

describe("a refusal, as the official OpenAI client reads it", () => {
  it.each([models.responses, models.chat])("is a refusal in the response of %s", async (model) => {
    const refused: ModelAnswer = { ...textAnswer([]), parts: [{ type: "refusal", pieces: ["I ", "cannot."] }] };
    served.upstream.reply = () => ({ answer: refused });
    const whole = await client.responses.create({ model, input: "Hello" });
    const stream = await client.responses.stream({ model, input: "Hello" }).finalResponse();
    for (const { output } of [whole, stream]) {
      expect(output).toMatchObject([{ type: "message", content: [{ type: "refusal", refusal: "I cannot." }] }]);
    }
    expect(checkResponsesOrder(await served.lastText())).toBe("complete");
  });
});

/** A response's output as the input of the next request, as OpenAI's guide sends it back. */
const itemsOf = (output: readonly OpenAI.Responses.ResponseOutputItem[]): OpenAI.Responses.ResponseInputItem[] =>
  JSON.parse(JSON.stringify(output));
