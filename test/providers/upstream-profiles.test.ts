import { type OpenAICompatibleOptions, openaiCompatible, type Transport } from "@tollgate/core";
import { fromReadableStream } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";

type Profile = OpenAICompatibleOptions["profile"];
type Form = "JSON" | "stream";
const forms = ["JSON", "stream"] as const;
const dialects = ["chat", "messages", "responses"] as const;
type Dialect = (typeof dialects)[number];

const paths = { chat: "chat/completions", messages: "messages", responses: "responses" };
const hello = [{ role: "user", content: "Hello" }];
const small: Record<Dialect, object> = {
  chat: { messages: hello, max_tokens: 100 },
  messages: { messages: hello, max_tokens: 100 },
  responses: { input: "Hello", max_output_tokens: 100, store: false },
};

/** What an upstream answers: the message and end of its choice, and its usage. */
interface Answer {
  readonly message?: object;
  readonly finish?: string;
  readonly usage?: object;
}

/** The answer as the JSON or the event stream of an upstream. */
function bodyOf({ message = { content: "Hi" }, finish = "stop", usage = noUsage }: Answer, isStream: boolean): string {
  const head = { id: "c-1", created: 1_700_000_000, model: "up" };
  if (!isStream) {
    const choices = [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish }];
    return JSON.stringify({ ...head, object: "chat.completion", choices, usage });
  }
  const chunk = { ...head, object: "chat.completion.chunk" };
  const frames = [
    { ...chunk, choices: [{ index: 0, delta: { role: "assistant", ...message }, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finish }] },
    { ...chunk, choices: [], usage },
  ];
  return `${frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("")}data: [DONE]\n\n`;
}

const noUsage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** A gateway in front of an upstream with a profile, which answers as `answer` says and records the requests. */
function upstreamWith(profile: Profile, answer: Answer = {}) {
  const sent: Record<string, never>[] = [];
  const transport: Transport = async ({ body }) => {
    const request = JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body));
    sent.push(request);
    const text = bodyOf(answer, request.stream === true);
    return {
      status: 200,
      header: (name) => (name === "content-type" && request.stream ? "text/event-stream" : undefined),
      body: fromReadableStream(new Blob([text]).stream()),
    };
  };
  const provider = openaiCompatible({ baseURL: "http://upstream.test/v1", ...(profile && { profile }) });
  const targets = [{ provider, model: "up" }];
  const price = { input: "1", cachedInput: "0.1", cacheWrite: "1.25", output: "2" };
  const model = { id: "plain", maxOutputTokens: 1_000, contextWindow: 100_000, price, targets };
  const tested = gatewayUnderTest({ transport, models: [model], routing: { retries: 0 } });
  const ask = async (dialect: Dialect, form: Form, more: object = {}) => {
    const authorization = `Bearer ${await tested.key()}`;
    const headers = { authorization, "content-type": "application/json" };
    const body = JSON.stringify({ model: "plain", ...small[dialect], stream: form === "stream", ...more });
    const url = `http://gateway.test/router/v1/${paths[dialect]}`;
    const response = await tested.gateway.fetch(new Request(url, { method: "POST", headers, body }));
    return { status: response.status, text: await response.text() };
  };
  return { ...tested, sent, ask, charged: () => 1_000_000_000n - tested.balances.balance("acme").posted };
}

