import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { embed, embedMany, generateText, type LanguageModel, Output, stepCountIs, streamText, tool } from "ai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { checkMessagesOrder } from "../../support/event-order/messages-order.ts";
import { checkResponsesOrder } from "../../support/event-order/responses-order.ts";
import { vectorOf } from "../../upstream/embeddings-form.ts";
import type { ModelAnswer } from "../../upstream/model-answer.ts";
import { answers } from "./answers.ts";
import { costOf, type DialectGateway, models, serveDialects } from "./dialect-gateway.ts";

let served: DialectGateway;
beforeEach(async () => {
  served = await serveDialects();
});
afterEach(() => served.close());

const anthropicModel = async (id: string): Promise<LanguageModel> =>
  createAnthropic({ baseURL: served.openaiURL, apiKey: await served.key(), fetch: served.fetch })(id);
const openaiModel = async (id: string): Promise<LanguageModel> =>
  createOpenAI({ baseURL: served.openaiURL, apiKey: await served.key(), fetch: served.fetch })(id);

const clients = [
  { name: "Anthropic, native", model: anthropicModel, id: models.messages, check: checkMessagesOrder },
  { name: "Anthropic, translated", model: anthropicModel, id: models.chat, check: checkMessagesOrder },
  { name: "OpenAI, native", model: openaiModel, id: models.responses, check: checkResponsesOrder },
  { name: "OpenAI, translated", model: openaiModel, id: models.chat, check: checkResponsesOrder },
  { name: "OpenAI, translated to Messages", model: openaiModel, id: models.messages, check: checkResponsesOrder },
];

const weatherTools = (asked: unknown[]) => ({
  get_weather: tool({
    description: "The weather of a city.",
    inputSchema: z.object({ city: z.string(), days: z.number().optional() }),
    execute: async (input) => {
      asked.push(input);
      return "12 degrees and rain";
    },
  }),
});

describe.each(clients)("the AI SDK with the provider of $name", ({ model, id, check }) => {
  const answerWith = (...given: readonly [ModelAnswer, ...ModelAnswer[]]) => {
    served.upstream.reply = (_request, before) => ({ answer: given[before] ?? given[0] });
  };

  it("generates text", async () => {
    answerWith(answers.text);
    const result = await generateText({ model: await model(id), prompt: "Hello", maxOutputTokens: 100, maxRetries: 0 });
    expect(result).toMatchObject({ text: "Héllo wörld 🌍", finishReason: "stop" });
    expect(result.usage).toMatchObject({ inputTokens: 20, outputTokens: 9 });
    await served.expectCharged(costOf(answers.text.tokens));
  });

  it("streams text", async () => {
    answerWith(answers.text);
    const result = streamText({ model: await model(id), prompt: "Hello", maxOutputTokens: 100 });
    const pieces: string[] = [];
    for await (const piece of result.textStream) pieces.push(piece);
    expect(pieces).toEqual(["Hé", "llo ", "wörld 🌍"]);
    expect(await result.finishReason).toBe("stop");
    expect(check(await served.lastText())).toBe("complete");
    await served.expectCharged(costOf(answers.text.tokens));
  });

  it("runs tools over several steps", async () => {
    answerWith(answers.tools, answers.text);
    const asked: unknown[] = [];
    const { steps, text } = await generateText({
      model: await model(id),
      prompt: "Weather?",
      tools: weatherTools(asked),
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    });
    expect(asked).toEqual([{ city: "Oslo", days: 2 }, { city: 'R"o"me' }]);
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(["tool-calls", "stop"]);
    expect(text).toBe("Héllo wörld 🌍");
    for (const sent of ["12 degrees and rain", "call_oslo", "call_rome", "I will look."]) {
      expect(served.upstream.last().text).toContain(sent);
    }
    await served.expectCharged(costOf(answers.tools.tokens) + costOf(answers.text.tokens));
  });

  it("runs tools over streams", async () => {
    answerWith(answers.tools, answers.text);
    const asked: unknown[] = [];
    const result = streamText({
      model: await model(id),
      prompt: "Weather?",
      tools: weatherTools(asked),
      stopWhen: stepCountIs(3),
    });
    expect(await result.text).toBe("Héllo wörld 🌍");
    expect(asked).toHaveLength(2);
    await served.expectCharged(costOf(answers.tools.tokens) + costOf(answers.text.tokens));
  });

  it("generates an object by its schema", async () => {
    answerWith(answers.object);
    const output = Output.object({ schema: z.object({ name: z.string(), age: z.number() }) });
    const result = await generateText({ model: await model(id), prompt: '"Ada" is 36', output, maxRetries: 0 });
    expect(result.output).toEqual({ name: "Ada", age: 36 });
  });

  it("reports an interrupted stream as an error, and not as a normal end", async () => {
    const fault = { kind: "close", before: "more content" } as const;
    served.upstream.reply = () => ({ answer: answers.text, fault });
    const errors: unknown[] = [];
    const result = streamText({
      model: await model(id),
      prompt: "Hello",
      onError: ({ error }) => {
        errors.push(error);
      },
    });
    const types: string[] = [];
    for await (const part of result.fullStream) types.push(part.type);
    expect(types).toContain("error");
    expect(errors).not.toEqual([]);
  });
});

describe("the AI SDK with embeddings", () => {
  it("embeds one value, and many", async () => {
    served.upstream.reply = () => ({ answer: answers.text, tokens: 7 });
    const provider = createOpenAI({ baseURL: served.openaiURL, apiKey: await served.key() });
    const model = provider.embeddingModel(models.embeddings);
    expect(await embed({ model, value: "Hello" })).toMatchObject({ embedding: vectorOf(0), usage: { tokens: 7 } });
    const { embeddings } = await embedMany({ model, values: ["a", "b"] });
    expect(embeddings).toEqual([vectorOf(0), vectorOf(1)]);
    await served.expectCharged(1_400n);
  });
});
