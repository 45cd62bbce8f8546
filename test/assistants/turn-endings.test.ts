import { memoryBalanceStore, memorySessionStore } from "@tollgate/core";
import type { SessionStore } from "@tollgate/core/store";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type AssistantUnderTest, assistantUnderTest } from "../support/assistant-under-test.ts";
import { isChargedEnd } from "../support/end-events.ts";
import { type Fault, failsAfter, failsBefore, faulty, stalls } from "../support/faulty.ts";
import { closedGate } from "../support/gate.ts";
import { completionOf } from "../support/scripted-provider.ts";
import { json } from "../support/webhook-target.ts";

let under: AssistantUnderTest;

afterEach(() => under.close());

const callTriggerOnce = () =>
  under.think((_request, call) =>
    call === 1 ? { content: "Let me look. ", calls: [["find_order", { number: 1 }]] } : { content: "Found." },
  );

const history = async (id: string) => (await (await under.ask("GET", `/${id}/messages`)).json()).data;

async function startReading(response: Response) {
  const reader = response.body?.getReader();
  await reader?.read();
  return reader;
}

const broken = () => new Error("the store is down");

/** A session store that applies a fault to one method while `on` is true. */
function faultySessions(verb: string, fault: Fault): { readonly sessions: SessionStore; on: boolean } {
  const plan = { sessions: memorySessionStore(), on: true };
  plan.sessions = faulty(plan.sessions, (called) => (plan.on && called === verb ? fault : undefined));
  return plan;
}

