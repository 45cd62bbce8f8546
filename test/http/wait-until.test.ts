import { createGateway, type Gateway, type HostContext, memoryKeyStore } from "@tollgate/core";
import { tollgate } from "@tollgate/hono";
import { Hono } from "hono";
import { afterEach, describe, expect, it } from "vitest";
import { type AssistantUnderTest, assistantUnderTest } from "../support/assistant-under-test.ts";
import { FreezingHost } from "../support/freezing-host.ts";
import { closedGate } from "../support/gate.ts";
import { chunksOf, completionOf, type Script, scriptedProvider } from "../support/scripted-provider.ts";

const base = "http://host.test/router/v1";
const opening = 1_000_000_000n;
const wholeCost = 10n * 1_000n + 5n * 2_000n;
const answers: Script = {
  complete: async () => completionOf("Hi"),
  stream: () => chunksOf(["Hi"], { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }),
};

type Handler = (request: Request, waitUntil: HostContext["waitUntil"]) => Promise<Response>;

const ways: readonly { readonly title: string; readonly serve: (gateway: Gateway) => Handler }[] = [
  {
    title: "the gateway's own fetch",
    serve: (gateway) => (request, waitUntil) => gateway.fetch(request, waitUntil === undefined ? {} : { waitUntil }),
  },
  {
    title: "Hono with an ExecutionContext",
    serve: (gateway) => {
      const app = new Hono().use("/router/v1/*", tollgate(gateway));
      return async (request, waitUntil) =>
        waitUntil === undefined ? app.fetch(request) : app.fetch(request, {}, new WorkerContext(waitUntil));
    },
  },
];

/** As on Workers, where `waitUntil` must be called as a method. */
class WorkerContext {
  readonly #waitUntil: (work: Promise<unknown>) => void;
  readonly props = {};

  constructor(waitUntil: (work: Promise<unknown>) => void) {
    this.#waitUntil = waitUntil;
  }

  waitUntil(work: Promise<unknown>): void {
    this.#waitUntil(work);
  }

  passThroughOnException(): void {}
}

/** A gateway on a host that freezes after the response. With `hasWaitUntil` false, the host passes no waitUntil. */
async function hostWith(serve: (gateway: Gateway) => Handler, script: Script, hasWaitUntil = true) {
  const host = new FreezingHost();
  const provider = scriptedProvider(script);
  const keys = memoryKeyStore();
  const gateway = createGateway({
    keys,
    balances: host.balances,
    limiter: host.limiter,
    plans: [{ id: "prepaid", billing: "prepaid", limits: { concurrency: 1, tokens: { limit: 2_000 } } }],
    models: [
      {
        id: "thinker",
        maxOutputTokens: 1_000,
        contextWindow: 1_000,
        reasoning: { effortLevels: ["low"], defaultEffort: "low" },
        price: { input: "1", output: "2" },
        targets: [{ provider, model: "up" }],
      },
    ],
    observer: () => undefined,
  });
  host.ledger.credit({ id: "opening", account: "acme", amount: opening, reason: "test" });
  const key = await keys.create({ account: "acme", plan: "prepaid" });
  const handler = serve(gateway);
  const ask = (body: object, init: RequestInit = {}) =>
    handler(
      new Request(`${base}/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key.secret}` },
        body: JSON.stringify({ model: "thinker", messages: [{ role: "user", content: "Hello" }], ...body }),
        ...init,
      }),
      hasWaitUntil ? host.waitUntil : undefined,
    );
  const isSlotFree = async () =>
    (await host.limits.reserve({ id: crypto.randomUUID(), subject: key.key.id, concurrency: 1, leaseMs: 1_000 }))
      .granted;
  return { host, ask, provider, isSlotFree };
}

