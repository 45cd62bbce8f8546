import { inspect } from "node:util";
import { ProviderError } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { isEnd } from "../support/end-events.ts";
import { type GatewayUnderTest, gatewayUnderTest, termsUnderTest } from "../support/gateway-under-test.ts";
import { chunksOf, completionOf } from "../support/scripted-provider.ts";

interface Scene {
  readonly status: number;
  /** Whether the request was counted, so that its response has rate limit headers. */
  readonly counted: boolean;
  readonly options?: Parameters<typeof gatewayUnderTest>[0];
  readonly prepare?: (tested: GatewayUnderTest) => void;
  readonly keyOptions?: Parameters<GatewayUnderTest["key"]>[0];
  readonly body?: object | string;
  readonly times?: number;
}

const fails = (failure: "rejected" | "credentials" | "overloaded", details = {}) => ({
  prepare: ({ provider }: GatewayUnderTest) => {
    const fail = () => {
      throw new ProviderError(failure, "said no", details);
    };
    provider.script = { complete: async () => fail(), stream: fail };
  },
});
const image = [{ role: "user", content: [{ type: "image_url", image_url: { url: "https://x.test/a.png" } }] }];
/** Throws an error as a database client does, which quotes the statement with its parameters. */
const quoting = (key: string) => {
  throw Object.assign(new Error(`Failed query: select * from keys where key = $1 params: ${key}`), { params: [key] });
};

const scenes: Record<string, Scene> = {
  "200": { status: 200, counted: true },
  "200 of a stream": { status: 200, counted: true, body: { stream: true } },
  "400 of the body": { status: 400, counted: true, body: "{" },
  "400 of a value": { status: 400, counted: true, body: { model: "thinker", reasoning_effort: "most" } },
  "400 of the provider": { status: 400, counted: true, ...fails("rejected", { clientMessage: "no" }) },
  "401 expired": { status: 401, counted: false, keyOptions: { expiresAt: new Date(1) } },
  "402": { status: 402, counted: true, keyOptions: { account: "poor" } },
  "403": { status: 403, counted: true, body: { model: "thinker", messages: image } },
  "403 of the dialect": { status: 403, counted: false, keyOptions: { dialects: ["messages"] } },
  "404": { status: 404, counted: true, body: { model: "none" } },
  "413": { status: 413, counted: true, options: { maxBodyBytes: 10 } },
  "428": { status: 428, counted: false, options: { terms: termsUnderTest() } },
  "429 of requests": { status: 429, counted: true, keyOptions: { limits: { requests: { limit: 1 } } }, times: 2 },
  "429 of tokens": {
    status: 429,
    counted: true,
    keyOptions: { limits: { tokens: { limit: 10, windowSeconds: 3_600 } } },
    times: 2,
  },
  "500 of an unknown plan": { status: 500, counted: false, keyOptions: { plan: "unknown" } },
  "502": { status: 502, counted: true, ...fails("credentials", { param: "model" }) },
  "503 of the provider": { status: 503, counted: true, ...fails("overloaded", { retryAfterSeconds: 0 }) },
  "503 of a stream": { status: 503, counted: true, body: { stream: true }, ...fails("overloaded") },
  "503 of the key store": {
    status: 503,
    counted: false,
    options: { keys: { find: quoting, get: quoting, onChange: () => () => undefined } },
  },
  "503 of the key store, later": {
    status: 503,
    counted: false,
    options: { keys: { find: async (key) => quoting(key), get: quoting, onChange: () => () => undefined } },
  },
  "503 of the balance store": {
    status: 503,
    counted: true,
    prepare: ({ balances }) => {
      balances.hold = () => {
        throw new Error("connection lost");
      };
    },
  },
  "503 while draining": { status: 503, counted: false, prepare: ({ gateway }) => void gateway.drain() },
};

async function play(scene: Scene) {
  const tested = gatewayUnderTest(scene.options);
  tested.provider.script = { complete: async () => completionOf("Hi"), stream: () => chunksOf(["Hi"]) };
  scene.prepare?.(tested);
  const canary = await tested.key(scene.keyOptions);
  let response = await tested.chat(canary, scene.body);
  for (let again = 1; again < (scene.times ?? 1); again++) response = await tested.chat(canary, scene.body);
  return { tested, canary, response, text: await response.text() };
}

describe.each(Object.entries(scenes))("the answer %s", (name, scene) => {
  it("has the headers for its status", async () => {
    const { response, text } = await play(scene);
    const { status, headers } = response;
    const number = (name: string) => Number(headers.get(name) ?? Number.NaN);
    expect(status).toBe(scene.status);
    expect(headers.get("x-request-id")).toMatch(/^[\w.-]{1,128}$/);
    for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]) {
      expect(number(name) >= 0, name).toBe(scene.counted);
    }
    expect(number("retry-after") >= 1).toBe(status === 429 || status === 503);
    const noRetry = [402, 403, 428].includes(status) || number("retry-after") > 60;
    expect(headers.get("x-should-retry")).toBe(noRetry ? "false" : null);
    expect(headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
    if (status >= 500) expect(JSON.parse(text).error).not.toHaveProperty("param");
  });

  it("has one start event and one end event, which match it", async () => {
    const { tested, response } = await play(scene);
    const of = (event: { readonly requestId?: string }) => event.requestId === response.headers.get("x-request-id");
    const events = tested.events.filter((event) => "requestId" in event && of(event));
    expect(events.filter(({ type }) => type === "request.started")).toHaveLength(1);
    const [end, ...others] = events.filter(isEnd);
    expect(others).toEqual([]);
    const knowsKey = ![401, 500].includes(scene.status) && !name.includes("key store");
    expect(end).toMatchObject({
      type: scene.status === 200 ? "request.completed" : "request.refused",
      endpoint: "chat.completions",
      status: scene.status,
      durationMs: expect.any(Number),
      ...(knowsKey ? { account: expect.stringMatching(/acme|poor/), keyId: expect.any(String) } : {}),
    });
  });

  it("does not contain the key in headers, body, events or provider requests", async () => {
    const { tested, canary, response, text } = await play(scene);
    const requests = tested.provider.calls.map((call) => [call.request, new TextDecoder().decode(call.encoded())]);
    const seen = [text, [...response.headers], tested.events, requests];
    expect(tested.events.length).toBeGreaterThan(0);
    expect(inspect(seen, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null })).not.toContain(
      canary.slice(4),
    );
  });
});
