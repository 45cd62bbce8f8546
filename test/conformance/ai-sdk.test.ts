import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type ChatCompletionChunk, ProviderError } from "@tollgate/core/provider";
import {
  APICallError,
  generateObject,
  generateText,
  type LanguageModel,
  type LanguageModelUsage,
  Output,
  RetryError,
  stepCountIs,
  streamObject,
  streamText,
  tool,
} from "ai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { termsUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";
import { type PaidUsage, type ServedGateway, serveGateway } from "./served-gateway.ts";

let served: ServedGateway;
let model: (id: string) => LanguageModel;

const open = async (options: Parameters<typeof serveGateway>[0] = {}) => {
  served = await serveGateway(options);
  model = modelsOf(await served.key());
};
const modelsOf = (apiKey: string) =>
  createOpenAICompatible({
    name: "tollgate",
    baseURL: served.baseURL,
    apiKey,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });

beforeEach(() => open());
afterEach(() => served.close());

const person = z.object({ name: z.string(), age: z.number().int().min(0) });
const prompt = '"Ada" is 36';

describe("the AI SDK", () => {
  it("generates text", async () => {
    const result = await served.paying(
      () => generateText({ model: model("everyday"), prompt: "Hello", maxOutputTokens: 100, temperature: 0.5 }),
      ({ usage }) => [paidUsage(usage)],
    );
    expect(result.text).toBe("You said: Hello");
    expect(result.finishReason).toBe("stop");
    expect(result.response.modelId).toBe("everyday");
  });

  it("streams text", async () => {
    const pieces: string[] = [];
    const result = await served.paying(
      async () => {
        const { textStream, usage, finishReason } = streamText({ model: model("everyday"), prompt: "Hello there" });
        for await (const piece of textStream) pieces.push(piece);
        return { usage: await usage, finishReason: await finishReason };
      },
      ({ usage }) => [paidUsage(usage)],
    );
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join("")).toBe("You said: Hello there");
    expect(result.finishReason).toBe("stop");
  });

  const weatherTools = (inputs: unknown[]) => ({
    get_weather: tool({
      description: "The weather of a city.",
      inputSchema: z.object({ city: z.string() }),
      execute: async (input) => {
        inputs.push(input);
        return "12 degrees and rain";
      },
    }),
  });

  it("runs tools over several steps", async () => {
    const inputs: unknown[] = [];
    const { text, steps } = await served.paying(
      () =>
        generateText({
          model: model("everyday"),
          prompt: 'Weather of "Oslo"',
          tools: weatherTools(inputs),
          stopWhen: stepCountIs(3),
        }),
      (result) => result.steps.map(({ usage }) => paidUsage(usage)),
    );
    expect(inputs).toEqual([{ city: "Oslo" }]);
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(["tool-calls", "stop"]);
    expect(text).toContain("12 degrees and rain");
  });

  it("runs tools over streams", async () => {
    const inputs: unknown[] = [];
    const { text } = await served.paying(
      async () => {
        const result = streamText({
          model: model("everyday"),
          prompt: 'Weather of "Oslo"',
          tools: weatherTools(inputs),
          stopWhen: stepCountIs(3),
        });
        return { text: await result.text, steps: await result.steps };
      },
      ({ steps }) => steps.map(({ usage }) => paidUsage(usage)),
    );
    expect(inputs).toEqual([{ city: "Oslo" }]);
    expect(text).toContain("12 degrees and rain");
  });

  it("generates an object with a schema", async () => {
    const { object } = await served.paying(
      () => generateObject({ model: model("everyday"), schema: person, prompt }),
      ({ usage }) => [paidUsage(usage)],
    );
    expect(object).toEqual({ name: "Ada", age: 36 });
  });

  it("generates text with an object as its output", async () => {
    const { output } = await served.paying(
      () => generateText({ model: model("everyday"), output: Output.object({ schema: person }), prompt }),
      ({ usage }) => [paidUsage(usage)],
    );
    expect(output).toEqual({ name: "Ada", age: 36 });
  });

  it("streams an object with a schema", async () => {
    const partials: unknown[] = [];
    const { object } = await served.paying(
      async () => {
        const result = streamObject({ model: model("everyday"), schema: person, prompt });
        for await (const partial of result.partialObjectStream) partials.push(partial);
        return { object: await result.object, usage: await result.usage };
      },
      ({ usage }) => [paidUsage(usage)],
    );
    expect(object).toEqual({ name: "Ada", age: 36 });
    expect(partials.length).toBeGreaterThan(1);
    expect(partials.at(-1)).toEqual(object);
  });

  it("aborts the provider call when the client aborts a stream", async () => {
    served.scripted.script = {
      stream: async function* ({ signal }) {
        yield word("one ");
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    };
    const controller = new AbortController();
    const { textStream } = streamText({
      model: model("scripted"),
      prompt: "Hello",
      abortSignal: controller.signal,
      onError: () => undefined,
    });
    for await (const piece of textStream) {
      expect(piece).toBe("one ");
      controller.abort();
    }
    await expect.poll(() => served.scripted.calls[0]?.signal.aborted).toBe(true);
    await expect.poll(async () => (await served.under.balances.balance("acme")).held).toBe(0n);
  });

  it("reports an interrupted stream as an error, not as a normal end", async () => {
    served.scripted.script = {
      stream: async function* () {
        yield word("one ");
        throw new ProviderError("failed", "The provider broke off.");
      },
    };
    const errors: unknown[] = [];
    const result = streamText({
      model: model("scripted"),
      prompt: "Hello",
      onError: ({ error }) => {
        errors.push(error);
      },
    });
    const parts: string[] = [];
    for await (const part of result.fullStream) parts.push(part.type);
    expect(parts).toContain("error");
    expect(errors).toEqual([expect.objectContaining({ code: "upstream_failed" })]);
    await expect.poll(async () => (await served.under.balances.balance("acme")).held).toBe(0n);
  });

  it.each([
    ["a wrong key", { key: "wrong", model: "everyday" }, 401, false, "invalid_api_key"],
    ["an unknown model", { key: undefined, model: "nothing" }, 404, false, "model_not_found"],
    ["a provider that is overloaded", { key: undefined, model: "scripted" }, 503, true, "upstream_overloaded"],
  ])("throws an APICallError for %s", async (_what, options, statusCode, isRetryable, code) => {
    served.scripted.script = {
      complete: async () => {
        throw new ProviderError("overloaded", "Too many requests.");
      },
    };
    const models = options.key === undefined ? model : modelsOf(options.key);
    const error = await failureOf(generateText({ model: models(options.model), prompt: "Hello", maxRetries: 0 }));
    expect(error).toMatchObject({ statusCode, isRetryable });
    expect(error.data).toMatchObject({ error: { code } });
    expect(error.message).toMatch(/\.$/);
  });

  it("retries an overloaded provider and is charged once", async () => {
    let calls = 0;
    served.scripted.script = {
      complete: async () => {
        // The gateway itself makes three attempts before it returns 503.
        if (++calls <= 3) throw new ProviderError("overloaded", "Too many requests.");
        return completionOf("At last");
      },
    };
    const { text } = await served.paying(
      () => generateText({ model: model("scripted"), prompt: "Hello", maxRetries: 1 }),
      ({ usage }) => [paidUsage(usage)],
    );
    expect(text).toBe("At last");
    expect(served.arrived()).toBe(2);
  });

  it("has the URL of the terms in the body of the error, and does not retry", async () => {
    await served.close();
    await open({ terms: termsUnderTest() });
    const error = await failureOf(generateText({ model: model("everyday"), prompt: "Hello" }));
    expect(error).toMatchObject({ statusCode: 428, isRetryable: false });
    expect(JSON.parse(error.responseBody ?? "")).toMatchObject({ acceptUrl: "https://host.test/terms" });
    expect(served.arrived()).toBe(1);
  });
});

const word = (content: string): ChatCompletionChunk => ({ choices: [{ index: 0, delta: { content } }] });

function paidUsage({ inputTokens, outputTokens }: LanguageModelUsage): PaidUsage | undefined {
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens };
}

async function failureOf(call: Promise<unknown>): Promise<APICallError> {
  const thrown = await served.unpaid(() => call.catch((error: unknown) => error));
  const error = RetryError.isInstance(thrown) ? thrown.lastError : thrown;
  if (!APICallError.isInstance(error)) throw new Error("The AI SDK did not throw an APICallError.", { cause: thrown });
  return error;
}
