import type { EmbeddingModelConfig } from "@tollgate/core";
import { type NativeCall, ProviderError } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { scriptedProvider } from "../support/scripted-provider.ts";
import { mountGateway, type Send, sendTo } from "./mounted-gateway.ts";
import { mountedOnce } from "./mounts/mounts.ts";

const price = { input: "1", output: "0" };

/** A provider that answers embeddings with `answer`, and records the bodies that it receives. */
function embeddingProvider(name: string, answer: (inputs: number) => unknown) {
  const bodies: string[] = [];
  const embeddings = async (call: NativeCall) => {
    const text = new TextDecoder().decode(call.encoded());
    bodies.push(text);
    const { input } = JSON.parse(text);
    const inputs = typeof input === "string" || typeof input[0] === "number" ? 1 : input.length;
    return { kind: "json", body: new TextEncoder().encode(JSON.stringify(answer(inputs))) } as const;
  };
  return { ...scriptedProvider(), name, bodies, dialects: { embeddings } };
}

const vectors = (inputs: number, usage?: object, length = 2) => ({
  object: "list",
  data: Array.from({ length: inputs }, (_, index) => ({
    object: "embedding",
    index,
    embedding: Array.from({ length }, () => -0.25),
  })),
  model: "up",
  ...(usage && { usage }),
});

function scene(usage: object | undefined, more: Partial<EmbeddingModelConfig> = {}, length = 2) {
  const provider = embeddingProvider("vectors", (inputs) => vectors(inputs, usage, length));
  const tested = gatewayUnderTest({
    models: [
      { id: "embed", kind: "embedding", price, targets: [{ provider, model: "up" }], ...more },
      { id: "plain", maxOutputTokens: 10, price, targets: [{ provider, model: "up" }] },
    ],
  });
  return { ...tested, upstream: provider };
}

async function post(
  { gateway, key }: GatewayUnderTest,
  body: object | string,
  { send = sendTo(gateway), path = "/embeddings" }: { readonly send?: Send; readonly path?: string } = {},
): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const headers = { authorization: `Bearer ${await key()}`, "content-type": "application/json" };
  return await send(path, { method: "POST", headers, body: text });
}

const errorOf = async (response: Response) => ({ status: response.status, ...(await response.json()).error });
const balanceOf = async ({ balances }: GatewayUnderTest) => await balances.balance("acme");

const refusals: readonly (readonly [object, string, string, string])[] = [
  [{ input: ["a", "b", "c"] }, "unsupported_value", "input", "`input` must have at most 2 elements for this model"],
  [{ input: "a", dimensions: 9 }, "unsupported_value", "dimensions", "`dimensions` must be at most 8 for this model."],
  [{ input: [1, 2, 3, 4, 5] }, "context_length_exceeded", "input", "longer than this model's context window of 4"],
  [{ input: [[1], [1, 2, 3, 4, 5]] }, "context_length_exceeded", "input.1", "`input.1` is longer"],
  [{ input: "x".repeat(513) }, "context_length_exceeded", "input", "Shorten it."],
  [{ input: "" }, "invalid_request", "input", "`input` is empty. Send a text."],
  [{ input: "a", service_tier: "priority" }, "unsupported_parameter", "service_tier", "Leave it out"],
  [{ input: "a", messages: [{ role: "user", content: "b" }] }, "unsupported_parameter", "messages", "Leave it out"],
  [{ Input: "a" }, "unsupported_parameter", "Input", "Write it `input`"],
];

