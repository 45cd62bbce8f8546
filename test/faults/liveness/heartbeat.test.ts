import type { BalanceStore } from "@tollgate/core/store";
import { describe, expect, it, vi } from "vitest";
import { plainHold } from "../../../packages/core/test-support/receipts.ts";
import { completionOf } from "../../support/scripted-provider.ts";
import { freeze, pass, useFakeTime } from "./fake-time.ts";
import { beginStream, finishedCost } from "./long-stream.ts";
import { down, eventsOf, leaseMs, longestOrphanMs, opening, sharedLedger } from "./processes.ts";

useFakeTime();

/**
 * A stream writes 4,000 bytes after a second and runs for 2.5 leases. Then its process dies, and another one keeps
 * running.
 */
async function dieDuringStream(mutation?: (ledger: BalanceStore) => Partial<BalanceStore>) {
  const { ledger, start } = sharedLedger();
  const [living, dying] = [start(), start(mutation?.(ledger))];
  await living.models(await living.key());
  const stream = await beginStream(dying);
  await pass(1_000);
  stream.write("y".repeat(4_000));
  await pass(2.5 * leaseMs);
  const keptItsHold = ledger.balance("acme").held > 0n;
  dying.faults["all"] = () => new Promise(() => undefined);
  await pass(longestOrphanMs);
  const { posted, held } = ledger.balance("acme");
  // 10 tokens of the first text and 1,000 of the second, estimated as bytes / 4, plus a prompt of less than 100 tokens.
  const output = opening - posted - 1_010n * 2_000n;
  return {
    keptItsHold,
    held,
    chargedItsOutput: output > 0n && output < 100_000n,
    lost: eventsOf(dying, "hold.lost").length,
  };
}

describe("the hold of a stream", () => {
  it("is kept while the stream runs; when the process dies, another one expires it and charges the use", async () => {
    expect(await dieDuringStream()).toEqual({ keptItsHold: true, held: 0n, chargedItsOutput: true, lost: 0 });
  });

  it("ends early with a seeded mutation whose heartbeat does not reach the ledger", async () => {
    const seen = await dieDuringStream(() => ({ renew: (renewals) => renewals.map(({ id }) => id) }));
    expect(seen).toMatchObject({ keptItsHold: false, chargedItsOutput: false, lost: 0 });
  });

  it("ends early, with an event, with a seeded mutation whose renewal renews nothing", async () => {
    const seen = await dieDuringStream(() => ({ renew: () => [] }));
    expect(seen).toMatchObject({ keptItsHold: false, chargedItsOutput: false, lost: 1 });
  });

  it("is charged too little with a seeded mutation whose heartbeat drops the use", async () => {
    const seen = await dieDuringStream((ledger) => ({
      renew: (renewals, lease) =>
        ledger.renew(
          renewals.map((renewal) => ({ ...renewal, used: 0n })),
          lease,
        ),
    }));
    expect(seen).toMatchObject({ keptItsHold: true, chargedItsOutput: false });
  });

  it("survives an outage of half a lease, since a failed heartbeat is retried sooner", async () => {
    const { ledger, start } = sharedLedger();
    const process = start();
    const stream = await beginStream(process);
    for (let outage = 0; outage < 5; outage++) {
      await pass(20_000);
      process.faults["all"] = down;
      await pass(30_000);
      delete process.faults["all"];
    }
    expect(eventsOf(process, "heartbeat.failed").length).toBeGreaterThan(10);
    expect(ledger.balance("acme").held).toBeGreaterThan(0n);
    await stream.finish();
    expect(ledger.balance("acme")).toMatchObject({ posted: opening - finishedCost, held: 0n });
    expect(eventsOf(process, "hold.lost")).toEqual([]);
  });
});

