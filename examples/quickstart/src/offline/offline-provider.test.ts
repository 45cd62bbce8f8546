import {
  type ChatCompletionChunk,
  type ChatCompletionRequest,
  completionOf,
  type ProviderCall,
} from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { offlineProvider } from "./offline-provider.ts";

const user = (content: string) => ({ role: "user" as const, content });

const call = (request: Partial<ChatCompletionRequest>, signal = new AbortController().signal): ProviderCall => ({
  request: { model: "offline-model", messages: [user("hello there")], ...request },
  encoded: () => new Uint8Array(),
  signal,
  cancellation: signal,
  transport: () => Promise.reject(new Error("The offline provider must not use the network.")),
  connectMs: 1_000,
  requestId: "request-1",
  publicModel: "public-model",
});

const complete = async (request: Partial<ChatCompletionRequest>) => {
  const completion = completionOf(await offlineProvider().complete(call(request)));
  return { completion, choice: completion.choices[0], usage: completion.usage };
};

const stream = async (request: Partial<ChatCompletionRequest>): Promise<ChatCompletionChunk[]> => {
  const answer = await offlineProvider({ delayMs: 0 }).stream(call({ ...request, stream: true }));
  if (answer.kind !== "chunks") throw new Error("expected chunks");
  const chunks: ChatCompletionChunk[] = [];
  for await (const chunk of answer.chunks) chunks.push(chunk);
  return chunks;
};

const joined = (chunks: readonly ChatCompletionChunk[], index = 0) =>
  chunks
    .flatMap((chunk) => chunk.choices.filter((choice) => choice.index === index))
    .reduce((text, choice) => text + (choice.delta.content ?? ""), "");