describe.each(mountedOnce)("$title", ({ mount, variant }) => {
  it("forwards the body with the upstream's model, and large vectors with the public one", async () => {
    const usage = { prompt_tokens: 5, total_tokens: 5 };
    const tested = scene(usage, {}, 100_000);
    await using host = await mountGateway(tested.gateway, mount, variant);
    // Parsers of the host leave no white space.
    const space = variant === "parsed" ? "" : " ";
    const rest = `${space}["Hello","Wörld"],"dimensions":2,"encoding_format":"float"`;
    const response = await post(tested, `{"model":"embed","input":${rest},"user":null}`, host);
    expect(response.status).toBe(200);
    const answer = JSON.stringify({ ...vectors(2, usage, 100_000), model: "embed", usage });
    // Without a diff of a megabyte.
    expect((await response.text()) === answer).toBe(true);
    expect(tested.upstream.bodies).toEqual([`{"model":"up","input":${rest}}`]);
    await expect
      .poll(() => tested.events)
      .toContainEqual(
        expect.objectContaining({
          type: "request.completed",
          endpoint: "embeddings",
          dialect: "embeddings",
          cost: 5_000n,
        }),
      );
    expect(await balanceOf(tested)).toMatchObject({ available: 1_000_000_000n - 5_000n, held: 0n });
  });

  it("refuses what the model does not take, and calls no target", async () => {
    const tested = scene(undefined, { maxInputs: 2, dimensions: 8, contextWindow: 4 });
    await using host = await mountGateway(tested.gateway, mount, variant);
    for (const [members, code, param, message] of refusals) {
      const error = await errorOf(await post(tested, { model: "embed", ...members }, host));
      expect(error).toMatchObject({ status: 400, code, param });
      expect(error.message).toContain(message);
    }
    expect(tested.upstream.bodies).toEqual([]);
  });

  it("fails over to another target, and charges only that", async () => {
    const usage = { prompt_tokens: 3, total_tokens: 3 };
    const broken = embeddingProvider("broken", () => {
      throw new ProviderError("overloaded", "Busy at up.test.");
    });
    const short = embeddingProvider("short", () => vectors(1, usage));
    const whole = embeddingProvider("whole", (inputs) => vectors(inputs, usage));
    const targets = [broken, short, whole].map((provider) => ({ provider, model: "up" }));
    const tested = gatewayUnderTest({
      models: [{ id: "embed", kind: "embedding", price, targets }],
      routing: { retries: 0 },
    });
    await using host = await mountGateway(tested.gateway, mount, variant);
    const response = await post(tested, { model: "embed", input: ["a", "b"] }, host);
    expect([response.status, response.headers.get("x-router-attempts")]).toEqual([200, "3"]);
    expect(await response.json()).toMatchObject({ model: "embed", usage });
    await expect.poll(() => balanceOf(tested)).toMatchObject({ available: 1_000_000_000n - 3_000n, held: 0n });
  });
});

it.each([
  ["Hello there", 3],
  [["Hello", "there"], 3],
  [[1, 2, 3, 4, 5, 6, 7], 7],
  [[[1, 2, 3], [4]], 4],
])("charges an estimate for %o where the upstream reports no usage", async (input, tokens) => {
  const tested = scene(undefined);
  const response = await post(tested, { model: "embed", input });
  expect((await response.json()).usage).toEqual({ prompt_tokens: tokens, total_tokens: tokens });
  expect(await balanceOf(tested)).toMatchObject({ available: 1_000_000_000n - BigInt(tokens) * 1_000n, held: 0n });
});

it("holds the exact number of tokens of token inputs, and at most the window of each input", async () => {
  const tested = scene(undefined, { contextWindow: 10, price: { input: "200000", output: "0" } });
  // 5 tokens cost the whole balance of 1.
  expect((await post(tested, { model: "embed", input: [1, 2, 3, 4, 5] })).status).toBe(200);
  const refused = await errorOf(await post(tested, { model: "embed", input: "Hello" }));
  expect(refused).toMatchObject({ status: 402, code: "insufficient_balance" });
  expect(refused.message).toBe(
    "This request may cost up to 2, but only 0 is available. Top up the balance or send fewer inputs.",
  );
});

it("says which endpoint to use for a model of the other kind", async () => {
  const tested = scene(undefined);
  expect(await errorOf(await post(tested, { model: "plain", input: "Hello" }))).toMatchObject({
    status: 400,
    code: "unsupported_value",
    param: "model",
    message:
      "The model `plain` does not make embeddings. Use POST /chat/completions, POST /messages or POST /responses, or an embedding model.",
  });
  const messages = [{ role: "user", content: "Hello" }];
  expect(await errorOf(await post(tested, { model: "embed", messages }, { path: "/chat/completions" }))).toMatchObject({
    status: 400,
    code: "unsupported_value",
    param: "model",
    message: "The model `embed` is an embedding model. Use POST /embeddings, or another model.",
  });
});

