import type Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkMessagesOrder } from "../../support/event-order/messages-order.ts";
import { type ModelAnswer, textAnswer } from "../../upstream/model-answer.ts";
import { answers } from "./answers.ts";
import { costOf, type DialectGateway, models, serveDialects } from "./dialect-gateway.ts";

let served: DialectGateway;
let client: Anthropic;

beforeEach(async () => {
  served = await serveDialects();
  client = await served.anthropic();
});
afterEach(() => served.close());

const ways = [
  ["native", models.messages],
  ["translated", models.chat],
] as const;

const weather: Anthropic.Tool = {
  name: "get_weather",
  description: "The weather of a city.",
  input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

describe.each(ways)("the official Anthropic client, %s", (way, model) => {
  const request = { model, max_tokens: 100, messages: [{ role: "user" as const, content: "Hello" }] };
  const answerWith = (answer: ModelAnswer) => {
    served.upstream.reply = () => ({ answer });
  };
  const streamed = async (more: object = {}) => {
    const message = await client.messages.stream({ ...request, ...more }).finalMessage();
    expect(checkMessagesOrder(await served.lastText())).toBe("complete");
    return message;
  };

  it("creates a message", async () => {
    answerWith(answers.text);
    const message = await client.messages.create(request);
    expect(message).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      type: "message",
      role: "assistant",
      model,
      stop_reason: "end_turn",
      stop_sequence: null,
      content: [{ type: "text", text: "Héllo wörld 🌍" }],
      usage: { input_tokens: 20, output_tokens: 9 },
    });
    expect(message._request_id).toBe(served.last().headers.get("x-request-id"));
    await served.expectCharged(costOf(answers.text.tokens));
  });

  it("streams a message, piece by piece", async () => {
    answerWith(answers.text);
    const pieces: string[] = [];
    const stream = client.messages.stream(request).on("text", (piece) => pieces.push(piece));
    const message = await stream.finalMessage();
    expect(pieces).toEqual(["Hé", "llo ", "wörld 🌍"]);
    expect(message).toMatchObject({ model, stop_reason: "end_turn", usage: { input_tokens: 20, output_tokens: 9 } });
    expect(checkMessagesOrder(await served.lastText())).toBe("complete");
    await served.expectCharged(costOf(answers.text.tokens));
  });

  it.each(["create", "stream"] as const)("reads calls of tools at once by %s", async (method) => {
    answerWith(answers.tools);
    const tools = [weather];
    const message =
      method === "create" ? await client.messages.create({ ...request, tools }) : await streamed({ tools });
    expect(message).toMatchObject({
      stop_reason: "tool_use",
      content: [
        { type: "text", text: "I will look." },
        { type: "tool_use", id: "call_oslo", name: "get_weather", input: { city: "Oslo", days: 2 } },
        { type: "tool_use", id: "call_rome", name: "get_weather", input: { city: 'R"o"me' } },
      ],
    });
  });

  it.each(["create", "stream"] as const)("reads a call without arguments by %s", async (method) => {
    answerWith(answers.bareTool);
    const tools = [{ name: "get_time", input_schema: { type: "object" as const } }];
    const message =
      method === "create" ? await client.messages.create({ ...request, tools }) : await streamed({ tools });
    expect(message.content).toMatchObject([{ type: "tool_use", id: "call_now", input: {} }]);
  });

  it.each([false, true])("runs tools to the end with the tool runner, with stream: %s", async (stream) => {
    served.upstream.reply = (_request, before) => ({ answer: before === 0 ? answers.tools : answers.text });
    const asked: unknown[] = [];
    const tool = betaTool({
      name: "get_weather",
      description: "The weather of a city.",
      inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      run: (input) => {
        asked.push(input);
        return `12 degrees in ${input.city}`;
      },
    });
    const runner = client.beta.messages.toolRunner({ ...request, tools: [tool], stream });
    const last = await runner.runUntilDone();
    expect(asked).toMatchObject([{ city: "Oslo" }, { city: 'R"o"me' }]);
    expect(last.content).toMatchObject([{ type: "text", text: "Héllo wörld 🌍" }]);
    const sent = served.upstream.last().text;
    for (const text of ["call_oslo", "call_rome", "12 degrees in Oslo"]) expect(sent).toContain(text);
    await served.expectCharged(costOf(answers.tools.tokens) + costOf(answers.text.tokens));
  });

  it.each(["create", "stream"] as const)("reads thinking by %s, and sends it back", async (method) => {
    answerWith(answers.thinking);
    const thinking = { max_tokens: 900, thinking: { type: "enabled", budget_tokens: 1_024 } } as const;
    const more = { ...thinking, max_tokens: 2_000 };
    const first = method === "create" ? await client.messages.create({ ...request, ...more }) : await streamed(more);
    expect(first.content).toMatchObject([
      { type: "thinking", thinking: "First this.", signature: way === "native" ? "c2lnbmF0dXJl" : expect.any(String) },
      { type: "text", text: "Then that." },
    ]);
    await served.expectCharged(costOf(answers.thinking.tokens));
    const messages = [
      ...request.messages,
      { role: "assistant" as const, content: first.content },
      { role: "user" as const, content: "Go on" },
    ];
    answerWith(answers.text);
    const second = await client.messages.create({ ...request, ...more, messages });
    expect(second.stop_reason).toBe("end_turn");
    if (way === "native") expect(served.upstream.last().body["messages"]).toEqual(messages);
  });

  it("reports an answer that was cut off", async () => {
    answerWith(answers.truncated);
    expect(await client.messages.create(request)).toMatchObject({ stop_reason: "max_tokens" });
    expect(await streamed()).toMatchObject({ stop_reason: "max_tokens", content: [{ text: "Once upon" }] });
  });

  it.each(["create", "stream"] as const)(
    "reports cached tokens by %s, and is charged for each class",
    async (method) => {
      answerWith(answers.cached);
      const system = [{ type: "text" as const, text: "Long.", cache_control: { type: "ephemeral" as const } }];
      const message =
        method === "create" ? await client.messages.create({ ...request, system }) : await streamed({ system });
      expect(message.usage).toMatchObject({
        input_tokens: 12,
        cache_read_input_tokens: 700,
        cache_creation_input_tokens: 80,
        output_tokens: 5,
      });
      await served.expectCharged(costOf(answers.cached.tokens));
    },
  );

  it("counts tokens for free", async () => {
    served.upstream.reply = () => ({ answer: answers.text, tokens: 4_321 });
    const { max_tokens: _unused, ...counted } = request;
    const { input_tokens } = await client.messages.countTokens({ ...counted, tools: [weather] });
    if (way === "native") expect(input_tokens).toBe(4_321);
    else expect(input_tokens).toBeGreaterThan(0);
    expect(served.upstream.requests).toHaveLength(way === "native" ? 1 : 0);
    await served.expectCharged(0n);
  });

  it("takes the key as a bearer token too", async () => {
    const bearer = await served.anthropic({ apiKey: null, authToken: await served.key() });
    expect(await bearer.messages.create(request)).toMatchObject({ model });
    expect(JSON.stringify(served.upstream.last().headers)).not.toContain(bearer.authToken);
  });

  it("returns an object by its schema", async () => {
    answerWith(answers.object);
    const schema = {
      type: "object",
      properties: { name: { type: "string" }, age: { type: "integer" } },
      required: ["name", "age"],
      additionalProperties: false,
    };
    const format = { type: "json_schema", schema } as const;
    const message = await client.messages.create({ ...request, output_config: { format } });
    expect(JSON.parse(textOf(message))).toEqual({ name: "Ada", age: 36 });
    expect(served.upstream.last().text).toContain('"age"');
  });

  it("sends images and documents", async () => {
    const data = Buffer.from("not a real image").toString("base64");
    const content: Anthropic.ContentBlockParam[] = [
      { type: "image", source: { type: "base64", media_type: "image/png", data } },
      { type: "image", source: { type: "url", url: "https://images.test/cat.png" } },
      { type: "text", text: "What is this?" },
    ];
    await client.messages.create({ ...request, messages: [{ role: "user", content }] });
    expect(served.upstream.last().text).toContain(data);
    expect(served.upstream.last().text).toContain("https://images.test/cat.png");
  });
});

