import type { BalanceStore } from "@tollgate/core/store";
import { describe, expect, it, vi } from "vitest";
import { completionOf } from "../../support/scripted-provider.ts";
import { freeze, pass, useFakeTime } from "./fake-time.ts";
import { beginStream, finishedCost } from "./long-stream.ts";
import { down, leaseMs, longestOrphanMs, opening, sharedLedger, told } from "./processes.ts";

useFakeTime();

/** A stream writes 4,000 bytes after a second, runs for 2.5 leases, and then its process dies. Another one lives. */
async function diesInMidStream(mistake?: (ledger: BalanceStore) => Partial<BalanceStore>) {
  const { ledger, start } = sharedLedger();
  const [living, dying] = [start(), start(mistake?.(ledger))];
  await living.models(await living.key());
  const stream = await beginStream(dying);
  await pass(1_000);
  stream.write("y".repeat(4_000));
  await pass(2.5 * leaseMs);
  const keptItsHold = ledger.balance("acme").held > 0n;
  dying.faults["all"] = () => new Promise(() => undefined);
  await pass(longestOrphanMs);
  const { posted, held } = ledger.balance("acme");
  // 10 tokens of the first text and 1,000 of the second, as bytes / 4, besides a prompt of less than 100.
  const output = opening - posted - 1_010n * 2_000n;
  return {
    keptItsHold,
    held,
    chargedItsOutput: output > 0n && output < 100_000n,
    lost: told(dying, "hold.lost").length,
  };
}

describe("the hold of a stream", () => {
  it("lives as long as its stream; when its process dies, another one ends it in time and charges what was used", async () => {
    expect(await diesInMidStream()).toEqual({ keptItsHold: true, held: 0n, chargedItsOutput: true, lost: 0 });
  });

  it("is seen to end early when a planted heartbeat never reaches the ledger", async () => {
    const seen = await diesInMidStream(() => ({ renew: (renewals) => renewals.map(({ id }) => id) }));
    expect(seen).toMatchObject({ keptItsHold: false, chargedItsOutput: false, lost: 0 });
  });

  it("is seen to end early, and told of, when a planted renewal fails and nobody says so", async () => {
    const seen = await diesInMidStream(() => ({ renew: () => [] }));
    expect(seen).toMatchObject({ keptItsHold: false, chargedItsOutput: false, lost: 1 });
  });

  it("is seen to be charged too little when a planted heartbeat forgets what was used", async () => {
    const seen = await diesInMidStream((ledger) => ({
      renew: (renewals, lease) =>
        ledger.renew(
          renewals.map(({ id }) => ({ id, used: 0n })),
          lease,
        ),
    }));
    expect(seen).toMatchObject({ keptItsHold: true, chargedItsOutput: false });
  });

  it("outlives an outage of half a lease, since a lost beat is made up for sooner", async () => {
    const { ledger, start } = sharedLedger();
    const process = start();
    const stream = await beginStream(process);
    for (let outage = 0; outage < 5; outage++) {
      await pass(20_000);
      process.faults["all"] = down;
      await pass(30_000);
      delete process.faults["all"];
    }
    expect(told(process, "heartbeat.failed").length).toBeGreaterThan(10);
    expect(ledger.balance("acme").held).toBeGreaterThan(0n);
    await stream.finish();
    expect(ledger.balance("acme")).toMatchObject({ posted: opening - finishedCost, held: 0n });
    expect(told(process, "hold.lost")).toEqual([]);
  });
});

describe("a process that stood still beyond its lease", () => {
  it("learns that its hold has ended, and its stream goes on and pays exactly what it cost, the rest late", async () => {
    const { ledger, start } = sharedLedger();
    const process = start();
    const stream = await beginStream(process);
    await pass(20_000);
    freeze(70_000);
    expect(ledger.expire()).toBe(1);
    expect(ledger.balance("acme").held).toBe(0n);
    await pass(40_000);
    expect(told(process, "hold.lost")).toMatchObject([{ holdId: expect.any(String) }]);
    expect((await stream.finish()).at(-1)).toBe("[DONE]");
    expect(ledger.balance("acme")).toMatchObject({ posted: opening - finishedCost, held: 0n });
    const kinds = ledger.entries({ account: "acme", limit: 10 }).entries.map(({ kind }) => kind);
    expect(kinds).toEqual(["credit", "expiry", "late"]);
  });

  it("keeps its hold when nobody has swept meanwhile: it renews before it sweeps", async () => {
    const { ledger, start } = sharedLedger();
    const process = start();
    await beginStream(process);
    await pass(20_000);
    freeze(70_000);
    await pass(20_000);
    expect(ledger.balance("acme").held).toBeGreaterThan(0n);
    expect(told(process, "hold.lost")).toEqual([]);
  });

  it("gives back what the expiry charged when the provider then fails before its first byte", async () => {
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
    expect(told(process, "ledger.conflict")).toEqual([]);
  });
});

describe("a renewal that names fewer holds than it was given", () => {
  it("is told once for each hold that is gone, and for none that was settled meanwhile", async () => {
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
    expect(told(process, "hold.lost")).toEqual([]);
    settledMeanwhile = async () => undefined;
    await beginStream(process);
    await pass(2.5 * leaseMs);
    expect(told(process, "hold.lost")).toHaveLength(1);
  });
});

describe("the sweep", () => {
  it("frees what a dead process held, though no request of the account can be paid and so none runs", async () => {
    const { ledger, start } = sharedLedger();
    ledger.hold({ id: "orphan", account: "acme", keyId: "gone", amount: opening, leaseMs, terms: [] });
    const process = start();
    process.provider.script = { complete: async () => completionOf("Hi") };
    const secret = await process.key();
    expect((await process.chat(secret)).status).toBe(402);
    await pass(longestOrphanMs);
    expect((await process.chat(secret)).status).toBe(200);
  });

  it("is asked of no store before the first request, nor is any timer set", async () => {
    const { ledger, start } = sharedLedger();
    ledger.hold({ id: "orphan", account: "acme", keyId: "gone", amount: opening, leaseMs, terms: [] });
    const asked: string[] = [];
    const { faults } = start();
    faults["all"] = () => asked.push("anything");
    expect(vi.getTimerCount()).toBe(0);
    await pass(10 * leaseMs);
    expect(asked).toEqual([]);
  });
});
