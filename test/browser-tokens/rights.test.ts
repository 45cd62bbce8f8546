import { memoryBalanceStore, memoryContentStore, memoryKeyStore, memoryTermsStore } from "@tollgate/core";
import { describe, expect, it, vi } from "vitest";
import { closedGate } from "../support/gate.ts";
import { completionOf } from "../support/scripted-provider.ts";
import { page, statusAndCode, tokenSecret, tokensUnderTest } from "../support/tokens-under-test.ts";

const open = [200, undefined];

describe("a token", () => {
  it("calls models for the account of its key, which the ledger and usage name", async () => {
    const { chat, token, balances, usage, events, gateway } = await tokensUnderTest();
    const made = await token();
    expect(await statusAndCode(chat(made.token))).toEqual(open);
    const { entries } = await balances.entries({ account: "acme", limit: 9, newestFirst: true });
    expect(entries[0]).toMatchObject({ kind: "charge", amount: -100n, receipt: { keyId: made.key.id } });
    expect(events.at(-1)).toMatchObject({ type: "request.completed", keyId: made.key.id, account: "acme" });
    await gateway.drain();
    expect((await usage.list({ filter: {}, limit: 1 })).rows[0]).toMatchObject({ keyId: made.key.id });
  });

  it("is accepted in `x-api-key` of the Messages API, and by a stream", async () => {
    const { ask, token } = await tokensUnderTest();
    const made = await token();
    const body = { model: "plain", max_tokens: 10, messages: [{ role: "user", content: "Hi" }] };
    const headers = { origin: page, authorization: "", "x-api-key": made.token };
    expect(await statusAndCode(ask(made.token, "POST", "/messages", body, headers))).toEqual(open);
    const stream = await ask(made.token, "POST", "/chat/completions", { ...body, stream: true });
    expect(await stream.text()).toContain("data: [DONE]");
  });

  it("may be longer than a key, which may have 512 characters", async () => {
    const { chat, token, keys } = await tokensUnderTest();
    const long = await token({ models: ["plain", ...Array.from({ length: 50 }, (_, at) => `acme/model-${at}`)] });
    expect(long.token.length).toBeGreaterThan(1_000);
    expect(await statusAndCode(chat(long.token))).toEqual(open);
    const find = vi.spyOn(keys, "find");
    expect(await statusAndCode(chat("k".repeat(513)))).toEqual([401, "invalid_api_key"]);
    expect(find).not.toHaveBeenCalled();
    expect(await statusAndCode(chat("k".repeat(512)))).toEqual([401, "invalid_api_key"]);
    expect(find).toHaveBeenCalledOnce();
  });

  it("of one scope has no other, and none that its key lacks", async () => {
    const { ask, chat, token } = await tokensUnderTest();
    const reader = await token({ scopes: ["account:read"] });
    const caller = await token({ scopes: ["inference"] });
    const both = await token({ scopes: ["inference", "account:read"] });
    const ofReader = await token({ scopes: ["inference", "account:read"] }, { scopes: ["account:read"] });
    const reached = async (made: { readonly token: string }) => [
      await statusAndCode(chat(made.token)),
      await statusAndCode(ask(made.token, "GET", "/credits")),
    ];
    const refused = [403, "scope_not_allowed"];
    expect(await reached(reader)).toEqual([refused, open]);
    expect(await reached(caller)).toEqual([open, refused]);
    expect(await reached(both)).toEqual([open, open]);
    expect(await reached(ofReader)).toEqual([refused, open]);
  });

  it("has the models that both it and its key name", async () => {
    const { ask, chat, token } = await tokensUnderTest();
    const plain = await token({ models: ["plain"] });
    const none = await token({ models: ["large"] }, { models: ["plain"] });
    expect(await statusAndCode(chat(plain.token))).toEqual(open);
    expect(await statusAndCode(chat(plain.token, { model: "large" }))).toEqual([404, "model_not_found"]);
    for (const model of ["plain", "large"])
      expect(await statusAndCode(chat(none.token, { model }))).toEqual([404, "model_not_found"]);
    expect((await (await ask(plain.token, "GET", "/models")).json()).data).toMatchObject([{ id: "plain" }]);
  });

  it("names its end user in usage, whatever the page sends", async () => {
    const { chat, token, usage, gateway } = await tokensUnderTest();
    const bound = await token({ endUser: "ann" });
    const open = await token();
    for (const body of [{ user: "bob" }, { safety_identifier: "bob" }, {}]) await chat(bound.token, body);
    await chat(open.token, { user: "bob" });
    await gateway.drain();
    const { rows } = await usage.list({ filter: {}, limit: 9 });
    // Rows of one millisecond have no order.
    expect(rows.map(({ endUser }) => endUser).sort()).toEqual(["ann", "ann", "ann", "bob"]);
  });

  it("shows what is left of it, and when it expires", async () => {
    const { ask, chat, token } = await tokensUnderTest();
    const made = await token({ scopes: ["inference", "account:read"], spendCap: "0.0000005", expiresInSeconds: 60 });
    await chat(made.token);
    const { data, key } = await (await ask(made.token, "GET", "/key")).json();
    expect(Date.parse(data.expires_at) - Date.now()).toBeLessThanOrEqual(60_000);
    expect(key).toMatchObject({ id: made.key.id, scopes: ["inference", "account:read"] });
    expect(key.spend).toMatchObject([{ scope: "token", limit: "0.0000005", used: "0.0000001", window: "total" }]);
  });
});

