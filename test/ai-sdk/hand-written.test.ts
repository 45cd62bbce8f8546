import { UnsupportedFunctionalityError } from "@ai-sdk/provider";
import { aiSdk } from "@tollgate/ai-sdk";
import { fetchTransport } from "@tollgate/core";
import type { ChatCompletionChunk, ProviderAdapter, ProviderCall } from "@tollgate/core/provider";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, it, vi } from "vitest";
import { callOver, failureOf, providerErrorOf } from "../providers/calls.ts";
import { finish, ModelUnderTest, usage, word } from "./models.ts";

const transport = fetchTransport();
const call = (options: Partial<ProviderCall> = {}) => callOver(transport, options);
const stop = { unified: "stop", raw: undefined } as const;
const answer = { content: [{ type: "text" as const, text: "Hello" }], finishReason: stop, usage, warnings: [] };

/** The chunks of a stream. */
async function chunksOf(provider: ProviderAdapter, options: Partial<ProviderCall> = {}) {
  const stream = await provider.stream(call(options));
  if (stream.kind !== "chunks") throw new Error("The provider returned a stream of bytes.");
  return stream.chunks[Symbol.asyncIterator]();
}

async function all(chunks: AsyncIterator<ChatCompletionChunk>): Promise<ChatCompletionChunk[]> {
  const received: ChatCompletionChunk[] = [];
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) received.push(next.value);
  return received;
}

