import type { IncomingMessage, ServerResponse } from "node:http";
import {
  createGateway,
  fetchTransport,
  memoryBalanceStore,
  memoryKeyStore,
  type UpstreamModels,
  type UpstreamModelsOptions,
  upstreamModels,
} from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";
import { afterEach, describe, expect, it, vi } from "vitest";
import { providerAt } from "../providers/calls.ts";
import { httpUpstream, type Upstream } from "../providers/upstream.ts";

const apiKey = "sk-canary-4f9a1c77e2b84d10";
const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

interface Listed {
  readonly upstream: Upstream;
  readonly requests: IncomingMessage[];
  /** Sets the answer of the upstream. */
  answer(body: unknown, status?: number): void;
  play(answer: (response: ServerResponse) => void): void;
}

async function listing(body: unknown): Promise<Listed> {
  const requests: IncomingMessage[] = [];
  const send = (value: unknown, status: number) => (response: ServerResponse) =>
    response.writeHead(status).end(typeof value === "string" ? value : JSON.stringify(value));
  let answer: (response: ServerResponse) => void = send(body, 200);
  const upstream = await httpUpstream((request, response) => {
    requests.push(request);
    answer(response);
  });
  opened.push(upstream);
  return {
    upstream,
    requests,
    answer: (next, status = 200) => {
      answer = send(next, status);
    },
    play: (next) => {
      answer = next;
    },
  };
}

const list = (...ids: unknown[]) => ({ object: "list", data: ids.map((id) => ({ id, object: "model" })) });

function modelsOf({ upstream }: Listed, more: Partial<UpstreamModelsOptions> = {}) {
  const errors: string[] = [];
  const models = upstreamModels({
    baseURL: upstream.baseURL,
    apiKey,
    prices: { "*": { input: "1", output: "2" } },
    settings: { maxOutputTokens: 1_000 },
    onError: ({ message }) => errors.push(message),
    ...more,
  });
  opened.push(models);
  return { models, errors };
}

function closedPool() {
  const pool = pooledTransport();
  opened.push({ close: () => pool.destroy() });
  return pool;
}

const idsOf = (models: UpstreamModels) => models().map(({ id }) => id);

describe.each([
  ["fetchTransport", fetchTransport],
  ["pooledTransport", closedPool],
])("upstreamModels over %s", (_, makeTransport) => {
  it("lists the models of the upstream, and sends the key only in a header", async () => {
    const listed = await listing(list("b", "a:7b", "org/c"));
    const { models, errors } = modelsOf(listed, { transport: makeTransport(), prefix: "acme/" });
    expect(models()).toEqual([]);
    await models.ready;
    expect(idsOf(models)).toEqual(["acme/b", "acme/a:7b", "acme/org/c"]);
    expect(models()[0]).toMatchObject({ price: { input: "1" }, maxOutputTokens: 1_000, targets: [{ model: "b" }] });
    expect(listed.requests.map(({ method, url }) => [method, url])).toEqual([["GET", "/v1/models"]]);
    expect(listed.requests[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(errors).toEqual([]);
  });

  it("closes the connection if the list does not arrive in time", async () => {
    const listed = await listing(list("a"));
    const closed = new Promise((resolve) => listed.play((response) => response.once("close", resolve)));
    const { models, errors } = modelsOf(listed, { transport: makeTransport(), timeoutMs: 100 });
    await expect(models.ready).rejects.toThrow(/more than 100 ms/);
    await closed;
    expect(errors).toHaveLength(1);
  });

  it("aborts a list that never ends", async () => {
    const listed = await listing(list("a"));
    listed.play((response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 0x20)));
      };
      response.on("drain", more);
      more();
    });
    const { models } = modelsOf(listed, { transport: makeTransport() });
    await expect(models.ready).rejects.toThrow(/longer than/);
  });
});