describe("a process that was suspended for longer than its lease", () => {
  it("detects that its hold has ended, and its stream continues and is charged its exact cost, the rest late", async () => {
    const { ledger, start } = sharedLedger();
    const process = start();
    const stream = await beginStream(process);
    await pass(20_000);
    freeze(70_000);
    expect(ledger.expire()).toBe(1);
    expect(ledger.balance("acme").held).toBe(0n);
    await pass(40_000);
    expect(eventsOf(process, "hold.lost")).toMatchObject([{ holdId: expect.any(String) }]);
    expect((await stream.finish()).at(-1)).toBe("[DONE]");
    expect(ledger.balance("acme")).toMatchObject({ posted: opening - finishedCost, held: 0n });
    const kinds = ledger.entries({ account: "acme", limit: 10 }).entries.map(({ kind }) => kind);
    expect(kinds).toEqual(["credit", "expiry", "late"]);
  });

  it("keeps its hold if no other process has swept, since it renews before it sweeps", async () => {
    const { ledger, start } = sharedLedger();
    const process = start();
    await beginStream(process);
    await pass(20_000);
    freeze(70_000);
    await pass(20_000);
    expect(ledger.balance("acme").held).toBeGreaterThan(0n);
    expect(eventsOf(process, "hold.lost")).toEqual([]);
  });

  it("refunds the charge of the expiry when the provider then fails before its first byte", async () => {
    const { ledger, start } = sharedLedger();
    const process = start();
    let fail: () => void = () => undefined;
    process.provider.script = {
      complete: () => new Promise((_resolve, reject) => (fail = () => reject(new Error("upstream died")))),
    };
    const answer = process.chat(await process.key());
    await pass(20_000);
    freeze(70_000);
    ledger.expire();
    expect(ledger.balance("acme").posted).toBeLessThan(opening);
    fail();
    expect((await answer).status).toBe(500);
    expect(ledger.balance("acme")).toMatchObject({ posted: opening, held: 0n });
    expect(eventsOf(process, "ledger.conflict")).toEqual([]);
  });
});

describe("a renewal that returns fewer holds than requested", () => {
  it("is reported once for each lost hold, and not for holds that were settled in the meantime", async () => {
    const { ledger, start } = sharedLedger();
    let settledMeanwhile: () => Promise<unknown> = async () => undefined;
    const process = start({
      renew: async (renewals, lease) => {
        const renewed = ledger.renew(renewals.slice(1), lease);
        await settledMeanwhile();
        return renewed;
      },
    });
    const first = await beginStream(process);
    settledMeanwhile = () => first.finish();
    await pass(15_000);
    expect(ledger.balance("acme")).toMatchObject({ posted: opening - finishedCost, held: 0n });
    expect(eventsOf(process, "hold.lost")).toEqual([]);
    settledMeanwhile = async () => undefined;
    await beginStream(process);
    await pass(2.5 * leaseMs);
    expect(eventsOf(process, "hold.lost")).toHaveLength(1);
  });
});

describe("the sweep", () => {
  it("releases the hold of a dead process even if the account has no balance left for a request", async () => {
    const { ledger, start } = sharedLedger();
    ledger.hold({ id: "orphan", account: "acme", keyId: "gone", amount: opening, leaseMs, ...plainHold });
    const process = start();
    process.provider.script = { complete: async () => completionOf("Hi") };
    const secret = await process.key();
    expect((await process.chat(secret)).status).toBe(402);
    await pass(longestOrphanMs);
    expect((await process.chat(secret)).status).toBe(200);
  });

  it("neither calls a store nor sets a timer before the first request", async () => {
    const { ledger, start } = sharedLedger();
    ledger.hold({ id: "orphan", account: "acme", keyId: "gone", amount: opening, leaseMs, ...plainHold });
    const asked: string[] = [];
    const { faults } = start();
    faults["all"] = () => asked.push("anything");
    expect(vi.getTimerCount()).toBe(0);
    await pass(10 * leaseMs);
    expect(asked).toEqual([]);
  });
});
