import { ProviderError, type ProviderFailure } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest, termsUnderTest } from "../support/gateway-under-test.ts";
import { overriding } from "../support/overriding.ts";
import { chunksOf, completionOf } from "../support/scripted-provider.ts";

function answering(options: Parameters<typeof gatewayUnderTest>[0] = {}): GatewayUnderTest {
  const tested = gatewayUnderTest(options);
  tested.provider.script = { complete: async () => completionOf("Hi"), stream: () => chunksOf(["Hi"]) };
  return tested;
}

async function refusal(response: Response) {
  const body = await response.json();
  return { status: response.status, ...body.error };
}

describe("200", () => {
  it("returns the completion with the public model id, usage and rate limit headers", async () => {
    const { chat, key } = answering();
    const response = await chat(await key());
    expect(response.status).toBe(200);
    expect(response.headers.get("x-ratelimit-limit")).toBe("1000");
    expect(response.headers.get("x-ratelimit-remaining")).toBe("999");
    expect(Number(response.headers.get("x-ratelimit-reset"))).toBeGreaterThan(Date.now() / 1000);
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(await response.json()).toMatchObject({
      object: "chat.completion",
      model: "plain",
      system_fingerprint: null,
      choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    });
  });

  it("removes optional members that are null from the request and its messages", async () => {
    const { chat, key, provider } = answering();
    const messages = [{ role: "user", content: "Hello", name: null, tool_calls: null, tool_call_id: null }];
    expect((await chat(await key(), { messages, tools: null, temperature: null, seed: 7 })).status).toBe(200);
    const [call] = provider.calls;
    const sent = { model: "upstream-model", messages: [{ role: "user", content: "Hello" }], seed: 7 };
    expect(call?.request).toMatchObject(sent);
    expect(call?.request.messages).toEqual(sent.messages);
    const encoded = JSON.parse(new TextDecoder().decode(call?.encoded()));
    expect(encoded.messages).toEqual(sent.messages);
    expect(encoded).not.toHaveProperty("tools");
  });

  it("removes optional members that are null from functions, and keeps a content that is null", async () => {
    const { chat, key, provider } = answering();
    const tools = (declared: object) => [{ type: "function", function: { name: "f", parameters: {}, ...declared } }];
    const messages = [
      { role: "user", content: "Hello" },
      { role: "assistant", content: null },
    ];
    expect((await chat(await key(), { messages, tools: tools({ description: null }) })).status).toBe(200);
    const encoded = JSON.parse(new TextDecoder().decode(provider.calls[0]?.encoded()));
    expect(encoded).toMatchObject({ messages, tools: tools({}) });
    expect(encoded.tools).toEqual(tools({}));
  });

  it("lists the models of the key with every documented field", async () => {
    const { models, key } = answering();
    const response = await models(await key({ models: ["thinker"] }));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      object: "list",
      data: [
        {
          id: "thinker",
          object: "model",
          created: expect.any(Number),
          owned_by: "tollgate",
          max_output_tokens: 1_000,
          vision: false,
          reasoning: { effort_levels: ["low", "high"], default_effort: "low" },
        },
      ],
    });
  });

  it("keeps a valid request id of the client and replaces an invalid one", async () => {
    const { chat, key } = answering();
    const secret = await key();
    const accepted = await chat(secret, {}, { headers: { "x-request-id": "order-17.a_b" } });
    expect(accepted.headers.get("x-request-id")).toBe("order-17.a_b");
    const replaced = await chat(secret, {}, { headers: { "x-request-id": "no spaces please" } });
    expect(replaced.headers.get("x-request-id")).toMatch(/^req_/);
  });
});