describe("the limits of a key", () => {
  it("count the requests of all its tokens and its own", async () => {
    const { chat, gateway, key } = await tokensUnderTest();
    const { key: parent, secret } = await key({ limits: { requests: { limit: 3 } } });
    const made = await Promise.all([1, 2, 3].map(() => gateway.browserTokens.create({ keyId: parent.id })));
    for (const { token } of made.slice(0, 2)) expect(await statusAndCode(chat(token))).toEqual(open);
    expect(await statusAndCode(chat(secret))).toEqual(open);
    expect(await statusAndCode(chat(made[2]?.token ?? ""))).toEqual([429, "rate_limit_exceeded"]);
  });

  it("count what its tokens and itself spend, and what they run at the same time", async () => {
    const { chat, gateway, key, provider } = await tokensUnderTest();
    const { key: parent } = await key({ spend: { limit: 250n, window: "day" }, limits: { concurrency: 1 } });
    const [a, b] = await Promise.all([1, 2].map(() => gateway.browserTokens.create({ keyId: parent.id })));
    expect(await statusAndCode(chat(a?.token ?? ""))).toEqual(open);
    const held = closedGate();
    provider.script = {
      async complete() {
        await held.opened;
        return completionOf("Hi", { prompt_tokens: 0, completion_tokens: 100 });
      },
    };
    const running = chat(a?.token ?? "");
    await expect.poll(() => provider.calls.length).toBe(2);
    expect(await statusAndCode(chat(b?.token ?? ""))).toEqual([429, "rate_limit_exceeded"]);
    held.open();
    expect(await statusAndCode(running)).toEqual(open);
    const refused = await chat(b?.token ?? "");
    expect([refused.status, (await refused.json()).error.metadata]).toMatchObject([402, { scope: "key" }]);
  });
});

describe("a spend cap", () => {
  it("ends its token alone, with 402 and what is left", async () => {
    const { chat, gateway, key } = await tokensUnderTest();
    const { key: parent, secret } = await key();
    const [capped, other] = await Promise.all(
      [1, 2].map(() => gateway.browserTokens.create({ keyId: parent.id, spendCap: "0.00000025" })),
    );
    for (const _ of [1, 2]) expect(await statusAndCode(chat(capped?.token ?? ""))).toEqual(open);
    const refused = await chat(capped?.token ?? "");
    const { error } = await refused.json();
    expect([refused.status, error.code]).toEqual([402, "spend_limit_reached"]);
    expect(error.message).toContain("the spend limit of this token leaves 0.00000005");
    expect(error.metadata).toMatchObject({ scope: "token", limit: "0.00000025", remaining: "0.00000005" });
    expect(await statusAndCode(chat(other?.token ?? ""))).toEqual(open);
    expect(await statusAndCode(chat(secret))).toEqual(open);
  });

  it("lowers the output of a request without a cap to what it leaves", async () => {
    const { chat, token } = await tokensUnderTest({ money: { minAffordableTokens: 10 } });
    const made = await token({ spendCap: 40n });
    const answer = await chat(made.token, { max_tokens: undefined });
    expect([answer.status, answer.headers.get("x-router-output-limit")]).toEqual([200, "40"]);
  });
});

