import { runInNewContext } from "node:vm";
import { type GatewayEvent, type ModelConfig, memoryBalanceStore, memoryLimiter } from "@tollgate/core";
import type { BalanceStore } from "@tollgate/core/store";
import { describe, expect, it, vi } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest, termsUnderTest } from "../support/gateway-under-test.ts";
import { overriding } from "../support/overriding.ts";
import { allEvents } from "../support/read-stream.ts";
import { chunksOf, completionOf, scriptedProvider } from "../support/scripted-provider.ts";

const inputNano = 1_000n;
const outputNano = 2_000n;

function answering(options: Parameters<typeof gatewayUnderTest>[0] = {}, usage?: unknown): GatewayUnderTest {
  const tested = gatewayUnderTest(options);
  const words = ["one two ", "three"];
  tested.provider.script = {
    complete: async () => completionOf(words.join(""), usage),
    stream: () => chunksOf(words, usage),
  };
  return tested;
}

const charged = ({ balances }: GatewayUnderTest) => 1_000_000_000n - balances.balance("acme").posted;

describe("an observer", () => {
  it("does not affect a request or the process if it throws or returns a rejected promise", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const fail = () => {
      throw new Error("observer");
    };
    for (const observer of [fail, async (_event: GatewayEvent) => fail()]) {
      const { chat, key } = answering({ observer });
      expect((await chat(await key())).status).toBe(200);
      expect((await chat(await key(), { model: "none" })).status).toBe(404);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe("countTokens", () => {
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;

  it("counts prompt and output if the provider reports no usage, with and without streaming", async () => {
    for (const stream of [false, true]) {
      const tested = answering({ money: { countTokens: words } }, {});
      const response = await tested.chat(await tested.key(), {
        stream,
        messages: [{ role: "user", content: "a b c d" }],
      });
      const usage = stream ? JSON.parse((await allEvents(response)).at(-2) ?? "").usage : (await response.json()).usage;
      expect(usage).toEqual({ prompt_tokens: 4, completion_tokens: 3, total_tokens: 7 });
      expect(charged(tested)).toBe(4n * inputNano + 3n * outputNano);
    }
  });

  it.each([
    ["throws", () => JSON.parse("{")],
    ["is not a number", () => Number.NaN],
    ["is negative", () => -5],
  ])("is ignored if its result %s, and nothing stays held", async (_name, countTokens) => {
    for (const stream of [false, true]) {
      const tested = answering({ money: { countTokens } }, {});
      const response = await tested.chat(await tested.key(), { stream });
      expect(response.status).toBe(200);
      await response.text();
      expect(tested.balances.balance("acme").held).toBe(0n);
      expect(charged(tested)).toBeGreaterThan(0n);
      expect(tested.gateway.inFlight()).toBe(0);
    }
  });
});

describe("a store of the host", () => {
  it("may return a thenable that is not a Promise, which is awaited", async () => {
    const { balances } = gatewayUnderTest();
    const settle = vi.fn(balances.settle.bind(balances));
    // From another realm, so it is not an instance of this realm's Promise.
    const ForeignPromise: PromiseConstructor = runInNewContext("Promise");
    const later = <T>(makeList: () => T) =>
      new ForeignPromise<T>((resolve) => setTimeout(() => resolve(makeList()), 5));
    const tested = answering({
      balances: overriding<BalanceStore>(balances, {
        hold: (request) => later(() => balances.hold(request)),
        settle: (...args) => later(() => settle(...args)),
      }),
    });
    expect((await tested.chat(await tested.key())).status).toBe(200);
    expect(settle).toHaveBeenCalledOnce();
    expect(balances.balance("acme")).toMatchObject({ held: 0n });
  });

  it("may return null instead of undefined for an unknown key or acceptance", async () => {
    const none = () => JSON.parse("null");
    const unknownKey = answering({ keys: { find: none, get: none, onChange: () => none } });
    expect((await unknownKey.chat("tg_any")).status).toBe(401);
    const terms = termsUnderTest();
    const notAccepted = answering({
      terms: { ...terms, store: { accept: (a, v) => terms.store.accept(a, v), acceptance: none } },
    });
    expect((await notAccepted.chat(await notAccepted.key())).status).toBe(428);
  });
});

it("a key that the balance store does not know is rejected with 401, and the event reports the cause", async () => {
  const balances = Object.assign(memoryBalanceStore(), { hold: () => ({ outcome: "key_refused" }) as const });
  const { chat, events, key } = gatewayUnderTest({ balances });
  const answer = await chat(await key());
  expect([answer.status, (await answer.json()).error.code]).toEqual([401, "revoked_api_key"]);
  const refused = events.find((event) => event.type === "request.refused");
  expect(String(refused?.cause)).toMatch(/has no active key .* of account acme\. If keys are kept elsewhere/);
});

describe("the limit on failed keys", () => {
  const guess = ({ gateway }: GatewayUnderTest) =>
    gateway.fetch(new Request("http://gateway.test/router/v1/models", { headers: { authorization: "Bearer wrong" } }), {
      clientAddress: "192.0.2.1",
    });

  it("reports its state in the headers of its 429", async () => {
    const tested = answering({ maxFailedKeysPerMinute: 1 });
    expect((await guess(tested)).status).toBe(401);
    const refused = await guess(tested);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(refused.headers.get("x-ratelimit-limit")).toBe("1");
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(Number(refused.headers.get("x-ratelimit-reset"))).toBeGreaterThan(Date.now() / 1_000);
  });

  it("does not delay a 401 if the limiter hangs", async () => {
    const limiter = overriding(memoryLimiter(), { countRequest: () => new Promise<never>(() => undefined) });
    expect((await guess(answering({ limiter, storeTimeoutMs: 20 }))).status).toBe(401);
  });
});

describe("a function that returns the models", () => {
  const model = (id: string, maxOutputTokens = 100): ModelConfig => ({
    id,
    maxOutputTokens,
    price: "free",
    targets: [{ provider: scriptedProvider({ complete: async () => completionOf("Hi") }), model: "m" }],
  });

  it("leaves the last valid list in use while it throws or returns an invalid list, which an event reports", async () => {
    let makeList = () => [model("good")];
    const { chat, key, events } = gatewayUnderTest({ models: () => makeList() });
    const secret = await key();
    for (const fault of [() => JSON.parse("{"), () => [model("bad", 0)], () => [model("twin"), model("twin")]]) {
      expect((await chat(secret, { model: "good" })).status).toBe(200);
      events.length = 0;
      makeList = fault;
      expect((await chat(secret, { model: "good" })).status).toBe(200);
      expect(events.map(({ type }) => type)).toContain("configuration.failed");
    }
  });

  it("is checked at creation, as a list is", () => {
    expect(() => gatewayUnderTest({ models: () => [model("bad", 0)] })).toThrow("maxOutputTokens");
  });
});

describe("a provider of the host", () => {
  it("whose iterator throws in return() leaves no hold", async () => {
    const tested = gatewayUnderTest({ upstream: { idleMs: 40 } });
    const chunk = { choices: [{ index: 0, delta: { content: "Hi" } }] };
    let sent = false;
    tested.provider.script = {
      stream: () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => {
            if (sent) return new Promise<never>(() => undefined);
            sent = true;
            return Promise.resolve({ done: false, value: chunk });
          },
          return: () => {
            throw new Error("cannot end");
          },
        }),
      }),
    };
    const events = await allEvents(await tested.chat(await tested.key(), { stream: true }));
    expect(JSON.parse(events.at(-1) ?? "").error.code).toBe("upstream_timeout");
    await expect.poll(() => tested.gateway.inFlight()).toBe(0);
    expect(tested.balances.balance("acme").held).toBe(0n);
  });
});
