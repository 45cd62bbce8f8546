import { memoryUsageStore } from "@tollgate/core";
import type { KeyScope } from "@tollgate/core/store";
import { describe, expect, it } from "vitest";
import { closedGate } from "../support/gate.ts";
import { type GatewayUnderTest, gatewayUnderTest, termsUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";
import { accountPaths, read } from "./reading.ts";

const recording = (options: Parameters<typeof gatewayUnderTest>[0] = {}): GatewayUnderTest =>
  gatewayUnderTest({ usage: { store: memoryUsageStore() }, ...options });

/** The status of each endpoint for a key that may read it. */
const statuses = [200, 200, 200, 404];

const statusesOf = async (tested: GatewayUnderTest, secret: string) =>
  Promise.all(accountPaths.map(async (path) => (await read(tested, secret, path)).status));

describe("the endpoints of the account", () => {
  it("refuse a key that is unknown or revoked", async () => {
    const tested = recording();
    const secret = await tested.key();
    const { keys } = await tested.keys.list({ limit: 1 });
    await tested.keys.revoke(keys[0]?.id ?? "");
    for (const path of accountPaths) {
      const codes = await Promise.all(["tg_wrong", secret].map((key) => read(tested, key, path)));
      expect(codes.map(({ status, body }) => [status, body.error.code])).toEqual([
        [401, "invalid_api_key"],
        [401, "revoked_api_key"],
      ]);
    }
  });

  it("refuse an account that has not accepted the terms", async () => {
    const tested = recording({ terms: termsUnderTest() });
    expect(await statusesOf(tested, await tested.key())).toEqual([428, 428, 428, 428]);
  });

  it("count in the window of the key, and answer 429 beyond it", async () => {
    const tested = recording();
    const secret = await tested.key({ limits: { requests: { limit: 4 } } });
    expect((await read(tested, secret, "/key")).headers.get("x-ratelimit-remaining")).toBe("3");
    expect(await statusesOf(tested, secret)).toEqual([200, 200, 200, 429]);
    const refused = await read(tested, secret, "/credits");
    expect([refused.body.error.code, refused.body.error.metadata]).toEqual([
      "rate_limit_exceeded",
      { limit: "requests" },
    ]);
  });

  it("answer at any balance, also while the account is frozen, and cost nothing", async () => {
    const tested = recording();
    const secret = await tested.key({ account: "poor" });
    tested.balances.debit({ id: "correction", account: "poor", amount: 5_000_000_000n, reason: "test" });
    tested.balances.freeze("poor", "a dispute");
    expect(await statusesOf(tested, secret)).toEqual(statuses);
    expect((await tested.models(secret)).status).toBe(403);
    const { body } = await read(tested, secret, "/credits");
    expect(body.data).toEqual({ total_credits: -5, total_usage: 0 });
    expect(tested.balances.entries({ account: "poor", limit: 9 }).entries).toHaveLength(1);
    expect(tested.balances.balance("poor").held).toBe(0n);
  });

  it("answer while a model call takes the only concurrency of the key, and do not take it", async () => {
    const tested = recording();
    const secret = await tested.key({ limits: { concurrency: 1 } });
    const begun = closedGate();
    const finish = closedGate();
    tested.provider.script = {
      async complete() {
        begun.open();
        await finish.opened;
        return completionOf("Hi");
      },
    };
    const first = tested.chat(secret);
    await begun.opened;
    expect(await statusesOf(tested, secret)).toEqual(statuses);
    expect((await tested.chat(secret)).status).toBe(429);
    finish.open();
    expect((await first).status).toBe(200);
    const reads = accountPaths.map((path) => read(tested, secret, path));
    expect((await tested.chat(secret)).status).toBe(200);
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(statuses);
    expect(tested.gateway.inFlight()).toBe(0);
  });

  it("answer a few requests of a key at once, and the others with 429", async () => {
    const store = memoryUsageStore();
    const finish = closedGate();
    const tested = recording({
      usage: {
        store: {
          record: store.record.bind(store),
          attempts: store.attempts.bind(store),
          list: store.list.bind(store),
          prune: store.prune.bind(store),
          forget: store.forget.bind(store),
          summary: async () => {
            await finish.opened;
            return [];
          },
        },
      },
    });
    const secret = await tested.key();
    const asked = Array.from({ length: 12 }, () => read(tested, secret, "/usage"));
    const other = await read(tested, await tested.key(), "/credits");
    expect(other.status).toBe(200);
    finish.open();
    const found = (await Promise.all(asked)).map(({ status }) => status);
    expect(found.toSorted()).toEqual([...new Array(8).fill(200), ...new Array(4).fill(429)]);
    expect(tested.gateway.inFlight()).toBe(0);
    expect((await read(tested, secret, "/usage")).status).toBe(200);
  });

  it("answer 503 while a store is down", async () => {
    const tested = recording({ storeTimeoutMs: 50 });
    const secret = await tested.key();
    tested.balances.balance = () => {
      throw new Error("down");
    };
    for (const path of ["/key", "/credits"]) {
      const { status, body } = await read(tested, secret, path);
      expect([status, body.error.code]).toEqual([503, "store_unavailable"]);
    }
  });

  it("record no usage rows", async () => {
    const store = memoryUsageStore();
    const tested = gatewayUnderTest({ usage: { store } });
    await statusesOf(tested, await tested.key());
    await tested.gateway.drain();
    expect(await store.list({ limit: 9 })).toEqual({ rows: [] });
    const endpoints = tested.events.flatMap((event) => (event.type === "request.completed" ? event.endpoint : []));
    expect(endpoints.toSorted()).toEqual(["account.credits", "account.key", "account.usage"]);
  });
});

const messages = [{ role: "user", content: "Hello" }];

/** What needs the scope "inference", with its status for a key that has it. */
const inference: readonly (readonly [method: string, path: string, body: object | undefined])[] = [
  ["GET", "/models", undefined],
  ["GET", "/models/plain", undefined],
  ["POST", "/chat/completions", { model: "plain", messages }],
  ["POST", "/responses", { model: "plain", input: "Hello" }],
  ["GET", "/responses/resp_none", undefined],
  ["POST", "/messages", { model: "plain", max_tokens: 10, messages }],
  ["POST", "/messages/count_tokens", { model: "plain", max_tokens: 10, messages }],
  ["POST", "/embeddings", { model: "plain", input: "Hello" }],
];

describe("a key", () => {
  const ask = async (tested: GatewayUnderTest, secret: string, [method, path, body]: (typeof inference)[number]) => {
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const request = new Request(`http://gateway.test/router/v1${path}`, init);
    const answer = await tested.gateway.fetch(request);
    return { status: answer.status, body: await answer.json(), wasRead: request.bodyUsed };
  };

  it.each<[title: string, scopes: readonly KeyScope[]]>([
    ["that may only read its account", ["account:read"]],
    ["that may do nothing", []],
  ])("%s calls no model, and its body is not read", async (_title, scopes) => {
    const tested = recording();
    const secret = await tested.key({ scopes, limits: { requests: { limit: 5 } } });
    for (const call of inference) {
      const { status, body, wasRead } = await ask(tested, secret, call);
      expect([call[1], status, wasRead]).toEqual([call[1], 403, false]);
      expect(body.error.message).toContain("scope `inference`");
      if (!call[1].startsWith("/messages"))
        expect(body.error).toMatchObject({
          type: "permission_error",
          code: "scope_not_allowed",
          metadata: { required_scope: "inference" },
        });
    }
    expect(tested.gateway.inFlight()).toBe(0);
    // What was refused did not count.
    const remaining = (await read(tested, secret, "/key")).headers.get("x-ratelimit-remaining");
    expect(remaining).toBe(scopes.length === 0 ? null : "4");
  });

  it("that may only read its account uses no session", async () => {
    const tested = recording();
    const { sessions } = sessionsUnderTest({ beside: tested });
    const headers = { authorization: `Bearer ${await tested.key({ scopes: ["account:read"] })}` };
    const answer = await sessions.fetch(new Request("http://gateway.test/session", { headers }));
    expect([answer.status, (await answer.json()).error.code]).toEqual([403, "scope_not_allowed"]);
  });

  it("that may only call models does not read its account", async () => {
    const tested = recording();
    const secret = await tested.key({ scopes: ["inference"] });
    for (const path of accountPaths) {
      const { status, headers, body } = await read(tested, secret, path);
      expect([status, headers.get("x-should-retry")]).toEqual([403, "false"]);
      expect(body.error).toMatchObject({ code: "scope_not_allowed", metadata: { required_scope: "account:read" } });
    }
    expect((await tested.models(secret)).status).toBe(200);
  });

  it.each<[title: string, scopes: readonly KeyScope[] | undefined]>([
    ["without scopes", undefined],
    ["with both scopes", ["account:read", "inference"]],
  ])("%s does both", async (_title, scopes) => {
    const tested = recording();
    const secret = await tested.key(scopes === undefined ? {} : { scopes });
    expect(await statusesOf(tested, secret)).toEqual(statuses);
    expect((await tested.models(secret)).status).toBe(200);
  });
});