describe("upstreamModels", () => {
  it("leaves out models without a price, reports each once, and offers free models", async () => {
    const listed = await listing(list("paid", "free-1", "unpriced", "other"));
    const { models, errors } = modelsOf(listed, {
      prices: { paid: { input: "1", output: "1" }, "free-*": "free" },
      allow: ["paid", "free-*", "un*"],
    });
    await models.ready;
    await models.refresh();
    expect(models().map(({ id, price }) => [id, price])).toEqual([
      ["paid", { input: "1", output: "1" }],
      ["free-1", "free"],
    ]);
    expect(errors).toEqual([expect.stringMatching(/have no price.*"unpriced"\. Add/)]);
  });

  it("prefers the price of the exact id to that of a pattern", async () => {
    const prices = { "*": "free", big: { input: "9", output: "9" } } as const;
    const { models } = modelsOf(await listing(list("small", "big")), { prices });
    await models.ready;
    expect(models().map(({ price }) => price)).toEqual(["free", prices.big]);
  });

  it("offers models that a predicate allows, with settings derived from the entry", async () => {
    const body = [
      { id: "a", context_length: 8_192 },
      { id: "b", context_length: 4_096 },
    ];
    const { models } = modelsOf(await listing(body), {
      allow: (id) => id === "a",
      settings: (_, entry) => ({ maxOutputTokens: 500, contextWindow: Number(entry["context_length"]) }),
    });
    await models.ready;
    expect(models()).toMatchObject([{ id: "a", contextWindow: 8_192, maxOutputTokens: 500 }]);
  });

  it("leaves out a model for which the host's functions throw or return incomplete settings, and offers the others", async () => {
    const { models, errors } = modelsOf(await listing(list("a", "broken", "bare", "b")), {
      settings: (id) => {
        if (id === "broken") throw new Error("There is no row for this model.");
        return JSON.parse(id === "bare" ? "{}" : '{"maxOutputTokens":500}');
      },
    });
    await models.ready;
    expect(idsOf(models)).toEqual(["a", "b"]);
    expect(errors).toEqual([expect.stringContaining('"broken" is left out: There is no row for this model.')]);
    expect(errors[0]).toMatch(/"bare" is left out: .*maxOutputTokens/);
  });

  it("returns the same array until the list changes", async () => {
    const listed = await listing(list("a", "b"));
    const { models } = modelsOf(listed);
    await models.ready;
    const first = models();
    await models.refresh();
    expect(models()).toBe(first);
    listed.answer(list("b", "a"));
    await models.refresh();
    expect(models()).not.toBe(first);
    expect(idsOf(models)).toEqual(["b", "a"]);
    expect(first.map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("keeps the last valid list after every invalid answer", async () => {
    const listed = await listing(list("a"));
    const { models, errors } = modelsOf(listed);
    await models.ready;
    const good = models();
    const bad = [
      "<html>",
      "",
      '{"data":[{"id"',
      "null",
      "7",
      { data: {} },
      { data: [] },
      [],
      { error: { message: apiKey } },
    ];
    for (const body of [...bad, list(...Array.from({ length: 10_001 }, (_, index) => `m-${index}`))]) {
      listed.answer(body);
      await expect(models.refresh()).rejects.toMatchObject({ failure: "invalid_response" });
    }
    for (const status of [301, 401, 429, 500]) {
      listed.answer({ error: { message: `No ${apiKey}` } }, status);
      const error = await models.refresh().then(String, String);
      expect(error).toContain(`answered ${status}`);
      expect(error).not.toContain(apiKey);
    }
    await listed.upstream.close();
    await expect(models.refresh()).rejects.toMatchObject({ failure: "unreachable" });
    expect(models()).toBe(good);
    expect(errors).toEqual([]);
  });

  it("leaves out invalid ids and duplicates", async () => {
    const hostile = [
      "",
      "a b",
      "\u0000",
      "\ud800",
      "x".repeat(201),
      "\u202Eabc",
      "a\nb",
      7,
      null,
      undefined,
      { id: "a" },
    ];
    const { models, errors } = modelsOf(await listing(list("ok", ...hostile, "ok", "__proto__", "$&", "日本")));
    await models.ready;
    expect(idsOf(models)).toEqual(["ok", "__proto__", "$&", "日本"]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^[ -~\n]+$/);
    expect(errors[0]?.split("\n")).toHaveLength(hostile.length);
  });

  it("has no price for ids such as __proto__", async () => {
    const { models } = modelsOf(await listing(list("__proto__", "constructor", "a")), { prices: { a: "free" } });
    await models.ready;
    expect(idsOf(models)).toEqual(["a"]);
  });

  it("refreshes periodically, sooner after a failure, until it is closed", async () => {
    const listed = await listing("no list");
    const { models, errors } = modelsOf(listed, { refreshMs: 20 });
    await expect(models.ready).rejects.toThrow(/not JSON/);
    listed.answer(list("a"));
    await vi.waitFor(() => expect(idsOf(models)).toEqual(["a"]), 10_000);
    listed.answer(list("a", "b"));
    await vi.waitFor(() => expect(idsOf(models)).toEqual(["a", "b"]), 10_000);
    expect(errors.length).toBeGreaterThan(0);
    models.close();
    await expect(models.refresh()).rejects.toThrow(/was closed/);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { length } = listed.requests;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(listed.requests.length).toBe(length);
    expect(idsOf(models)).toEqual(["a", "b"]);
  });

  it("shares one request among concurrent refreshes, and ignores errors of onError", async () => {
    const listed = await listing(list("a"));
    const { models } = modelsOf(listed, {
      prices: {},
      onError: () => {
        throw new Error("thrown by onError");
      },
    });
    await Promise.all([models.ready, models.refresh(), models.refresh()]);
    expect(listed.requests).toHaveLength(1);
    expect(models()).toEqual([]);
  });

  it("rejects invalid options by name", () => {
    const options = { baseURL: "http://127.0.0.1:1/v1", prices: {}, onError: () => undefined };
    const make = (more: object) => () => upstreamModels({ ...options, settings: { maxOutputTokens: 1 }, ...more });
    expect(make({ prices: { a: { input: "one", output: "1" } } })).toThrow(/`prices\.a\.input` "one" is not a decimal/);
    expect(make({ settings: { maxOutputTokens: 0 } })).toThrow(/maxOutputTokens/);
    expect(make({ refreshMs: 0 })).toThrow(/refreshMs/);
    expect(make({ baseURL: "nowhere" })).toThrow(/baseURL/);
  });

  it("provides the models of a gateway, with the initial ones until the first list arrives", async () => {
    const listed = await listing("");
    const sent = new Promise<ServerResponse>((resolve) => listed.play(resolve));
    const target = { provider: providerAt(listed.upstream.baseURL), model: "early" };
    const initial = [{ id: "early", maxOutputTokens: 10, price: "free" as const, targets: [target] }];
    const keys = memoryKeyStore();
    const { secret } = await keys.create({ account: "a", plan: "p" });
    const { models } = modelsOf(listed, { initial });
    const balances = memoryBalanceStore();
    const gateway = createGateway({ keys, balances, plans: [{ id: "p", billing: "none" }], models });
    const ids = async () => {
      const headers = { authorization: `Bearer ${secret}` };
      const answer = await gateway.fetch(new Request("http://host.test/router/v1/models", { headers }));
      return (await answer.json()).data.map(({ id }: { readonly id: string }) => id);
    };
    expect(await ids()).toEqual(["early"]);
    (await sent).end(JSON.stringify(list("late")));
    await models.ready;
    expect(await ids()).toEqual(["late"]);
  });
});