describe.each(forms)("usage in an answer of the form %s", (form) => {
  const counts = { prompt_tokens: 1_000, completion_tokens: 10, total_tokens: 1_010 };
  it.each([
    ["deepseek", { prompt_cache_hit_tokens: 900, prompt_cache_miss_tokens: 100 }, 210_000n],
    ["deepseek", { prompt_cache_hit_tokens: 900, prompt_tokens_details: { cached_tokens: 500 } }, 570_000n],
    ["deepseek", { prompt_cache_hit_tokens: "900" }, 210_000n],
    ["deepseek", { prompt_cache_hit_tokens: 9_000 }, 1_020_000n],
    ["moonshot", { cached_tokens: 900 }, 210_000n],
    ["together", { cached_tokens: 900 }, 210_000n],
    ["mistral", { num_cached_tokens: 900 }, 210_000n],
    ["mistral", { prompt_token_details: { cached_tokens: 900 } }, 210_000n],
    ["qwen", { prompt_tokens_details: { cached_tokens: 0, cache_creation_input_tokens: 800 } }, 1_220_000n],
    ["litellm", { cache_read_input_tokens: 900, cache_creation_input_tokens: 100 }, 235_000n],
    ["azure", { cached_tokens: 900 }, 1_020_000n],
    [{ answers: { cachedTokens: ["cache.read"] } }, { cache: { read: 900 } }, 210_000n],
  ] as const)("of %j with %j is charged %i in every dialect", async (profile, more, charge) => {
    for (const dialect of dialects) {
      const upstream = upstreamWith(profile, { usage: { ...counts, ...more } });
      expect((await upstream.ask(dialect, form)).status).toBe(200);
      expect(upstream.charged()).toBe(charge);
    }
  });

  it.each(["sglang", "perplexity"] as const)("of %s has its reasoning tokens at the top", async (profile) => {
    const upstream = upstreamWith(profile, { usage: { ...counts, reasoning_tokens: 7 } });
    await upstream.ask("chat", form);
    const [end] = upstream.events.filter(({ type }) => type === "request.completed");
    expect(end).toMatchObject({ tokens: { output: 10, reasoning: 7 } });
  });
});

describe.each(forms)("the end of an answer of the form %s", (form) => {
  it.each([
    ["model_length", "length", "max_tokens", "max_output_tokens"],
    ["sensitive", "content_filter", "refusal", "content_filter"],
  ])("with %s never looks complete", async (finish, chat, messages, responses) => {
    const expected = {
      chat: `"finish_reason":"${chat}"`,
      messages: `"stop_reason":"${messages}"`,
      responses: `"incomplete_details":{"reason":"${responses}"}`,
    };
    for (const dialect of dialects) {
      const { status, text } = await upstreamWith(undefined, { finish }).ask(dialect, form);
      expect([status, text]).toEqual([200, expect.stringContaining(expected[dialect])]);
      expect(text).not.toMatch(/"(?:stop|end_turn|completed)"/);
    }
  });

  it.each(["eos", "end_turn", "done"])("with %s is complete", async (finish) => {
    expect((await upstreamWith(undefined, { finish }).ask("chat", form)).text).toContain('"finish_reason":"stop"');
    expect((await upstreamWith(undefined, { finish }).ask("messages", form)).text).toContain('"end_turn"');
  });

  it.each([undefined, { answers: { finishReasons: { gave_up: "interrupted" } } }] as const)(
    "is a failure if the upstream gave it up, also in the words of the profile %j",
    async (profile) => {
      const finish = profile === undefined ? "insufficient_system_resource" : "gave_up";
      for (const dialect of dialects) {
        const { status, text } = await upstreamWith(profile, { finish }).ask(dialect, form);
        expect(form === "JSON" ? status : text).toEqual(form === "JSON" ? 502 : expect.stringMatching(/error/));
        expect(text).not.toMatch(/gave_up|system_resource|"(?:stop|end_turn|completed)"/);
      }
    },
  );
});

describe.each(forms)("a tool with a long name in the form %s", (form) => {
  const name = `mcp__${"server_".repeat(12)}search`;

  it("reaches OpenAI with a shorter one, and is called by its own", async () => {
    const parameters = { type: "object" };
    const tools = {
      chat: [{ type: "function", function: { name, parameters } }],
      messages: [{ name, input_schema: parameters }],
      responses: [{ type: "function", name, parameters }],
    };
    for (const dialect of dialects) {
      // The upstream calls the tool by the name that it got.
      const first = upstreamWith("azure");
      await first.ask(dialect, form, { tools: tools[dialect] });
      const short: string = JSON.parse(JSON.stringify(first.sent[0])).tools[0].function.name;
      expect(short).toHaveLength(64);
      const call = { index: 0, id: "call_1", type: "function", function: { name: short, arguments: "{}" } };
      const calling = upstreamWith("azure", { message: { content: null, tool_calls: [call] }, finish: "tool_calls" });
      const { text } = await calling.ask(dialect, form, { tools: tools[dialect] });
      expect(text).toContain(`"name":"${name}"`);
      expect(text).not.toContain(short);
      expect(calling.charged()).toBe(20_000n);
    }
  });
});

