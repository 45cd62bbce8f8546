import type OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import type { RunnableToolFunction } from "openai/lib/RunnableFunction";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { openaiClient, say } from "./openai-client.ts";
import { type ServedGateway, serveGateway } from "./served-gateway.ts";

let served: ServedGateway;
let client: OpenAI;

beforeAll(async () => {
  served = await serveGateway();
  client = await openaiClient(served);
});
afterAll(() => served.close());

const weather = {
  name: "get_weather",
  description: "The weather of a city.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const weatherTool = { type: "function" as const, function: weather };

const place = z.object({ city: z.string() });
type Place = z.infer<typeof place>;

const runnableWeather = (inputs: Place[]): RunnableToolFunction<Place> => ({
  type: "function",
  function: {
    ...weather,
    parse: (text) => place.parse(JSON.parse(text)),
    function: (input) => {
      inputs.push(input);
      return "12 degrees and rain";
    },
  },
});

const person = z.object({ name: z.string(), age: z.number().int().min(0), tags: z.array(z.string()) });

describe("the official OpenAI client", () => {
  it("lists the models", async () => {
    const models = await served.unpaid(async () => {
      const found = [];
      for await (const model of client.models.list()) found.push(model);
      return found;
    });
    expect(models.map(({ id, object, owned_by }) => ({ id, object, owned_by }))).toEqual(
      ["everyday", "thinker", "scripted"].map((id) => ({ id, object: "model", owned_by: "tollgate" })),
    );
    expect(models.every(({ created }) => Number.isInteger(created))).toBe(true);
  });

  it("creates a completion with the request id", async () => {
    const create = () => client.chat.completions.create({ model: "everyday", messages: say("Hello there") });
    const completion = await served.paying(create, ({ usage }) => [usage]);
    expect(completion).toMatchObject({ object: "chat.completion", model: "everyday" });
    expect(completion.choices).toMatchObject([
      { index: 0, finish_reason: "stop", message: { role: "assistant", content: "You said: Hello there" } },
    ]);
    expect(served.under.events).toContainEqual(
      expect.objectContaining({ type: "request.completed", requestId: completion._request_id }),
    );
  });

  it("creates several choices, with an image, an effort and a cap", async () => {
    const completion = await served.paying(
      () =>
        client.chat.completions.create({
          model: "everyday",
          n: 2,
          max_completion_tokens: 500,
          messages: [
            {
              role: "user",
              content: [
                { type: "text", text: "Look" },
                { type: "image_url", image_url: { url: "https://images.test/cat.png" } },
              ],
            },
          ],
        }),
      ({ usage }) => [usage],
    );
    expect(completion.choices.map(({ index }) => index)).toEqual([0, 1]);
    expect(completion.choices[1]?.message.content).toContain("(with 1 image)");

    const thought = await served.paying(
      () => client.chat.completions.create({ model: "thinker", reasoning_effort: "high", messages: say("Think") }),
      ({ usage }) => [usage],
    );
    expect(thought.choices[0]?.message.content).toContain("high reasoning effort");
  });

  it("streams a completion", async () => {
    const chunks = await served.paying(
      async () => {
        const found = [];
        const stream = await client.chat.completions.create({
          model: "everyday",
          messages: say("Hello there"),
          stream: true,
          stream_options: { include_usage: true },
        });
        for await (const chunk of stream) found.push(chunk);
        return found;
      },
      (all) => [all.at(-1)?.usage],
    );
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")).toBe("You said: Hello there");
    expect(new Set(chunks.map(({ id, model }) => `${id} ${model}`)).size).toBe(1);
    expect(chunks[0]?.choices[0]?.delta.role).toBe("assistant");
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
  });

  it("collects a stream with its helper", async () => {
    const deltas: string[] = [];
    const completion = await served.paying(
      () =>
        client.chat.completions
          .stream({ model: "everyday", messages: say("Hello"), stream_options: { include_usage: true } })
          .on("content", (delta) => deltas.push(delta))
          .finalChatCompletion(),
      ({ usage }) => [usage],
    );
    expect(completion.choices[0]?.message.content).toBe("You said: Hello");
    expect(deltas.join("")).toBe("You said: Hello");
  });

  it("calls a tool, with and without streaming", async () => {
    const request = { model: "everyday", messages: say('Weather of "Oslo"'), tools: [weatherTool] };
    const completion = await served.paying(
      () => client.chat.completions.create(request),
      ({ usage }) => [usage],
    );
    const streamed = await served.paying(
      () =>
        client.chat.completions.stream({ ...request, stream_options: { include_usage: true } }).finalChatCompletion(),
      ({ usage }) => [usage],
    );
    for (const { choices } of [completion, streamed]) {
      expect(choices).toMatchObject([
        {
          finish_reason: "tool_calls",
          message: {
            tool_calls: [
              { id: expect.stringMatching(/./), function: { name: "get_weather", arguments: '{"city":"Oslo"}' } },
            ],
          },
        },
      ]);
    }
  });

  it("runs tools until the model answers", async () => {
    const inputs: Place[] = [];
    const usages: OpenAI.CompletionUsage[] = [];
    const answer = await served.paying(
      () => {
        const runner = client.chat.completions.runTools({
          model: "everyday",
          messages: say('Weather of "Oslo"'),
          tools: [runnableWeather(inputs)],
        });
        runner.on("chatCompletion", ({ usage }) => usage && usages.push(usage));
        return runner.finalContent();
      },
      () => usages,
    );
    expect(usages).toHaveLength(2);
    expect(inputs).toEqual([{ city: "Oslo" }]);
    expect(answer).toBe("get_weather answered: 12 degrees and rain");
  });

  it("runs tools over streams", async () => {
    const inputs: Place[] = [];
    const usages: OpenAI.CompletionUsage[] = [];
    const answer = await served.paying(
      () => {
        const runner = client.chat.completions.runTools({
          model: "everyday",
          stream: true,
          stream_options: { include_usage: true },
          messages: say('Weather of "Oslo"'),
          tools: [runnableWeather(inputs)],
        });
        runner.on("chunk", ({ usage }) => usage && usages.push(usage));
        return runner.finalContent();
      },
      () => usages,
    );
    expect(usages).toHaveLength(2);
    expect(inputs).toEqual([{ city: "Oslo" }]);
    expect(answer).toBe("get_weather answered: 12 degrees and rain");
  });

  it("parses an answer with a schema of Zod and with a JSON Schema", async () => {
    const byZod = await served.paying(
      () =>
        client.chat.completions.parse({
          model: "everyday",
          messages: say('"Ada" is 36'),
          response_format: zodResponseFormat(person, "person"),
        }),
      ({ usage }) => [usage],
    );
    expect(person.parse(byZod.choices[0]?.message.parsed)).toMatchObject({ name: "Ada", age: 36 });

    const byJson = await served.paying(
      () =>
        client.chat.completions.parse({
          model: "everyday",
          messages: say('"Ada" is 36'),
          response_format: {
            type: "json_schema",
            json_schema: { name: "person", strict: true, schema: z.toJSONSchema(person) },
          },
        }),
      ({ usage }) => [usage],
    );
    expect(person.parse(byJson.choices[0]?.message.parsed)).toMatchObject({ name: "Ada", age: 36 });
  });

  it("parses a stream with a schema", async () => {
    const completion = await served.paying(
      () =>
        client.chat.completions
          .stream({
            model: "everyday",
            messages: say('"Ada" is 36'),
            response_format: zodResponseFormat(person, "person"),
            stream_options: { include_usage: true },
          })
          .finalChatCompletion(),
      ({ usage }) => [usage],
    );
    expect(completion.choices[0]?.message.parsed).toMatchObject({ name: "Ada", age: 36 });
  });
});