it("refuses a body in which the input occurs twice", async () => {
  const response = await post(scene(undefined), '{"model":"embed","input":"a","input":"b"}');
  expect(await errorOf(response)).toMatchObject({ status: 400, code: "unsupported_parameter", param: "input" });
});

it("answers 502 without a charge and without names of the upstream if no target answers", async () => {
  const broken = embeddingProvider("broken", () => ({ error: { message: "model secret-up at up.test is broken" } }));
  const tested = gatewayUnderTest({
    models: [{ id: "embed", kind: "embedding", price, targets: [{ provider: broken, model: "secret-up" }] }],
    routing: { retries: 0 },
  });
  const response = await post(tested, { model: "embed", input: "a" });
  expect(response.status).toBe(502);
  expect(await response.text()).not.toMatch(/secret-up|broken/);
  expect(await balanceOf(tested)).toMatchObject({ available: 1_000_000_000n, held: 0n });
});

it("lists embedding models with their kind and chat models as before", async () => {
  const tested = scene(undefined, { contextWindow: 8_192, dimensions: 1_536, displayName: "Vectors" });
  const { data } = await (await tested.models(await tested.key())).json();
  expect(data).toEqual([
    {
      id: "embed",
      object: "model",
      created: expect.any(Number),
      owned_by: "tollgate",
      display_name: "Vectors",
      context_window: 8_192,
      vision: false,
      kind: "embedding",
      max_inputs: 2_048,
      dimensions: 1_536,
    },
    {
      id: "plain",
      object: "model",
      created: expect.any(Number),
      owned_by: "tollgate",
      max_output_tokens: 10,
      vision: false,
      reasoning: null,
    },
  ]);
});

it("requires providers that declare embeddings, and no members of chat models", () => {
  const provider = scriptedProvider();
  const targets = [{ provider, model: "up" }];
  const create = (model: object) =>
    gatewayUnderTest({ models: [Object.assign({ id: "embed", kind: "embedding" as const, price, targets }, model)] });
  expect(() => create({})).toThrow(
    '`models (embed).targets[0].provider` does not answer embeddings. Use one that declares the dialect, such as openaiCompatible({ baseURL, apiKey, dialects: ["embeddings"] }).',
  );
  for (const member of ["maxOutputTokens", "vision", "tools", "imageTokens", "reasoning"]) {
    expect(() => create({ [member]: 1 })).toThrow(
      `\`models (embed).${member}\` is not a member of an embedding model.`,
    );
  }
  expect(() => create({ maxInputs: 2_049 })).toThrow(
    "`models (embed).maxInputs` must be a whole number from 1 to 2048",
  );
  expect(() => create({ kind: "embeddings" })).toThrow('`models (embed).kind` must be "chat" or "embedding"');
  expect(() => create({ kind: undefined, maxOutputTokens: 1, dimensions: 3 })).toThrow(
    "`models (embed).dimensions` is not a member of a model.",
  );
});

it("converts a large batch to base64 in steps, between which other requests are served", async () => {
  const tested = scene({ prompt_tokens: 3, total_tokens: 3 }, {}, 20_000);
  const input = Array.from({ length: 40 }, () => "a");
  const answer = post(tested, { model: "embed", input, encoding_format: "base64" });
  let turns = 0;
  let isAnswered = false;
  void answer.then(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    turns += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { data } = await (await answer).json();
  const numbers = new Float32Array(new Uint8Array(Buffer.from(data[39].embedding, "base64")).buffer);
  expect([data.length, numbers.length, new Set(numbers)]).toEqual([40, 20_000, new Set([-0.25])]);
  expect(turns).toBeGreaterThan(10);
});

it("asks an upstream that has only numbers for these, and answers in base64", async () => {
  const provider = embeddingProvider("numbers", (inputs) => vectors(inputs));
  const capabilities = { ...provider.capabilities, base64Vectors: false };
  const targets = [{ provider: { ...provider, capabilities }, model: "up" }];
  const tested = gatewayUnderTest({ models: [{ id: "embed", kind: "embedding", price, targets }] });
  const response = await post(tested, { model: "embed", input: "a", encoding_format: "base64" });
  expect((await response.json()).data).toEqual([{ object: "embedding", index: 0, embedding: "AACAvgAAgL4=" }]);
  expect(provider.bodies).toEqual(['{"model":"up","input":"a","encoding_format":"float"}']);
});