describe("a client that disconnects from a streamed turn", () => {
  it("leaves no hold if it disconnected while the next call was being held", async () => {
    const balances = memoryBalanceStore();
    const gate = closedGate();
    let holds = 0;
    const late: Fault = async (call) => {
      holds += 1;
      if (holds === 2) await gate.opened;
      return call();
    };
    under = await assistantUnderTest({
      gateway: { balances: faulty(balances, (verb) => (verb === "hold" ? late : undefined)) },
    });
    balances.credit({ id: "funds", account: "acme", amount: 1_000_000_000_000n, reason: "test" });
    callTriggerOnce();
    const id = await under.session({ customer: "Ann" });
    const reader = await startReading(await under.say(id, { stream: true }));
    await expect.poll(() => holds).toBe(2);
    await reader?.cancel();
    gate.open();
    await expect.poll(() => under.gateway.inFlight()).toBe(0);
    await expect.poll(async () => (await balances.balance("acme")).held).toBe(0n);
    expect(under.provider.calls).toHaveLength(1);
  });

  it("unlocks the session immediately, and stays in flight until an upstream that bills in full is settled", async () => {
    under = await assistantUnderTest();
    const gate = closedGate();
    under.provider.script = {
      capabilities: { cancel: "full-charge" },
      stream: async function* () {
        yield { choices: [{ index: 0, delta: { content: "One " }, finish_reason: null }] };
        await gate.opened;
        yield { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
      },
    };
    const id = await under.session();
    await (await startReading(await under.say(id, { stream: true })))?.cancel();
    const turn = { turnId: crypto.randomUUID(), leaseMs: 1_000, historyLimit: 1 };
    const begin = async () => (await under.sessions.beginTurn({ id, account: "acme" }, turn)).outcome;
    await expect.poll(async () => await begin()).toBe("begun");
    const before = await under.balances.balance("acme");
    expect(before.held).toBeGreaterThan(0n);
    expect(under.gateway.inFlight()).toBe(1);
    await under.gateway.drain({ timeoutMs: 50 });
    expect((await under.balances.balance("acme")).held).toBe(0n);
    expect(under.gateway.inFlight()).toBe(0);
    gate.open();
  });
});

describe("a client that disconnects from a turn without streaming", () => {
  it("unlocks the session immediately, and its call is charged by the usage that arrives later", async () => {
    under = await assistantUnderTest();
    const gate = closedGate();
    under.provider.script = {
      complete: async () => {
        await gate.opened;
        return completionOf("Late.", { prompt_tokens: 10, completion_tokens: 77, total_tokens: 87 });
      },
    };
    const id = await under.session();
    const client = new AbortController();
    under.say(id, {}, { signal: client.signal }).catch(() => undefined);
    await expect.poll(() => under.provider.calls).toHaveLength(1);
    client.abort();
    const turn = { turnId: crypto.randomUUID(), leaseMs: 1_000, historyLimit: 1 };
    const begin = async () => (await under.sessions.beginTurn({ id, account: "acme" }, turn)).outcome;
    await expect.poll(async () => await begin()).toBe("begun");
    expect(under.gateway.inFlight()).toBe(1);
    expect(under.provider.calls[0]?.signal.aborted).toBe(false);
    gate.open();
    await expect.poll(() => under.gateway.inFlight()).toBe(0);
    const completed = under.events.filter(isChargedEnd);
    expect(completed).toMatchObject([{ ending: "client_gone", estimated: false, usage: { completion_tokens: 77 } }]);
    expect((await under.balances.balance("acme")).held).toBe(0n);
    expect(await history(id)).toEqual([]);
  });

  it("delays a drain, which aborts the call at its timeout", async () => {
    under = await assistantUnderTest();
    under.provider.script = { complete: () => new Promise(() => undefined) };
    const client = new AbortController();
    under.say(await under.session(), {}, { signal: client.signal }).catch(() => undefined);
    await expect.poll(() => under.provider.calls).toHaveLength(1);
    client.abort();
    await expect.poll(() => under.gateway.inFlight()).toBe(1);
    await under.gateway.drain({ timeoutMs: 50 });
    expect(under.provider.calls[0]?.signal.aborted).toBe(true);
    expect(under.gateway.inFlight()).toBe(0);
    expect((await under.balances.balance("acme")).held).toBe(0n);
  });
});

describe("a turn that fails", () => {
  it.each([false, true])("has unlocked its session when the client receives the error (stream: %j)", async (stream) => {
    const slow = faultySessions("endTurn", stalls(100));
    under = await assistantUnderTest({ assistants: { sessions: slow.sessions } });
    under.think((_request, call) => {
      if (call === 1) throw new Error("the model fell over");
      return { content: "Now it works." };
    });
    const id = await under.session();
    const failed = await under.say(id, { stream });
    expect(failed.status).toBe(500);
    await failed.text();
    expect((await under.say(id)).status).toBe(200);
  });

  it("has unlocked its session before a drain resolves", async () => {
    const slow = faultySessions("endTurn", stalls(100));
    under = await assistantUnderTest({ assistants: { sessions: slow.sessions } });
    callTriggerOnce();
    under.target.answer = () => undefined;
    const id = await under.session({ customer: "Ann" });
    const running = under.say(id);
    await expect.poll(() => under.target.received).toHaveLength(1);
    await under.gateway.drain({ timeoutMs: 50 });
    const turn = { turnId: crypto.randomUUID(), leaseMs: 1_000, historyLimit: 1 };
    expect(await slow.sessions.beginTurn({ id, account: "acme" }, turn)).toMatchObject({ outcome: "begun" });
    expect((await running).status).toBe(503);
  });

  it("writes nothing to a session that another turn locked after its lease could not be renewed", async () => {
    const store = faultySessions("renewTurn", failsBefore(broken));
    under = await assistantUnderTest({ assistants: { sessions: store.sessions, turns: { leaseMs: 100 } } });
    const gate = closedGate();
    under.think((_request, call) => (call === 1 ? { content: "Late.", after: gate.opened } : { content: "In time." }));
    const id = await under.session();
    const first = under.say(id, { content: "First" });
    await expect.poll(() => under.provider.calls).toHaveLength(1);
    const second = async () => (await under.say(id, { content: "Second" })).status;
    await vi.waitFor(async () => expect(await second()).toBe(200), { timeout: 10_000 });
    gate.open();
    expect((await first).status).toBe(409);
    expect((await history(id)).map(({ content }: { content: string }) => content)).toEqual(["Second", "In time."]);
    expect(await under.balances.verify()).toEqual([]);
  });

  it("returns 404 as soon as a renewal finds that its session was deleted", async () => {
    under = await assistantUnderTest({ assistants: { turns: { leaseMs: 40 } } });
    const renewals = vi.spyOn(under.sessions, "renewTurn");
    const gate = closedGate();
    under.think(() => ({ calls: [["find_order", { number: 1 }]], after: gate.opened }));
    const id = await under.session({ customer: "Ann" });
    const running = under.say(id);
    await expect.poll(() => under.provider.calls).toHaveLength(1);
    expect((await under.ask("DELETE", `/${id}`)).status).toBe(204);
    await expect.poll(() => renewals.mock.results.some(({ value }) => value === false)).toBe(true);
    gate.open();
    const response = await running;
    expect([response.status, (await response.json()).error.code]).toEqual([404, "session_not_found"]);
    expect(under.target.received).toEqual([]);
  });

  it("sends no webhook if the client disconnected during the model call, even if the model still answers", async () => {
    under = await assistantUnderTest();
    const client = new AbortController();
    under.think((_request, call) => {
      client.abort();
      return call === 1 ? { calls: [["find_order", { number: 1 }]] } : { content: "Found." };
    });
    const id = await under.session({ customer: "Ann" });
    await under.say(id, {}, { signal: client.signal }).catch(() => undefined);
    await expect.poll(() => under.gateway.inFlight()).toBe(0);
    expect(under.target.received).toEqual([]);
    expect(await history(id)).toEqual([]);
    expect((await under.balances.balance("acme")).held).toBe(0n);
  });

  it("sends no webhook if it lost its session during the model call", async () => {
    const sessions = memorySessionStore();
    under = await assistantUnderTest({ assistants: { sessions, turns: { leaseMs: 200 } } });
    const gate = closedGate();
    under.think(() => ({ calls: [["find_order", { number: 1 }]], after: gate.opened }));
    const lost = vi.spyOn(sessions, "renewTurn").mockImplementation(() => false);
    const running = under.say(await under.session({ customer: "Ann" }));
    await expect.poll(() => lost).toHaveBeenCalled();
    gate.open();
    expect((await running).status).toBe(409);
    expect(under.target.received).toEqual([]);
  });
});

describe("a turn whose session was locked although the store failed", () => {
  it("unlocks it long before the lease ends", async () => {
    const store = faultySessions("beginTurn", failsAfter(broken));
    under = await assistantUnderTest({ assistants: { sessions: store.sessions } });
    under.think(() => ({ content: "Hello." }));
    const id = await under.session();
    expect((await under.say(id)).status).toBe(503);
    store.on = false;
    await expect.poll(async () => (await under.say(id)).status).toBe(200);
  });
});

const faults = {
  "fails before it": failsBefore(broken),
  "fails after it": failsAfter(broken),
  "is late": stalls(600),
  "returns an invalid value": () => ({ outcome: "begun", session: {} }),
} satisfies { [name: string]: Fault };

describe("a session store that fails during a turn", () => {
  const verbs = ["beginTurn", "merge", "appendLog", "endTurn"];
  const cases = verbs.flatMap((verb) =>
    Object.entries(faults).flatMap(([name, fault]) => [false, true].map((stream) => ({ verb, name, fault, stream }))),
  );

  it.each(cases)(
    "leaves no running request and no hold: $verb $name (stream: $stream)",
    async ({ verb, fault, stream }) => {
      const store = faultySessions(verb, fault);
      under = await assistantUnderTest({
        assistants: { sessions: store.sessions, turns: { leaseMs: 300 } },
        gateway: { storeTimeoutMs: 200 },
      });
      callTriggerOnce();
      under.target.answer = (_request, res) => json(res, 200, { session: { client_data: { seen: true } } });
      const id = await under.session({ customer: "Ann" });
      const response = await under.say(id, { stream });
      const text = await response.text();
      expect(text).toContain('"code":"store_unavailable"');
      expect(text).not.toContain("[DONE]");
      if (!stream || verb === "beginTurn") expect(response.status).toBe(503);
      await expect.poll(() => under.gateway.inFlight()).toBe(0);
      expect((await under.balances.balance("acme")).held).toBe(0n);
      store.on = false;
      await vi.waitFor(async () => expect((await under.say(id)).status).toBe(200), { timeout: 5_000, interval: 50 });
      expect(await under.balances.verify()).toEqual([]);
    },
  );
});