const tool = (name: string) => ({
  type: "function" as const,
  function: { name, parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
});
const tools = [tool("get_weather"), tool("get_time")];

describe("text", () => {
  it("echoes the last user message with its images and the messages before it", async () => {
    const image = { type: "image_url" as const, image_url: { url: "data:image/png;base64,AA==" } };
    const messages = [
      user("first"),
      { role: "user" as const, content: [{ type: "text" as const, text: "hi" }, image] },
    ];
    const { choice } = await complete({ messages });
    expect(choice?.message.content).toBe("You said: hi (with 1 image) (after 1 earlier message)");
    expect(choice?.finish_reason).toBe("stop");
  });

  it("streams the same text as without streaming, word by word", async () => {
    const { choice } = await complete({ n: 2 });
    const chunks = await stream({ n: 2 });
    expect(joined(chunks)).toBe(choice?.message.content);
    expect(joined(chunks, 1)).toBe("You said: hello there This is choice 2 of 2.");
    expect(chunks.length).toBeGreaterThan(10);
  });

  it("ends with length at the cap, with and without streaming", async () => {
    const { choice, usage } = await complete({ max_tokens: 3 });
    expect(choice).toMatchObject({ message: { content: "You said: hello" }, finish_reason: "length" });
    expect(usage).toMatchObject({ completion_tokens: 3 });
    const chunks = await stream({ max_completion_tokens: 1 });
    expect(joined(chunks)).toBe("You");
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("length");
  });

  it("reports usage in a stream only if include_usage is set", async () => {
    const withUsage = await stream({ stream_options: { include_usage: true } });
    expect(withUsage.at(-1)).toMatchObject({ choices: [], usage: (await complete({})).usage });
    expect((await stream({})).filter((chunk) => chunk.usage !== undefined)).toEqual([]);
  });

  it("returns reasoning if the request has a reasoning effort", async () => {
    const { choice, usage } = await complete({ reasoning_effort: "low" });
    expect(choice?.message["reasoning_content"]).toBe("The user wrote 2 words.");
    expect(usage).toMatchObject({ completion_tokens_details: { reasoning_tokens: 5 } });
    const deltas = (await stream({ reasoning_effort: "low" })).map(
      (chunk) => chunk.choices[0]?.delta["reasoning_content"],
    );
    expect(deltas.join("")).toBe("The user wrote 2 words.");
  });
});

describe("tools", () => {
  const calls = async (request: Partial<ChatCompletionRequest>) =>
    ((await complete({ tools, ...request })).choice?.message.tool_calls ?? []).map((each) => each.function);

  it("calls the tool that the message names, or else the first", async () => {
    const named = await calls({ messages: [user('use get_time for "Oslo"')] });
    expect(named).toEqual([{ name: "get_time", arguments: '{"city":"Oslo"}' }]);
    expect(await calls({})).toEqual([{ name: "get_weather", arguments: '{"city":"hello there"}' }]);
  });

  it("calls all tools that the message names, unless parallel_tool_calls is false", async () => {
    const messages = [user("get_weather and get_time")];
    expect(await calls({ messages })).toHaveLength(2);
    expect(await calls({ messages, parallel_tool_calls: false })).toHaveLength(1);
  });

  it("follows tool_choice", async () => {
    const choice = { type: "function", function: { name: "get_time" } };
    expect(await calls({ tool_choice: choice })).toMatchObject([{ name: "get_time" }]);
    expect(await calls({ tool_choice: "none" })).toEqual([]);
    const unknown = { type: "function", function: { name: "get_lost" } };
    await expect(calls({ tool_choice: unknown })).rejects.toMatchObject({ failure: "rejected" });
  });

  it("streams arguments in deltas that concatenate to the arguments without streaming", async () => {
    const messages = [user("the weather in a town with a rather long name")];
    const { choice } = await complete({ tools, messages });
    const chunks = await stream({ tools, messages });
    const deltas = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
    expect(deltas.length).toBeGreaterThan(3);
    expect(deltas.map((delta) => delta.function?.arguments).join("")).toBe(
      choice?.message.tool_calls?.[0]?.function.arguments,
    );
    expect(deltas.filter((delta) => delta.id !== undefined).map((delta) => delta.id)).toEqual([
      choice?.message.tool_calls?.[0]?.id,
    ]);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("tool_calls");
  });

  it("quotes tool results in its answer", async () => {
    const called = { id: "c1", type: "function" as const, function: { name: "get_time", arguments: "{}" } };
    const messages = [
      user("what time is it?"),
      { role: "assistant" as const, content: null, tool_calls: [called] },
      { role: "tool" as const, tool_call_id: "c1", content: "noon" },
    ];
    const { choice } = await complete({ tools, messages });
    expect(choice?.message.content).toBe("get_time answered: noon");
    expect(choice?.finish_reason).toBe("stop");
  });
});

describe("response_format", () => {
  it("returns an object for json_object", async () => {
    const { choice } = await complete({ response_format: { type: "json_object" } });
    expect(JSON.parse(String(choice?.message.content))).toEqual({ answer: "You said: hello there" });
  });

  it("returns a value that matches a JSON schema, also in a stream", async () => {
    const schema = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
    const format = { type: "json_schema" as const, json_schema: { name: "counted", schema } };
    const chunks = await stream({ response_format: format, messages: [user("count to 12")] });
    expect(JSON.parse(joined(chunks))).toEqual({ count: 12 });
  });
});

describe("abort", () => {
  it("ends a running stream immediately", async () => {
    const control = new AbortController();
    const answer = await offlineProvider({ delayMs: 60_000 }).stream(call({ stream: true }, control.signal));
    if (answer.kind !== "chunks") throw new Error("expected chunks");
    const chunks = answer.chunks[Symbol.asyncIterator]();
    await chunks.next();
    const next = chunks.next();
    control.abort();
    await expect(next).rejects.toMatchObject({ name: "ProviderError" });
  });

  it("rejects a call that was already aborted", async () => {
    await expect(offlineProvider().complete(call({}, AbortSignal.abort()))).rejects.toMatchObject({
      name: "ProviderError",
    });
  });
});