describe("the end of a key", () => {
  it.each(["revoked", "rotated away", "expired"])("that is %s ends its tokens at once", async (how) => {
    const { chat, ask, token, keys } = await tokensUnderTest();
    const made = await token({ scopes: ["inference", "account:read"] });
    expect(await statusAndCode(chat(made.token))).toEqual(open);
    if (how === "revoked") await keys.revoke(made.key.id);
    else if (how === "expired") await keys.update(made.key.id, { expiresAt: new Date(Date.now() - 1) });
    else await keys.rotate(made.key.id, { graceMs: 0 });
    expect(await statusAndCode(chat(made.token))).toEqual([401, "revoked_api_key"]);
    expect(await statusAndCode(ask(made.token, "GET", "/credits"))).toEqual([401, "revoked_api_key"]);
  });

  it("of which the token was never seen is 401 too", async () => {
    const [first, second] = [await tokensUnderTest(), await tokensUnderTest()];
    expect(await statusAndCode(second.chat((await first.token()).token))).toEqual([401, "revoked_api_key"]);
  });
});

it("an account that is frozen, or has not accepted the terms, answers as to its key", async () => {
  const versions = [{ id: "terms-1", version: "1.0", acceptUrl: "https://host.test/terms" }];
  const withTerms = await tokensUnderTest({ terms: { store: memoryTermsStore(), versions } });
  expect((await withTerms.chat((await withTerms.token()).token)).status).toBe(428);
  const balances = memoryBalanceStore();
  const { chat, ask, token } = await tokensUnderTest({ stores: { keys: memoryKeyStore(), balances } });
  const made = await token({ scopes: ["inference", "account:read"] });
  balances.freeze("acme", "suspected of fraud");
  expect(await statusAndCode(chat(made.token))).toEqual([403, "account_frozen"]);
  expect(await statusAndCode(ask(made.token, "GET", "/credits"))).toEqual(open);
});

describe("nothing that is stored, sent or reported", () => {
  it("has the token or the secret", async () => {
    const store = memoryContentStore();
    const { chat, token, events, gateway, usage, ask } = await tokensUnderTest({ content: { store } });
    const made = await token({ endUser: "ann" }, { logContent: true });
    const texts = [
      await (await chat(made.token)).text(),
      await (await chat(made.token, { model: "unknown" })).text(),
      await (await chat(`${made.token}x`)).text(),
      await (await chat(made.token, {}, { origin: "https://evil.example" })).text(),
      await (await ask(made.token, "GET", "/credits")).text(),
    ];
    await gateway.drain();
    const stored = [await usage.list({ filter: {}, limit: 9 }), events, gateway.inspect()];
    const seen = JSON.stringify([texts, stored], (_, value) => (typeof value === "bigint" ? String(value) : value));
    const id = events.flatMap((event) => (event.type === "request.completed" ? [event.id] : []))[0] ?? "";
    expect(await store.find(id)).toBeDefined();
    const all = seen + JSON.stringify(await store.find(id));
    for (const part of [...made.token.split("."), tokenSecret, made.secret]) expect(all).not.toContain(part);
    expect(all).toContain("ann");
  });

  it("counts a wrong signature as a failed key of the address", async () => {
    const { gateway, token } = await tokensUnderTest({ maxFailedKeysPerMinute: 1 });
    const made = await token();
    const wrong = `${made.token.slice(0, -4)}AAAA`;
    const send = (presented: string) =>
      gateway.fetch(
        new Request("http://gateway.test/router/v1/models", {
          headers: { authorization: `Bearer ${presented}`, origin: page },
        }),
        { clientAddress: "203.0.113.9" },
      );
    for (const _ of [1, 2, 3]) expect(await statusAndCode(send(wrong))).toEqual([401, "invalid_api_key"]);
    expect(await statusAndCode(send(made.token))).toEqual(open);
  });
});