describe("400", () => {
  const cases: [name: string, body: object | string, code: string, param: string | undefined][] = [
    ["text that is not JSON", "{", "invalid_json", undefined],
    ["an array", "[]", "invalid_request", undefined],
    ["no messages", { messages: [] }, "invalid_request", "messages"],
    ["an unknown role", { messages: [{ role: "robot", content: "x" }] }, "invalid_request", "messages.0.role"],
    [
      "a text part without text",
      { messages: [{ role: "user", content: [{ type: "text" }] }] },
      "invalid_request",
      "messages.0.content.0.text",
    ],
    [
      "an image part without url",
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: {} }] }] },
      "invalid_request",
      "messages.0.content.0.image_url.url",
    ],
    ["max_tokens of zero", { max_tokens: 0 }, "invalid_request", "max_tokens"],
    ["n of 17", { n: 17 }, "invalid_request", "n"],
    ["another response_format", { response_format: { type: "xml" } }, "invalid_request", "response_format.type"],
    [
      "an unsupported effort",
      { model: "thinker", reasoning_effort: "extreme" },
      "unsupported_value",
      "reasoning_effort",
    ],
    ...["data:text/plain;base64,AAAA", "DATA:application/pdf;base64,AAAA", " d\nata:video/mp4,x", "data:,x"].map(
      (url): (typeof cases)[number] => [
        `an image that is ${JSON.stringify(url)}`,
        {
          messages: [
            { role: "user", content: "Look" },
            {
              role: "user",
              content: [
                { type: "text", text: "at" },
                { type: "image_url", image_url: { url } },
              ],
            },
          ],
        },
        "unsupported_value",
        "messages.1.content.1.image_url.url",
      ],
    ),
    ["a field that changes the price", { service_tier: "priority" }, "unsupported_parameter", "service_tier"],
    ["another spelling of model", { MODEL: "dearer" }, "unsupported_parameter", "MODEL"],
    ["another spelling of a feature", { Response_Format: {} }, "unsupported_parameter", "Response_Format"],
    ["a spelling with a long s", { \u017fervice_tier: "priority" }, "unsupported_parameter", "\u017fervice_tier"],
    [
      "a prompt over the context window",
      { messages: [{ role: "user", content: "x".repeat(1_200_000) }] },
      "context_length_exceeded",
      "messages",
    ],
    ["JSON nested too deeply", `{"a":${"[".repeat(101)}${"]".repeat(101)}}`, "invalid_json", undefined],
  ];

  it.each(cases)("for %s", async (_name, body, code, param) => {
    const { chat, key } = answering();
    const error = await refusal(await chat(await key(), body));
    expect(error).toMatchObject({ status: 400, type: "invalid_request_error", code });
    expect(error.param).toBe(param);
  });

  it("for invalid UTF-8 and for a compressed body", async () => {
    const { chat, key } = answering();
    const secret = await key();
    const bytes = await chat(secret, {}, { body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]) });
    expect(await refusal(bytes)).toMatchObject({ status: 400, code: "invalid_json" });
    const zipped = await chat(secret, {}, { headers: { "content-encoding": "gzip" } });
    expect(await refusal(zipped)).toMatchObject({ status: 400, code: "unsupported_value" });
  });

  it.each([
    ["depth", `{"messages":${"[".repeat(1_000)}`, "nested more than 100 levels deep"],
    ["objects", `{"messages":[${"{},".repeat(300_000)}`, "more than 100,000 objects and arrays"],
    ["members", `{${'"a":1,'.repeat(50_001)}`, "more than 50,000 members"],
    ["values", `{"a":[${"0,".repeat(1_000_001)}`, "more than 1,000,000 values"],
  ])("for a body over the limit of %s, before it is parsed", async (_name, unfinished, words) => {
    const { chat, key } = answering();
    const error = await refusal(await chat(await key(), unfinished));
    expect(error).toMatchObject({ status: 400, code: "invalid_json", message: expect.stringContaining(words) });
  });

  it("not for null members or a __proto__ member", async () => {
    const { chat, key } = answering();
    const body =
      '{"model":"plain","messages":[{"role":"user","content":null}],"stream":null,"tools":null,"__proto__":{"polluted":1}}';
    expect((await chat(await key(), body)).status).toBe(200);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

describe("401", () => {
  it("for a key that is missing, invalid, expired or revoked, with WWW-Authenticate", async () => {
    const tested = answering();
    const expired = await tested.key({ expiresAt: new Date(Date.now() - 1) });
    const revoked = await tested.keys.create({ account: "acme", plan: "prepaid" });
    expect((await tested.chat(revoked.secret)).status).toBe(200);
    await tested.keys.revoke(revoked.key.id);
    const missing = await tested.gateway.fetch(new Request("http://gateway.test/router/v1/models"));
    expect(missing.headers.get("www-authenticate")).toBe("Bearer");
    expect(await refusal(missing)).toMatchObject({
      status: 401,
      type: "authentication_error",
      code: "missing_api_key",
    });
    expect(await refusal(await tested.chat("tg_nonsense"))).toMatchObject({ status: 401, code: "invalid_api_key" });
    expect(await refusal(await tested.chat(expired))).toMatchObject({ status: 401, code: "expired_api_key" });
    expect(await refusal(await tested.chat(revoked.secret))).toMatchObject({ status: 401, code: "revoked_api_key" });
  });

  it("for a key revoked by a store whose clock is ahead of this process", async () => {
    const revokedAt = new Date(Date.now() + 600_000);
    const key = { id: "1", account: "acme", plan: "subscription", lastFour: "abcd", createdAt: new Date(), revokedAt };
    const tested = answering({ keys: { find: () => key, get: () => key, onChange: () => () => undefined } });
    expect(await refusal(await tested.chat("any"))).toMatchObject({ status: 401, code: "revoked_api_key" });
  });

  it("becomes 429 for an address with many failed keys, while a valid key still passes", async () => {
    const tested = answering({ maxFailedKeysPerMinute: 3 });
    const fetch = (secret: string) =>
      tested.gateway.fetch(
        new Request("http://gateway.test/router/v1/models", { headers: { authorization: `Bearer ${secret}` } }),
        {
          clientAddress: "::ffff:192.0.2.1",
        },
      );
    const good = await tested.key();
    expect((await fetch(good)).status).toBe(200);
    // Beyond the limit, five unknown keys per second are still looked up.
    const statuses = await Promise.all(Array.from({ length: 100 }, async (_, n) => (await fetch(`guess-${n}`)).status));
    expect(statuses.slice(0, 3)).toEqual([401, 401, 401]);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(80);
    expect((await fetch(good)).status).toBe(200);
  });

  it("counts all addresses of one IPv6 network as one client, in any notation", async () => {
    const tested = answering({ maxFailedKeysPerMinute: 3 });
    const guess = async (clientAddress: string) => {
      const headers = { authorization: "Bearer guess" };
      const request = new Request("http://gateway.test/router/v1/models", { headers });
      return (await tested.gateway.fetch(request, { clientAddress })).status;
    };
    for (const address of ["2001:db8::1", "2001:db8::a:b:c:d", "2001:db8:0:0::2"])
      expect(await guess(address)).toBe(401);
    // The key is the same each time, so it is not looked up again, and one more failure reaches the limit.
    expect(await guess("2001:db8:0:0:5:6:7:8")).toBe(401);
    expect(await guess("2001:db8:0:0:5:6:7:9")).toBe(429);
    expect(await guess("2001:db8:0:1::1")).toBe(401);
  });
});

describe("402", () => {
  it("reports the requested and available amounts and the affordable tokens", async () => {
    const tested = answering();
    tested.balances.credit({ id: "little", account: "poor", amount: 500_000n, reason: "test" });
    const response = await tested.chat(await tested.key({ account: "poor" }), { max_tokens: 1_000 });
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(response.headers.get("x-ratelimit-limit")).toBe("1000");
    expect(await refusal(response)).toMatchObject({
      status: 402,
      type: "insufficient_balance",
      code: "insufficient_balance",
      metadata: {
        requested: expect.stringMatching(/^0\.00/),
        available: "0.0005",
        affordable_output_tokens: expect.any(Number),
      },
    });
    expect(tested.balances.balance("poor")).toMatchObject({ posted: 500_000n, held: 0n, available: 500_000n });
  });

  it("is avoided by a lower output cap if the client set none", async () => {
    const tested = answering();
    tested.balances.credit({ id: "little", account: "poor", amount: 1_000_000n, reason: "test" });
    const response = await tested.chat(await tested.key({ account: "poor" }));
    expect(response.status).toBe(200);
    const limit = Number(response.headers.get("x-router-output-limit"));
    expect(limit).toBeGreaterThanOrEqual(256);
    expect(limit).toBeLessThan(1_000);
    expect(tested.provider.calls[0]?.request.max_completion_tokens).toBe(limit);
  });

  it("is returned for the list of models if the account has no money", async () => {
    const tested = answering();
    expect((await tested.models(await tested.key({ account: "nobody" }))).status).toBe(402);
  });
});

describe("403", () => {
  const image = [{ role: "user", content: [{ type: "image_url", image_url: { url: "https://x.test/a.png" } }] }];
  const tool = { type: "function", function: { name: "look", parameters: {} } };
  const cases: [name: string, keyOptions: object, body: object, param: string, scope: string][] = [
    [
      "response_format on a plan without it",
      { plan: "subscription" },
      { response_format: { type: "json_object" } },
      "response_format",
      "plan",
    ],
    [
      "response_format on a subscription that lists no features",
      { plan: "plain-subscription" },
      { response_format: { type: "json_object" } },
      "response_format",
      "plan",
    ],
    ["an image on a model without vision", {}, { model: "thinker", messages: image }, "image_url", "model"],
    ["tools on a model without tools", {}, { model: "thinker", tools: [tool] }, "tools", "model"],
    ["functions on a model without tools", {}, { model: "thinker", functions: [tool.function] }, "tools", "model"],
    ["reasoning_effort on a model without reasoning", {}, { reasoning_effort: "low" }, "reasoning_effort", "model"],
    [
      "a feature that the key does not have",
      { features: ["tools"] },
      { response_format: { type: "json_object" } },
      "response_format",
      "key",
    ],
  ];

  it("not for response_format on a subscription that lists it, or for other features on one that lists none", async () => {
    const { chat, key } = answering();
    const format = { response_format: { type: "json_object" } };
    expect((await chat(await key({ plan: "full-subscription" }), format)).status).toBe(200);
    expect((await chat(await key({ plan: "plain-subscription" }), { messages: image, tools: [tool] })).status).toBe(
      200,
    );
    expect((await chat(await key(), format)).status).toBe(200);
  });

  it.each(cases)("for %s", async (_name, keyOptions, body, param, scope) => {
    const { chat, key } = answering();
    const response = await chat(await key(keyOptions), body);
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(await refusal(response)).toMatchObject({
      status: 403,
      code: "feature_not_available",
      param,
      metadata: { scope },
    });
  });
});

describe("404, 405 and 413", () => {
  it("return the same error for an unknown model and one that the key may not use", async () => {
    const { chat, key } = answering();
    const secret = await key({ models: ["plain"] });
    const unknown = await refusal(await chat(secret, { model: "nothing" }));
    const hidden = await refusal(await chat(secret, { model: "thinker" }));
    expect(unknown).toMatchObject({ status: 404, code: "model_not_found" });
    expect(hidden).toEqual({ ...unknown, message: unknown.message.replace("nothing", "thinker") });
  });

  it("name the allowed method of a path", async () => {
    const { gateway } = answering();
    const response = await gateway.fetch(new Request("http://gateway.test/router/v1/models", { method: "DELETE" }));
    expect(response.headers.get("allow")).toBe("GET");
    expect(await refusal(response)).toMatchObject({ status: 405, code: "method_not_allowed" });
    expect((await gateway.fetch(new Request("http://gateway.test/router/v1/other"))).status).toBe(404);
  });

  it("name the limit for a body over it", async () => {
    const { chat, key } = answering({ maxBodyBytes: 100 });
    const error = await refusal(await chat(await key(), { messages: [{ role: "user", content: "x".repeat(200) }] }));
    expect(error).toMatchObject({ status: 413, code: "payload_too_large", metadata: { limit_bytes: 100 } });
  });
});

describe("428", () => {
  it("is returned until the terms are accepted", async () => {
    const tested = answering({ terms: termsUnderTest() });
    const secret = await tested.key();
    for (const response of [await tested.chat(secret), await tested.models(secret)]) {
      expect(response.status).toBe(428);
      expect(response.headers.get("x-should-retry")).toBe("false");
      expect(await response.json()).toEqual({
        error: "terms_acceptance_required",
        versionId: "terms-2",
        version: "2.0",
        enforcementAt: "2026-01-01T00:00:00.000Z",
        acceptUrl: "https://host.test/terms",
        message: expect.stringContaining("https://host.test/terms"),
        code: "terms_acceptance_required",
      });
    }
    await tested.gateway.terms.accept("acme", "terms-2");
    expect((await tested.chat(secret)).status).toBe(200);
  });
});

describe("429", () => {
  it("rejects the request over the window with all four headers, and accepts it in the next window", async () => {
    const { chat, key } = answering();
    const secret = await key({ limits: { requests: { limit: 2, windowSeconds: 1 } } });
    expect((await chat(secret)).status).toBe(200);
    expect((await chat(secret)).headers.get("x-ratelimit-remaining")).toBe("0");
    const refused = await chat(secret);
    const wait = Number(refused.headers.get("retry-after"));
    expect(refused.headers.get("x-ratelimit-limit")).toBe("2");
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(Number(refused.headers.get("x-ratelimit-reset"))).toBeGreaterThan(0);
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(await refusal(refused)).toMatchObject({
      status: 429,
      type: "rate_limit_error",
      code: "rate_limit_exceeded",
      metadata: { limit: "requests" },
    });
    await new Promise((resolve) => setTimeout(resolve, wait * 1_000));
    expect((await chat(secret)).status).toBe(200);
  });

  it("has x-should-retry: false if the wait is over a minute", async () => {
    const { chat, key } = answering();
    const secret = await key({ limits: { requests: { limit: 1, windowSeconds: 3_600 } } });
    await chat(secret);
    expect((await chat(secret)).headers.get("x-should-retry")).toBe("false");
  });

  it("names the limit of tokens or concurrency, and consumes nothing", async () => {
    const tested = answering();
    const tokens = await tested.key({ limits: { tokens: { limit: 1_000 } } });
    expect((await tested.chat(tokens, { max_tokens: 500 })).status).toBe(200);
    expect((await tested.chat(tokens, { max_tokens: 500 })).status).toBe(200);
    const refused = await refusal(await tested.chat(tokens, { max_tokens: 950 }));
    expect(refused).toMatchObject({ status: 429, metadata: { limit: "tokens" } });

    const narrow = await tested.key({ limits: { concurrency: 1 } });
    let finish: () => void = () => undefined;
    tested.provider.script = {
      complete: () =>
        new Promise((resolve) => {
          finish = () => resolve(completionOf("Hi"));
        }),
    };
    const running = tested.chat(narrow);
    await expect.poll(() => tested.provider.calls.length).toBe(3);
    const second = await tested.chat(narrow);
    expect(second.headers.get("retry-after")).toBe("1");
    expect(await refusal(second)).toMatchObject({ status: 429, metadata: { limit: "concurrency" } });
    finish();
    expect((await running).status).toBe(200);
  });
});

describe("500", () => {
  it("masks an unexpected error and releases the hold", async () => {
    const tested = gatewayUnderTest();
    tested.provider.script = {
      complete: async () => {
        throw new Error("secret detail /etc/passwd");
      },
    };
    const response = await tested.chat(await tested.key());
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).not.toContain("passwd");
    expect(tested.balances.balance("acme")).toMatchObject({ posted: 1_000_000_000n, held: 0n });
    expect(tested.gateway.inFlight()).toBe(0);
  });
});

describe("400, 413, 502 and 503 of a provider", () => {
  const cases: [ProviderFailure, number, string][] = [
    ["rejected", 400, "invalid_request"],
    ["context_length", 400, "context_length_exceeded"],
    ["too_large", 413, "payload_too_large"],
    ["credentials", 502, "upstream_rejected_credentials"],
    ["failed", 502, "upstream_failed"],
    ["invalid_response", 502, "upstream_invalid_response"],
    ["overloaded", 503, "upstream_overloaded"],
    ["unreachable", 503, "upstream_unavailable"],
    ["timeout", 503, "upstream_timeout"],
  ];

  it.each(cases)("for the failure %s, with and without streaming", async (failure, status, code) => {
    const tested = gatewayUnderTest();
    const fail = () => {
      throw new ProviderError(failure, "http://10.0.0.1 said no");
    };
    tested.provider.script = { complete: async () => fail(), stream: fail };
    for (const stream of [false, true]) {
      const response = await tested.chat(await tested.key(), { stream });
      if (status === 503) expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      const error = await refusal(response);
      expect(error).toMatchObject({ status, code });
      expect(JSON.stringify(error)).not.toContain("10.0.0.1");
    }
    expect(tested.balances.balance("acme")).toMatchObject({ posted: 1_000_000_000n, held: 0n });
  });

  it("rejects a response that is not a completion with 502, and charges nothing", async () => {
    const tested = gatewayUnderTest();
    tested.provider.script = { complete: async () => ({ choices: [] }) };
    expect(await refusal(await tested.chat(await tested.key()))).toMatchObject({
      status: 502,
      code: "upstream_invalid_response",
    });
    expect(tested.balances.balance("acme").posted).toBe(1_000_000_000n);
  });
});

describe("503 of the gateway itself", () => {
  it("is store_unavailable if a store throws or is too slow, never 401 or 402", async () => {
    const never = () => new Promise<never>(() => undefined);
    const broken = () => {
      throw new Error("connection lost");
    };
    const onChange = () => () => undefined;
    const balances = gatewayUnderTest().balances;
    for (const options of [
      { keys: { find: broken, get: broken, onChange } },
      { keys: { find: never, get: never, onChange }, storeTimeoutMs: 20 },
    ]) {
      const error = await refusal(await answering(options).chat("tg_any"));
      expect(error).toMatchObject({ status: 503, type: "service_unavailable", code: "store_unavailable" });
    }
    const tested = answering({
      balances: overriding(balances, { hold: broken, balance: broken, release: () => ({ outcome: "unknown" }) }),
    });
    const secret = await tested.key();
    const response = await tested.chat(secret);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(await refusal(response)).toMatchObject({ status: 503, code: "store_unavailable" });
    expect(await refusal(await tested.models(secret))).toMatchObject({ status: 503, code: "store_unavailable" });
    expect(tested.provider.calls).toHaveLength(0);
  });

  it("is over_capacity at maxInFlight, and draining during a drain", async () => {
    const tested = answering({ maxInFlight: 1 });
    let finish: () => void = () => undefined;
    tested.provider.script = {
      complete: () =>
        new Promise((resolve) => {
          finish = () => resolve(completionOf("Hi"));
        }),
    };
    const secret = await tested.key();
    const running = tested.chat(secret);
    await expect.poll(() => tested.provider.calls.length).toBe(1);
    expect(await refusal(await tested.chat(secret))).toMatchObject({ status: 503, code: "over_capacity" });
    const drained = tested.gateway.drain();
    expect(await refusal(await tested.chat(secret))).toMatchObject({ status: 503, code: "draining" });
    finish();
    expect((await running).status).toBe(200);
    await drained;
    expect(tested.gateway.inFlight()).toBe(0);
  });
});