describe("writes to the cache for an hour, with the official Anthropic client", () => {
  it.each(["create", "stream"] as const)("are charged at their price by %s", async (method) => {
    const answer = textAnswer(["Cached."], { input: 12, cacheWrite5m: 40, cacheWrite1h: 90, output: 5 });
    served.upstream.reply = () => ({ answer });
    const cache_control = { type: "ephemeral", ttl: "1h" } as const;
    const request = {
      model: models.messages,
      max_tokens: 100,
      system: [{ type: "text" as const, text: "Long.", cache_control }],
      messages: [{ role: "user" as const, content: "Hello" }],
    };
    const { usage } =
      method === "create"
        ? await client.messages.create(request)
        : await client.messages.stream(request).finalMessage();
    expect(usage).toMatchObject({ cache_creation_input_tokens: 130, cache_read_input_tokens: 0 });
    await served.expectCharged(costOf(answer.tokens));
  });
});

describe("a refusal, as the official Anthropic client reads it", () => {
  it.each([
    ["native", models.messages],
    ["translated", models.chat],
  ])("stops a %s message with the reason refusal", async (_way, model) => {
    const answer: ModelAnswer = {
      ...textAnswer([]),
      parts: [{ type: "refusal", pieces: ["I ", "cannot."] }],
      end: "refusal",
    };
    served.upstream.reply = () => ({ answer });
    const request = { model, max_tokens: 100, messages: [{ role: "user" as const, content: "Hello" }] };
    const whole = await client.messages.create(request);
    const stream = await client.messages.stream(request).finalMessage();
    for (const message of [whole, stream]) {
      expect(message.stop_reason).toBe("refusal");
      expect(textOf(message)).toBe("I cannot.");
    }
    expect(checkMessagesOrder(await served.lastText())).toBe("complete");
  });
});

describe("models, as the official Anthropic client lists them", () => {
  it("has every model, by pages", async () => {
    const listed: string[] = [];
    for await (const model of client.models.list({ limit: 2 })) {
      listed.push(model.id);
      expect(model).toMatchObject({ type: "model", display_name: expect.any(String), created_at: expect.any(String) });
    }
    expect(listed).toEqual(expect.arrayContaining([models.messages, models.chat]));
    expect(new Set(listed).size).toBe(listed.length);
  });

  it("has one model by its id", async () => {
    expect(await client.models.retrieve(models.messages)).toMatchObject({
      id: models.messages,
      display_name: "Claude",
    });
  });
});

const textOf = ({ content }: Pick<Anthropic.Message, "content">): string =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