describe.each(ways)("a host that freezes after the response, with $title", ({ serve }) => {
  it.each([
    { stream: false, failures: 0 },
    { stream: true, failures: 0 },
    { stream: false, failures: 2 },
    { stream: true, failures: 2 },
  ])(
    "completes every settlement and frees every concurrency slot: stream $stream, $failures failures",
    async ({ stream, failures }) => {
      const { host, ask, isSlotFree } = await hostWith(serve, answers);
      host.failures = failures;
      await (await ask({ stream })).text();
      expect(host.ledger.balance("acme").posted).toBe(opening);
      host.open();
      await host.freeze();
      expect(host.ledger.balance("acme")).toMatchObject({ posted: opening - wholeCost, held: 0n });
      expect(await isSlotFree()).toBe(true);
    },
  );

  it.each([false, true])("loses them without waitUntil if the store is slow: stream %s", async (stream) => {
    const { host, ask } = await hostWith(serve, answers, false);
    await (await ask({ stream })).text();
    await host.freeze();
    host.open();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(host.given).toBe(0);
    expect(host.ledger.balance("acme").posted).toBe(opening);
  });

  it("reads a stream to its end after the client disconnects, and charges its usage", async () => {
    const gate = closedGate();
    const { host, ask } = await hostWith(serve, {
      async *stream() {
        yield { choices: [{ index: 0, delta: { content: "Hi" } }] };
        await gate.opened;
        yield* chunksOf([], { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 });
      },
    });
    host.open();
    const response = await ask({ stream: true });
    await response.body?.cancel();
    const frozen = host.freeze();
    gate.open();
    await frozen;
    expect(host.ledger.balance("acme")).toMatchObject({ posted: opening - wholeCost, held: 0n });
  });

  it("reads an answer without streaming after the client disconnects, and charges its usage", async () => {
    const gate = closedGate();
    const { host, ask, provider } = await hostWith(serve, {
      complete: async () => {
        await gate.opened;
        return completionOf("Hi");
      },
    });
    host.open();
    const client = new AbortController();
    ask({}, { signal: client.signal }).catch(() => undefined);
    await expect.poll(() => provider.calls).toHaveLength(1);
    client.abort();
    const frozen = host.freeze();
    gate.open();
    await frozen;
    expect(host.ledger.balance("acme")).toMatchObject({ posted: opening - wholeCost, held: 0n });
  });

  it("releases a hold whose response from the store was lost", async () => {
    const { host, ask } = await hostWith(serve, answers);
    const { hold } = host.ledger;
    host.balances.hold = async (request) => {
      hold.call(host.ledger, request);
      throw new Error("connection lost");
    };
    expect((await ask({})).status).toBe(503);
    expect(host.ledger.balance("acme").held).toBeGreaterThan(0n);
    host.open();
    await host.freeze();
    expect(host.ledger.balance("acme")).toMatchObject({ posted: opening, held: 0n });
  });

  it("frees the concurrency slot of a rejected request", async () => {
    const { host, ask, isSlotFree } = await hostWith(serve, answers);
    host.ledger.debit({ id: "all", account: "acme", amount: opening, reason: "test" });
    expect((await ask({ max_tokens: 10 })).status).toBe(402);
    host.open();
    await host.freeze();
    expect(await isSlotFree()).toBe(true);
  });
});

it("a waitUntil that throws has no effect", async () => {
  const { host, ask } = await hostWith(
    (gateway) => (request) =>
      gateway.fetch(request, {
        waitUntil: () => {
          throw new Error("Illegal invocation");
        },
      }),
    answers,
  );
  host.open();
  for (const stream of [false, true]) expect((await (await ask({ stream })).text()).length).toBeGreaterThan(0);
  expect(host.ledger.balance("acme")).toMatchObject({ posted: opening - 2n * wholeCost, held: 0n });
});

describe("the session endpoints on a host that freezes after the response", () => {
  let under: AssistantUnderTest;
  afterEach(() => under.close());

  it.each([false, true])("settle a turn and unlock its session: stream %s", async (stream) => {
    const host = new FreezingHost();
    under = await assistantUnderTest({ gateway: { balances: host.balances } });
    host.ledger.credit({ id: "opening", account: "acme", amount: 1_000_000_000_000n, reason: "test" });
    under.provider.script = answers;
    const id = await under.session();
    const request = new Request(`http://gateway.test/api/session/${id}/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${under.secret}`, "content-type": "application/json" },
      body: JSON.stringify({ content: "Hello", stream }),
    });
    const { waitUntil } = host;
    const response = await under.gateway.sessions.fetch(request, { waitUntil });
    expect(response.status).toBe(200);
    await response.text();
    host.open();
    await host.freeze();
    expect(host.ledger.balance("acme").held).toBe(0n);
    expect(host.ledger.balance("acme").posted).toBeLessThan(1_000_000_000_000n);
  });

  it("unlock the session when the client disconnects from a stream", async () => {
    const host = new FreezingHost();
    under = await assistantUnderTest({ gateway: { balances: host.balances } });
    host.ledger.credit({ id: "opening", account: "acme", amount: 1_000_000_000_000n, reason: "test" });
    const gate = closedGate();
    under.provider.script = {
      capabilities: { cancel: "full-charge" },
      async *stream() {
        yield { choices: [{ index: 0, delta: { content: "Hi" } }] };
        await gate.opened;
        yield* chunksOf([]);
      },
    };
    const id = await under.session();
    const request = new Request(`http://gateway.test/api/session/${id}/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${under.secret}`, "content-type": "application/json" },
      body: JSON.stringify({ content: "Hello", stream: true }),
    });
    const { waitUntil } = host;
    const response = await under.gateway.sessions.fetch(request, { waitUntil });
    await response.body?.cancel();
    const frozen = host.freeze();
    gate.open();
    host.open();
    await frozen;
    expect(host.ledger.balance("acme").held).toBe(0n);
    const turn = { turnId: crypto.randomUUID(), leaseMs: 1_000, historyLimit: 1 };
    expect(await under.sessions.beginTurn({ id, account: "acme" }, turn)).toMatchObject({ outcome: "begun" });
  });
});
