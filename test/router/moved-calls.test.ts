import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { chunksOf, completionOf, scriptedProvider } from "../support/scripted-provider.ts";

function answering(options: Parameters<typeof gatewayUnderTest>[0] = {}) {
  const tested = gatewayUnderTest(options);
  tested.provider.script = { complete: async () => completionOf("Hi"), stream: () => chunksOf(["Hi"]) };
  return tested;
}

async function refusal(response: Response) {
  const { error } = await response.json();
  return { status: response.status, code: error?.code, param: error?.param, scope: error?.metadata?.scope };
}

const says = (more: object) => ({ messages: [{ role: "user", content: "Hello", ...more }] });
const part = (more: object) => says({ content: [{ type: "text", text: "Hello", ...more }] });
const called = (more: object) => ({
  messages: [
    { role: "user", content: "Hello" },
    {
      role: "assistant",
      tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" }, ...more }],
    },
    { role: "tool", tool_call_id: "c", content: "1" },
  ],
});
const tool = (more: object, inside: object = {}) => ({
  tools: [{ type: "function", function: { name: "f", parameters: {}, ...inside }, ...more }],
});
const schema = (more: object) => ({
  response_format: { type: "json_schema", json_schema: { name: "s", schema: {} }, ...more },
});

describe("a member that redirects a call or changes its cost is rejected", () => {
  const order = { gateway: { order: ["dear"] } };
  const cases: [param: string, body: object][] = [
    ["providerOptions", { providerOptions: order }],
    ["provider_options", { provider_options: {} }],
    ["extra_body", { extra_body: {} }],
    ["extra_headers", { extra_headers: { "x-route": "dear" } }],
    ["extra_query", { extra_query: { tier: "dear" } }],
    ["fallbacks", { fallbacks: ["dear"] }],
    ["context_window_fallbacks", { context_window_fallbacks: [{ plain: ["dear"] }] }],
    ["content_policy_fallbacks", { content_policy_fallbacks: "dear" }],
    ["modelFallbacks", { modelFallbacks: ["dear"] }],
    ["web_search_options", { web_search_options: {} }],
    ["models", { models: ["dear"] }],
    ["plugins", { plugins: [{ id: "web" }] }],
    ["store", { store: true }],
    ["background", { background: true }],
    ["service_tier", { service_tier: "priority" }],
    ["service_tier", { service_tier: "flex" }],
    ["serviceTier", { serviceTier: "priority" }],
    ["data_sources", { data_sources: [{ type: "azure_search" }] }],
    ["MCP_Servers", { MCP_Servers: [{ url: "https://x.test" }] }],
    ["connectors", { connectors: [{ id: "web-search" }] }],
    ["speed", { speed: "fast" }],
    ["search_options", { search_options: { forced_search: true } }],
    ["compound_custom", { compound_custom: { tools: { enabled_tools: ["web_search"] } } }],
    ["deferred", { deferred: true }],
    ["enable_code_interpreter", { enable_code_interpreter: true }],
    ["kv_transfer_params", { kv_transfer_params: { remote_host: "x.test" } }],
    ["bootstrap_host", { bootstrap_host: "x.test" }],
    ["maxOutputTokens", { maxOutputTokens: 100_000 }],
    ["file_ids", { file_ids: ["file-1"] }],
    ["messages.0.attachments.0.file_id", says({ attachments: [{ file_id: "file-1" }] })],
    ["messages.0.content.0.file.file_id", says({ content: [{ type: "file", file: { file_id: "file-1" } }] })],
    [
      "messages.0.content.0.file.FileId",
      says({
        content: [
          { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AA", FileId: "file-1" } },
        ],
      }),
    ],
    [
      "messages.0.content.0.image_url.file_id",
      says({ content: [{ type: "image_url", image_url: { url: "https://x.test/a.png", file_id: "file-1" } }] }),
    ],
    ["messages.0.content.0.vendor.0.0.deep.file_id", part({ vendor: [[{ deep: { file_id: "file-1" } }]] })],
    ["messages.1.tool_calls.0.function.models", called({ function: { name: "f", arguments: "{}", models: ["dear"] } })],
    ["audio", { audio: { voice: "a" } }],
    ["messages.0.providerOptions", says({ providerOptions: order })],
    ["messages.0.provider", says({ provider: "dear" })],
    ["messages.0.content.0.provider_options", part({ provider_options: order })],
    [
      "messages.0.content.0.content.0.providerOptions",
      says({ content: [{ type: "tool_result", content: [{ type: "text", text: "x", providerOptions: order }] }] }),
    ],
    ["messages.1.tool_calls.0.extra_body", called({ extra_body: {} })],
    ["tools.0.extra_headers", tool({ extra_headers: {} })],
    ["tools.0.function.providerOptions", tool({}, { providerOptions: order })],
    ["tool_choice.models", { ...tool({}), tool_choice: { type: "auto", models: ["dear"] } }],
    ["response_format.extra_body", schema({ extra_body: {} })],
    ["stream_options.service_tier", { stream: true, stream_options: { service_tier: "priority" } }],
  ];

  it.each(cases)("%s", async (param, body) => {
    const { chat, key, provider } = answering();
    expect(await refusal(await chat(await key(), body))).toMatchObject({
      status: 400,
      code: "unsupported_parameter",
      param,
    });
    expect(provider.calls).toEqual([]);
  });

  it("unless every target accepts and prices it", async () => {
    const { chat, key, provider } = answering();
    provider.script = {
      ...provider.script,
      capabilities: { pricedFields: ["service_tier", "provider_options", "context_window_fallbacks"] },
    };
    const secret = await key();
    const body = { service_tier: "priority", context_window_fallbacks: ["x"], ...says({ providerOptions: order }) };
    expect((await chat(secret, body)).status).toBe(200);
    expect(provider.calls[0]?.request).toMatchObject(body);
    expect((await chat(secret, { ...body, store: true })).status).toBe(400);
  });

  it("if only one of two targets prices it", async () => {
    const [one, two] = [scriptedProvider(), scriptedProvider()];
    one.script = { complete: async () => completionOf("Hi"), capabilities: { pricedFields: ["service_tier"] } };
    two.script = { complete: async () => completionOf("Hi") };
    const { chat, key } = answering({ models: [modelOf([{ provider: one }, { provider: two }])] });
    expect((await chat(await key(), { service_tier: "priority" })).status).toBe(400);
  });
});

describe("a member with a default value is accepted", () => {
  it.each<object>([
    { store: false },
    { background: false },
    { models: [] },
    { plugins: [] },
    { fallbacks: [] },
    { providerOptions: null, extra_body: null, store: null },
    { web_search_options: null },
    { service_tier: "auto" },
    { service_tier: "default" },
    { service_tier: "standard_only" },
    { response_format: { type: "text" } },
    { text: { format: { type: "text" } } },
    { reasoning: { summary: "auto" } },
    { reasoning: {}, thinking: null },
    { thinking: { type: "disabled" } },
    says({ providerOptions: null, store: false, file_id: null }),
    { mcp_servers: [], speed: null, deferred: false, data_sources: [] },
    { n: 16 },
  ])("%j", async (body) => {
    const { chat, key, provider } = answering();
    expect((await chat(await key({ plan: "subscription" }), body)).status).toBe(200);
    expect(provider.calls).toHaveLength(1);
  });

  it("and the text format is removed", async () => {
    const { chat, key, provider } = answering();
    await chat(await key(), { response_format: { type: "text" }, seed: 7 });
    const [call] = provider.calls;
    expect(call?.request).not.toHaveProperty("response_format");
    expect(JSON.parse(new TextDecoder().decode(call?.encoded()))).toEqual({
      model: "upstream-model",
      messages: [{ role: "user", content: "Hello" }],
      seed: 7,
    });
  });
});

describe("content that is never inspected", () => {
  const all = {
    providerOptions: {},
    store: true,
    Content: 1,
    content: [{ models: ["x"] }],
    service_tier: "priority",
    x_fallbacks: [1],
    cache_control: { type: "ephemeral", ttl: "1h" },
    file_id: "file-1",
  };

  it.each<[string, object]>([
    ["parameters of tools", tool({}, { parameters: { type: "object", properties: all, ...all } })],
    ["an input_schema", tool({ input_schema: all })],
    ["a schema", { response_format: { type: "json_schema", json_schema: { name: "s", schema: all } } }],
    ["metadata", { metadata: all }],
    ["logit_bias", { logit_bias: { store: 1, Content: 2 } }],
    ["the input of a tool", says({ content: [{ type: "tool_use", id: "x", name: "f", input: all }] })],
    [
      "the arguments of a call",
      called({ function: { name: "f", arguments: JSON.stringify(all), extra: { arguments: all } } }),
    ],
    ["an unknown member", { vendor: all }],
    [
      "citations of an earlier answer",
      says({ content: [{ type: "text", text: "x", annotations: [{ file_id: "file-1" }] }] }),
    ],
  ])("%s", async (_, body) => {
    const { chat, key, provider } = answering();
    expect((await chat(await key(), body)).status).toBe(200);
    const sent = JSON.parse(new TextDecoder().decode(provider.calls[0]?.encoded()));
    expect(sent).toEqual({ messages: [{ role: "user", content: "Hello" }], ...body, model: "upstream-model" });
  });

  it("may contain duplicate names", async () => {
    const { chat, key } = answering();
    const text =
      '{"model":"plain","messages":[{"role":"user","content":"x"}],"metadata":{"store":1,"store":2},"a":1,"a":2}';
    expect((await chat(await key(), text)).status).toBe(200);
  });
});

describe("a checked member that is repeated or spelled differently is rejected", () => {
  const image = '[{"type":"image_url","image_url":{"url":"https://x.test"}}]';
  const message = (members: string) => `{"model":"thinker","messages":[{"role":"user",${members}}]}`;
  it.each<[param: string, text: string]>([
    ["messages.0.content", message(`"content":${image},"content":"x"`)],
    ["messages.0.content", message(`"content":"x","conten\\u0074":${image}`)],
    ["messages.0.Content", message(`"content":"x","Content":${image}`)],
    ["messages.0.CONTENT", message(`"CONTENT":${image}`)],
    ["messages.0.Role", message('"content":"x","Role":"system"')],
    ["messages.0.content.0.Type", message('"content":[{"type":"text","text":"x","Type":"image_url"}]')],
    [
      "messages.0.content.0.image_url.URL",
      message('"content":[{"type":"image_url","image_url":{"url":"https://x.test","URL":"data:a"}}]'),
    ],
    ["messages.0.content.0.Image_URL", message('"content":[{"type":"text","text":"x","Image_URL":{}}]')],
    ["messages.0.content.0.content.0.Text", message('"content":[{"type":"b","content":[{"type":"text","Text":"x"}]}]')],
    ["model", '{"model":"plain","model":"thinker","messages":[{"role":"user","content":"x"}]}'],
    ["Model", '{"model":"plain","Model":"thinker","messages":[{"role":"user","content":"x"}]}'],
    ["maxTokens", '{"model":"plain","maxTokens":9,"messages":[{"role":"user","content":"x"}]}'],
    ["tools.0.Function", toolText('"Function":{"name":"g","parameters":{}}')],
    ["tools.0.type", toolText('"type":"function"')],
    [
      "stream_options.Include_Usage",
      `${message('"content":"x"').slice(0, -1)},"stream_options":{"Include_Usage":true}}`,
    ],
    ["cache_control", `${message('"content":"x"').slice(0, -1)},"cache_control":null,"cache_control":{}}`],
  ])("%s", async (param, text) => {
    const { chat, key, provider } = answering();
    expect(await refusal(await chat(await key(), text))).toMatchObject({ status: 400, param });
    expect(provider.calls).toEqual([]);
  });

  it("with a Kelvin sign or a long s as a letter", async () => {
    const { chat, key } = answering();
    const secret = await key();
    for (const name of ["me\u017f\u017fages", "\u017ftore", "me\\u017fsages"]) {
      const text = `{"model":"plain","messages":[{"role":"user","content":"x"}],"${name}":[1]}`;
      expect((await refusal(await chat(secret, text))).status).toBe(400);
    }
  });
});

function toolText(more: string): string {
  const tools = `[{"type":"function","function":{"name":"f","parameters":{}},${more}}]`;
  return `{"model":"plain","messages":[{"role":"user","content":"x"}],"tools":${tools}}`;
}

describe("a feature under another name counts as that feature", () => {
  it.each<[param: string, body: object]>([
    ["guided_json", { guided_json: {} }],
    ["guided_regex", { guided_regex: "a" }],
    ["structured_outputs", { structured_outputs: { json: {} } }],
    ["text.format", { text: { format: { type: "json_object" } } }],
  ])("response_format: %s", async (param, body) => {
    const { chat, key } = answering();
    expect(await refusal(await chat(await key({ plan: "subscription" }), body))).toEqual({
      status: 403,
      code: "feature_not_available",
      param,
      scope: "plan",
    });
    expect((await chat(await key(), body)).status).toBe(200);
  });

  it("response_format: on a subscription only if its features list it", async () => {
    const plans = [
      { id: "silent", billing: "none" },
      { id: "listing", billing: "none", features: ["response_format"] },
      { id: "paying", billing: "prepaid" },
    ] as const;
    const { chat, key } = answering({ plans });
    const asked = async (plan: string) => refusal(await chat(await key({ plan }), schema({})));
    expect(await asked("silent")).toMatchObject({ status: 403, param: "response_format", scope: "plan" });
    expect((await asked("listing")).status).toBe(200);
    expect((await asked("paying")).status).toBe(200);
  });

  it.each<[param: string, body: object]>([
    ["thinking", { thinking: { type: "enabled", budget_tokens: 1_024 } }],
    ["reasoning.effort", { reasoning: { effort: "high" } }],
    ["reasoning", { reasoning: { max_tokens: 1_000 } }],
    ["enable_thinking", { enable_thinking: true }],
  ])("reasoning_effort: %s", async (param, body) => {
    const { chat, key, provider } = answering();
    const secret = await key();
    expect(await refusal(await chat(secret, body))).toMatchObject({ status: 403, param, scope: "model" });
    expect((await chat(secret, { ...body, model: "thinker" })).status).toBe(200);
    expect(provider.calls[0]?.request).not.toHaveProperty("reasoning_effort");
  });

  it("an unsupported effort is rejected with 400", async () => {
    const { chat, key } = answering();
    const body = { model: "thinker", reasoning: { effort: "extreme" } };
    expect(await refusal(await chat(await key(), body))).toMatchObject({ status: 400, param: "reasoning.effort" });
  });
});

const modelOf = (targets: readonly { provider: ReturnType<typeof scriptedProvider>; price?: Price }[]) => ({
  id: "plain",
  maxOutputTokens: 1_000,
  contextWindow: 8_000,
  price: { input: "1", output: "2" },
  targets: targets.map((target) => ({ ...target, model: "upstream-model" })),
});

interface Price {
  readonly input: string;
  readonly output: string;
  readonly cacheWrite?: string;
  readonly cacheWrite1h?: string;
}

describe("cache_control", () => {
  const short = '{"type":"ephemeral"}';
  const long = '{"type":"ephemeral","ttl":"1h"}';
  const bodyWith = (first: string, second: string) =>
    `{"model":"plain","messages":[{"cache_control":${first},"role":"user","name":null,"content":[{"type":"text","cache_control":${second},` +
    `"text":"x","big":1.10}, { "cache_control" : ${first} , "type":"b", "content":[{"type":"text","text":"y" , "cache_control":${second}}]}],"tool_calls":null}],` +
    `"tools":[{"type":"function","function":{"name":"f","parameters":{"cache_control":${long},"maximum":12345678901234567890},"cache_control":${first}},"cache_control":${second}}],` +
    `"cache_control":${second}}`;

  async function sentWith(price: Price, text: string) {
    const provider = scriptedProvider({ complete: async () => completionOf("Hi") });
    const { chat, key } = answering({ models: [modelOf([{ provider, price }])] });
    expect((await chat(await key(), text)).status).toBe(200);
    const [call] = provider.calls;
    const encoded = new TextDecoder().decode(call?.encoded());
    expect(call?.request).toEqual(JSON.parse(encoded));
    return encoded;
  }

  /** The body without these cache_control values and without nulls. */
  const without = (text: string, ...marks: readonly string[]) => {
    const drop = marks.map((mark) => JSON.stringify(JSON.parse(mark)));
    return JSON.parse(text.replace('"model":"plain"', '"model":"upstream-model"'), (name, value) => {
      if (name === "parameters") return { cache_control: JSON.parse(long), maximum: Number("12345678901234567890") };
      if (value === null) return undefined;
      return name === "cache_control" && drop.includes(JSON.stringify(value)) ? undefined : value;
    });
  };

  const base = { input: "1", output: "2" };
  it.each<[string, Price, readonly string[]]>([
    ["is removed without a price for cache writes", base, [short, long]],
    ["of an hour is removed if only five minutes have a price", { ...base, cacheWrite: "1.25" }, [long]],
    ["of five minutes is removed if only an hour has a price", { ...base, cacheWrite1h: "2" }, [short]],
    ["is kept if both have a price", { ...base, cacheWrite: "1.25", cacheWrite1h: "2" }, []],
  ])("%s", async (_, price, dropped) => {
    for (const text of [bodyWith(short, long), bodyWith(long, short), bodyWith(long, long), bodyWith(short, short)]) {
      const sent = await sentWith(price, text);
      expect(JSON.parse(sent)).toEqual(without(text, ...dropped));
      expect(sent).toContain('"maximum":12345678901234567890');
      expect(sent).toContain('"big":1.10');
    }
  });

  it.each(['{"type":"ephemeral","ttl":"5m","ttl":"1h"}', '{"type":"ephemeral","ttl":"24h"}', '{"TTL":"1h"}', "true"])(
    "of another form is always removed: %s",
    async (mark) => {
      const price = { ...base, cacheWrite: "1.25", cacheWrite1h: "2" };
      expect(await sentWith(price, bodyWith(mark, mark))).not.toContain(`"big":1.10,${mark}`);
      expect(JSON.parse(await sentWith(price, bodyWith(mark, mark)))).toEqual(
        without(bodyWith(mark, mark), JSON.stringify(JSON.parse(mark))),
      );
    },
  );

  it("is kept or removed for each target by its own price", async () => {
    const first = scriptedProvider({
      complete: async () => {
        throw new Error("down");
      },
    });
    const second = scriptedProvider({ complete: async () => completionOf("Hi") });
    const models = [
      modelOf([
        { provider: first, price: { ...base, cacheWrite: "1.25" } },
        { provider: second, price: base },
      ]),
    ];
    const { chat, key } = answering({ models });
    expect((await chat(await key(), part({ cache_control: { type: "ephemeral" } }))).status).toBe(200);
    const sent = (provider: typeof first) => new TextDecoder().decode(provider.calls[0]?.encoded());
    expect(sent(first)).toContain("cache_control");
    expect(sent(second)).not.toContain("cache_control");
  });

  it("of an hour is held and charged at its price, even if the usage does not report the duration", async () => {
    const usage = {
      prompt_tokens: 40,
      completion_tokens: 0,
      total_tokens: 40,
      prompt_tokens_details: { cache_write_tokens: 40 },
    };
    const provider = scriptedProvider({ complete: async () => completionOf("", usage) });
    const price = { input: "1", output: "2", cacheWrite: "10", cacheWrite1h: "20" };
    const { chat, key, balances } = answering({ models: [modelOf([{ provider, price }])] });
    const secret = await key();
    const before = (await balances.balance("acme")).posted;
    await chat(secret, part({ cache_control: { type: "ephemeral", ttl: "1h" } }));
    expect(before - (await balances.balance("acme")).posted).toBe(800_000n);
    await chat(secret, part({ cache_control: { type: "ephemeral" } }));
    expect(before - (await balances.balance("acme")).posted).toBe(1_200_000n);
  });
});