it("Mistral gets ids of nine letters or digits, no thoughts and no stream_options", async () => {
  const call = { id: "call_PTLP8xhu3uwZk4l3", type: "function", function: { name: "f", arguments: "{}" } };
  const messages = [
    ...hello,
    { role: "assistant", content: null, reasoning_content: "Hm.", tool_calls: [call] },
    { role: "tool", tool_call_id: call.id, content: "1" },
  ];
  const upstream = upstreamWith("mistral");
  expect((await upstream.ask("chat", "stream", { messages })).status).toBe(200);
  const [sent] = upstream.sent;
  const [, assistant, result] = JSON.parse(JSON.stringify(sent?.["messages"]));
  expect(result.tool_call_id).toMatch(/^[A-Za-z0-9]{9}$/);
  expect(assistant).toEqual({ role: "assistant", content: null, tool_calls: [{ ...call, id: result.tool_call_id }] });
  expect(sent).not.toHaveProperty("stream_options");
  expect(await upstream.ask("chat", "JSON", { seed: 7 })).toMatchObject({
    status: 400,
    text: expect.stringContaining("`seed` is not supported by this model"),
  });
});

describe("thoughts that came with a call", () => {
  const thought = "I need the weather.";
  const call = { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };
  /** The second turn in each dialect, with or without the thoughts of the first. */
  const turns = (thoughts: string) => ({
    chat: {
      messages: [
        ...hello,
        { role: "assistant", content: null, reasoning_content: thoughts, tool_calls: [call] },
        { role: "tool", tool_call_id: "call_1", content: "1" },
      ],
    },
    messages: {
      messages: [
        ...hello,
        {
          role: "assistant",
          content: [
            ...(thoughts === "" ? [] : [{ type: "thinking", thinking: thoughts, signature: "" }]),
            { type: "tool_use", id: "call_1", name: "f", input: {} },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "1" }] },
      ],
    },
    responses: {
      input: [
        ...hello,
        ...(thoughts === ""
          ? []
          : [{ type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: thoughts }] }]),
        { type: "function_call", call_id: "call_1", name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: "call_1", output: "1" },
      ],
    },
  });

  async function sentMessage(profile: Profile, dialect: Dialect, thoughts = thought) {
    const upstream = upstreamWith(profile);
    expect((await upstream.ask(dialect, "JSON", turns(thoughts)[dialect])).status).toBe(200);
    return JSON.parse(JSON.stringify(upstream.sent[0]))["messages"].find(({ role }: never) => role === "assistant");
  }

  it.each(["deepseek", "moonshot", "zai", "fireworks", "sglang", "llamacpp", "litellm"] as const)(
    "go back to %s from every dialect",
    async (profile) => {
      for (const dialect of dialects)
        expect(await sentMessage(profile, dialect)).toMatchObject({ reasoning_content: thought });
    },
  );

  it.each(["vllm", "ollama", "openrouter", "groq"] as const)("go back to %s as `reasoning`", async (profile) => {
    for (const dialect of dialects) {
      const message = await sentMessage(profile, dialect);
      expect(message).toMatchObject({ reasoning: thought });
      expect(message).not.toHaveProperty("reasoning_content");
    }
  });

  it("are an empty text for DeepSeek if the client has none", async () => {
    for (const dialect of dialects)
      expect(await sentMessage("deepseek", dialect, "")).toMatchObject({ reasoning_content: "" });
  });

  it.each([undefined, "azure", "mistral"] as const)("are not part of a translated request to %s", async (profile) => {
    for (const dialect of ["messages", "responses"] as const) {
      expect(Object.keys(await sentMessage(profile, dialect))).toEqual(["role", "content", "tool_calls"]);
    }
  });

  it("stay in a chat completion, unless the upstream refuses them", async () => {
    expect(await sentMessage(undefined, "chat")).toHaveProperty("reasoning_content", thought);
    expect(await sentMessage("mistral", "chat")).not.toHaveProperty("reasoning_content");
  });
});
