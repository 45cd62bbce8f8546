import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Counter, dollars, openCounter, paid } from "./counter.ts";

const minute = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] }));
afterEach(() => void vi.useRealTimers());

const wish = { product: "small", below: "5.00", max_per_day: 2 };

/** Buys once with a method that the provider keeps, spends all of it, and sets the top-up. */
async function topUpBy(counter: Counter, change = wish): Promise<void> {
  const { json } = await counter.ask("POST", "/checkout", { body: { product: "small", save_method: true } });
  const method = { customer: "cus_1", method: "pm_1" };
  await counter.notify(paid(String(json["id"]), { method }));
  spend(counter);
  expect((await counter.ask("PUT", "/top-up", { body: change })).status).toBe(200);
}

function spend(counter: Counter): void {
  counter.balances.debit({ id: crypto.randomUUID(), account: "ann", amount: counter.posted(), reason: "spent" });
}

const topUps = ({ store }: Counter) => store.list({ limit: 100 }).payments.filter(({ kind }) => kind === "top_up");

/** How many charges the provider has made. */
const charges = ({ acme }: Counter): number => [...acme.made.values()].filter((answer) => "status" in answer).length;

/** Lets the next run of the background loop happen, until it has told what came of it. */
async function nextRun(counter: Counter): Promise<void> {
  const before = counter.events.length;
  vi.advanceTimersByTime(30_000);
  await vi.waitFor(() => expect(counter.events.length).toBeGreaterThan(before), { timeout: 10_000 });
}

it("charges the saved method once, and credits it when the provider says that it was paid", async () => {
  await using counter = await openCounter();
  await topUpBy(counter);
  await nextRun(counter);
  const [payment] = topUps(counter);
  expect(payment).toMatchObject({ state: "processing", product: { id: "small" } });
  expect(counter.acme.made.get(payment?.id ?? "")).toEqual({ status: "accepted" });
  const asked = counter.acme.requests;
  vi.advanceTimersByTime(5 * minute);
  expect(topUps(counter)).toHaveLength(1);
  await counter.notify(paid(payment?.id ?? ""));
  expect(counter.posted()).toBe(dollars("10"));
  expect(counter.acme.requests).toBe(asked);
});

it("charges again when it is spent, at most as often a day as the customer said", async () => {
  await using counter = await openCounter();
  await topUpBy(counter);
  for (let count = 1; count <= 2; count++) {
    await nextRun(counter);
    expect(topUps(counter)).toHaveLength(count);
    await counter.notify(paid(topUps(counter).find(({ state }) => state === "processing")?.id ?? ""));
    spend(counter);
  }
  expect(counter.store.dueTopUps({ limit: 10 })).toEqual([]);
});

it("charges once for two processes that see the same", async () => {
  await using counter = await openCounter();
  const second = counter.mountAgain();
  await topUpBy(counter);
  await nextRun(counter);
  await Promise.all([counter.mounted.stop(), second.stop()]);
  expect(topUps(counter)).toMatchObject([{ state: "processing" }]);
  expect(charges(counter)).toBe(1);
});

it("charges once after an answer that was lost", async () => {
  await using counter = await openCounter();
  await topUpBy(counter);
  counter.acme.mood = "lost";
  await nextRun(counter);
  expect(counter.events.at(-1)).toMatchObject({ type: "top_up.delayed", account: "ann" });
  expect(topUps(counter)).toMatchObject([{ state: "pending" }]);
  counter.acme.mood = "works";
  await nextRun(counter);
  expect(topUps(counter)).toMatchObject([{ state: "processing" }]);
  expect(charges(counter)).toBe(1);
});

it("stops at a refusal, tells the customer why, and starts again when the customer changes it", async () => {
  await using counter = await openCounter();
  await topUpBy(counter);
  counter.acme.mood = "refuses";
  await nextRun(counter);
  expect(counter.events.at(-1)).toMatchObject({ type: "top_up.failed", reason: "The card was declined." });
  const { json } = await counter.ask("GET", "/top-up");
  expect(json).toMatchObject({ top_up: { ...wish, below: "5", stopped: { reason: "The card was declined." } } });
  expect(counter.store.dueTopUps({ limit: 10 })).toEqual([]);
  counter.acme.mood = "works";
  expect((await counter.ask("PUT", "/top-up", { body: wish })).json).toMatchObject({ top_up: { stopped: null } });
  await nextRun(counter);
  expect(
    topUps(counter)
      .map(({ state }) => state)
      .sort(),
  ).toEqual(["ended", "processing"]);
});

it("stops when the provider has not confirmed a charge for half a day, rather than charge a second time", async () => {
  await using counter = await openCounter();
  await topUpBy(counter, { ...wish, max_per_day: 20 });
  counter.acme.mood = "down";
  await nextRun(counter);
  counter.acme.mood = "works";
  vi.setSystemTime(Date.now() + 12 * 60 * minute);
  await nextRun(counter);
  expect(topUps(counter)).toMatchObject([{ state: "ended" }]);
  expect(counter.store.topUp("ann")?.stopped).toBeDefined();
  expect(charges(counter)).toBe(0);
});

it("needs a saved method and a product, and is removed", async () => {
  await using counter = await openCounter();
  const codes: unknown[] = [];
  for (const body of [wish, { ...wish, product: "huge" }, { ...wish, below: "-1" }, { ...wish, max_per_day: 21 }]) {
    codes.push(Object((await counter.ask("PUT", "/top-up", { body })).json["error"]).code);
  }
  expect(codes).toEqual(["payment_method_required", "product_not_found", "invalid_request", "invalid_request"]);
  await topUpBy(counter);
  const removed = await counter.ask("DELETE", "/top-up");
  expect([removed.status, removed.json, counter.store.topUp("ann")]).toEqual([200, { top_up: null }, undefined]);
});

it("begins no charge after the gateway drains or the payments stop", async () => {
  await using drained = await openCounter();
  await topUpBy(drained);
  await drained.gateway.drain();
  await using stopped = await openCounter();
  await topUpBy(stopped);
  await stopped.mounted.stop();
  vi.advanceTimersByTime(10 * minute);
  for (const counter of [drained, stopped]) {
    await counter.mounted.stop();
    expect(topUps(counter)).toEqual([]);
  }
});