describe("aiSdk", () => {
  it("calls the model with the request id and the signal of the call", async () => {
    const model = new ModelUnderTest({ generate: async () => answer });
    const { signal } = new AbortController();
    expect(await aiSdk(model).complete(call({ signal }))).toMatchObject({
      choices: [{ message: { content: "Hello" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 2, completion_tokens: 3 },
    });
    expect(model.calls).toStrictEqual([
      {
        prompt: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
        headers: { "x-request-id": "request-1" },
        abortSignal: signal,
        providerOptions: {},
      },
    ]);
  });

  it("calls a function with the target's model name for each request", async () => {
    const ids: string[] = [];
    const provider = aiSdk((id) => {
      ids.push(id);
      return new MockLanguageModelV3({ doGenerate: answer, doStream: { stream: streamOf([word("a"), finish]) } });
    });
    await provider.complete(call());
    await all(await chunksOf(provider));
    expect(ids).toEqual(["up-model", "up-model"]);
  });

  it("passes the reasoning effort as a provider option, or the result of the host's providerOptions", async () => {
    const request = {
      model: "m",
      messages: [{ role: "user" as const, content: "" }],
      reasoning_effort: "low",
      user: "u",
    };
    const model = new ModelUnderTest({ generate: async () => answer });
    await aiSdk(model).complete(call({ request }));
    const providerOptions = ({ reasoning_effort }: typeof request) => ({ anthropic: { effort: reasoning_effort } });
    await aiSdk(model, { providerOptions: () => providerOptions(request) }).complete(call({ request }));
    expect(model.calls.map((each) => each.providerOptions)).toEqual([
      { hand: { reasoningEffort: "low" } },
      { anthropic: { effort: "low" } },
    ]);
  });

  it("calls a model of AI SDK 7 with its own form of files and effort, and reads its answers", async () => {
    const calls: object[] = [];
    const model = {
      specificationVersion: "v4" as const,
      provider: "hand.chat",
      modelId: "hand-model",
      doGenerate: async (options: object) => {
        calls.push(options);
        return { ...answer, content: [{ type: "reasoning-file" as const }, ...answer.content] };
      },
      doStream: async () => ({ stream: streamOf([{ type: "custom" }, word("a"), finish]) }),
    };
    const provider = aiSdk(model);
    const image = { type: "image_url" as const, image_url: { url: "data:image/png;base64,AAAA" } };
    const request = { model: "m", messages: [{ role: "user" as const, content: [image] }] };
    for (const effort of ["low", "max"]) {
      const completion = await provider.complete(call({ request: { ...request, reasoning_effort: effort } }));
      expect(completion).toMatchObject({ choices: [{ message: { content: "Hello" } }] });
    }
    const file = { type: "file", data: { type: "data", data: "AAAA" }, mediaType: "image/png" };
    const prompt = [{ role: "user", content: [file] }];
    expect(calls).toMatchObject([
      { prompt, reasoning: "low" },
      { prompt, providerOptions: { hand: { reasoningEffort: "max" } } },
    ]);
    expect(await all(await chunksOf(provider))).toHaveLength(2);
  });

  it("rejects a model of another specification, both as an option and as the result of a function", async () => {
    const older = { ...new ModelUnderTest({ generate: async () => answer }), specificationVersion: "v2" };
    for (const model of [older, "openai/gpt", null, {}]) {
      // Untyped callers can pass values that the compiler would reject.
      expect(() => Reflect.apply(aiSdk, undefined, [model])).toThrow(TypeError);
    }
    const provider: ProviderAdapter = Reflect.apply(aiSdk, undefined, [() => older]);
    expect((await providerErrorOf(provider.complete(call()))).failure).toBe("credentials");
  });

  it("applies the host's name and capabilities", () => {
    const { name, capabilities } = aiSdk(new ModelUnderTest({}), {
      name: "n",
      capabilities: { cancel: "full-charge" },
    });
    expect({ name, ...capabilities }).toMatchObject({ name: "n", cancel: "full-charge", streamUsage: true });
  });

  it("rejects n above 1 before it calls the model", async () => {
    const model = new ModelUnderTest({ generate: async () => answer });
    const request = { ...call().request, n: 2 };
    expect((await providerErrorOf(aiSdk(model).complete(call({ request })))).details.param).toBe("n");
    expect(model.calls).toEqual([]);
  });

  it.each(["complete", "stream"] as const)(
    "rejects %s with the signal's reason, even if the model ignores the signal",
    async (verb) => {
      const model = new ModelUnderTest({});
      const controller = new AbortController();
      const failure = failureOf(aiSdk(model)[verb](call({ signal: controller.signal })));
      const reason = new Error("gone");
      controller.abort(reason);
      expect(await failure).toBe(reason);
      expect(await failureOf(aiSdk(model)[verb](call({ signal: controller.signal })))).toBe(reason);
      expect(model.calls).toHaveLength(1);
    },
  );

  it("removes the model's own name and the target's name from client messages", async () => {
    const message = "hand-model and up-model take no audio.";
    const generate = async () => Promise.reject(new UnsupportedFunctionalityError({ functionality: "", message }));
    const { details } = await providerErrorOf(aiSdk(new ModelUnderTest({ generate })).complete(call()));
    expect(details.clientMessage).toBe("[removed] and [removed] take no audio.");
  });

  it("ends a running stream with the signal's reason, and cancels the model's stream", async () => {
    const model = new ModelUnderTest({
      parts: async function* () {
        yield word("a");
        await new Promise(() => undefined);
      },
    });
    const controller = new AbortController();
    const chunks = await chunksOf(aiSdk(model), { signal: controller.signal });
    await chunks.next();
    const failure = failureOf(chunks.next());
    controller.abort(new Error("gone"));
    expect(await failure).toBe(controller.signal.reason);
    expect(model.cancelled).toBe(1);
    expect(await chunks.next()).toEqual({ done: true, value: undefined });
  });

  it("cancels the stream of a model that answers after the abort", async () => {
    const cancel = vi.fn();
    const controller = new AbortController();
    const model = new MockLanguageModelV3({
      doStream: async () => {
        controller.abort(new Error("gone"));
        return { stream: new ReadableStream({ cancel }) };
      },
    });
    const failure = await failureOf(aiSdk(model).stream(call({ signal: controller.signal })));
    expect(failure).toBe(controller.signal.reason);
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("cancels the model's stream when the reader returns, also before the first chunk", async () => {
    for (const read of [0, 1]) {
      const model = new ModelUnderTest({ parts: () => words() });
      const chunks = await chunksOf(aiSdk(model));
      for (let each = 0; each < read; each += 1) await chunks.next();
      await chunks.return?.();
      expect(model.cancelled).toBe(1);
      expect(await chunks.next()).toEqual({ done: true, value: undefined });
    }
  });

  it("reads from the model only when a chunk is requested", async () => {
    let produced = 0;
    const model = new ModelUnderTest({
      parts: async function* () {
        for (; produced < 100; produced += 1) yield word("a");
      },
    });
    const chunks = await chunksOf(aiSdk(model));
    await chunks.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(produced).toBeLessThan(5);
    await chunks.return?.();
  });

  it.each([
    ["an error part before any content", [], { type: "overloaded_error", message: "x" }, "overloaded"],
    ["an error part after content", [word("a")], { type: "overloaded_error", message: "x" }, "overloaded"],
  ] as const)("throws %s and cancels the model's stream", async (_name, before, error, failure) => {
    const model = new ModelUnderTest({
      parts: async function* () {
        yield* before;
        yield { type: "error", error };
        yield finish;
      },
    });
    const chunks = await chunksOf(aiSdk(model));
    for (const _ of before) await chunks.next();
    expect((await providerErrorOf(chunks.next())).failure).toBe(failure);
    expect(model.cancelled).toBe(1);
  });

  it.each([
    ["ends without a finish part", false, "invalid_response"],
    ["fails", true, "failed"],
  ] as const)("throws when a stream %s", async (_name, throws, failure) => {
    const model = new ModelUnderTest({
      parts: async function* () {
        yield word("a");
        if (throws) throw new Error("secret text");
      },
    });
    const error = await providerErrorOf(all(await chunksOf(aiSdk(model))));
    expect(error.failure).toBe(failure);
    expect(error.message).not.toContain("secret text");
  });
});

async function* words() {
  yield word("a");
  yield finish;
}

const streamOf = <T>(parts: readonly T[]) =>
  new ReadableStream<T>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
