import { describe, expect, it } from "vitest";
import { completionOf } from "../../support/scripted-provider.ts";
import { pass, useFakeTime } from "./fake-time.ts";
import { beginStream, finishedCost } from "./long-stream.ts";
import { down, eventsOf, leaseMs, opening, type Process, sharedLedger } from "./processes.ts";

useFakeTime();

/** Begins a drain. `endedAfter` returns its duration in milliseconds, or infinity while it runs. */
function drain(process: Process, timeoutMs: number) {
  const startedAt = Date.now();
  let endedAfter = Number.POSITIVE_INFINITY;
  void process.gateway.drain({ timeoutMs }).then(() => {
    endedAfter = Date.now() - startedAt;
  });
  return { endedAfter: () => endedAfter };
}

describe("a drain", () => {
  it("refuses new requests immediately, lets streams finish, and sends heartbeats until the last is settled", async () => {
    const { ledger, start } = sharedLedger();
    const process = start();
    const stream = await beginStream(process);
    const { endedAfter } = drain(process, 300_000);
    expect((await process.chat(await process.key())).status).toBe(503);
    await pass(2.5 * leaseMs);
    expect(ledger.balance("acme").held).toBeGreaterThan(0n);
    expect((await stream.finish()).at(-1)).toBe("[DONE]");
    await pass(0);
    expect(endedAfter()).toBe(2.5 * leaseMs);
    const asked: string[] = [];
    process.faults["all"] = () => asked.push("anything");
    await pass(10 * leaseMs);
    expect(asked).toEqual([]);
    expect(ledger.balance("acme")).toMatchObject({ posted: opening - finishedCost, held: 0n });
  });

  it("ends streams at its timeout with an error frame, and charges what they used", async () => {
    const { ledger, start } = sharedLedger();
    const process = start();
    const stream = await beginStream(process);
    const { endedAfter } = drain(process, 5_000);
    await pass(5_000);
    expect(endedAfter()).toBe(5_000);
    process.provider.script = {};
    expect(JSON.parse((await stream.read()).at(-1) ?? "")).toMatchObject({ error: { code: "draining" } });
    expect(ledger.balance("acme").held).toBe(0n);
    expect(ledger.balance("acme").posted).toBeLessThan(opening);
  });

  it("ends a call at its timeout even if the provider ignores the abort", async () => {
    const { ledger, start } = sharedLedger();
    const process = start();
    process.provider.script = { complete: () => new Promise(() => undefined) };
    const answer = process.chat(await process.key());
    await pass(0);
    const { endedAfter } = drain(process, 5_000);
    await pass(10_000);
    expect(endedAfter()).toBe(5_000);
    expect((await answer).status).toBe(503);
    expect(eventsOf(process, "drain.incomplete")).toEqual([]);
    expect(ledger.balance("acme")).toMatchObject({ posted: opening, held: 0n });
  });
});

describe.each([200, 10_000, 70_000, 300_000])("a drain while settlements fail for %i ms", (outageMs) => {
  const inTime = outageMs <= 34_000;

  it(inTime ? "waits for them" : "ends 4 s after its timeout, and reports how many are left", async () => {
    const { ledger, start } = sharedLedger();
    const process = start();
    await withUnsettled(process);
    process.faults["all"] = down;
    const { endedAfter } = drain(process, 30_000);
    await pass(outageMs);
    process.faults["all"] = undefined;
    process.faults["settle"] = undefined;
    await pass(6_250);
    expect(endedAfter()).toBeGreaterThanOrEqual(inTime ? outageMs : 34_000);
    expect(endedAfter()).toBeLessThanOrEqual(inTime ? outageMs + 6_250 : 34_000);
    const incomplete = eventsOf(process, "drain.incomplete");
    expect(incomplete).toMatchObject(inTime ? [] : [{ requests: 0, settlements: 1 }]);
    // The process settles it after the outage, whether or not another process has expired it.
    expect(ledger.balance("acme")).toMatchObject({ posted: opening - cost, held: 0n });
  });

  it("renews the leases if it can", async () => {
    const { ledger, start } = sharedLedger();
    const process = start();
    await withUnsettled(process);
    drain(process, outageMs);
    await pass(outageMs);
    ledger.expire();
    expect(ledger.balance("acme").held).toBeGreaterThan(0n);
  });

  it("leaves unsettled holds to their lease, which charges them", async () => {
    const { ledger, start } = sharedLedger();
    const process = start();
    await withUnsettled(process);
    drain(process, outageMs);
    await pass(outageMs + 4_000);
    process.faults["all"] = down;
    await pass(leaseMs);
    ledger.expire();
    expect(ledger.balance("acme").held).toBe(0n);
    // The shortest outage leaves no time for a heartbeat, so the ledger does not know the use.
    if (outageMs > 15_000) expect(ledger.balance("acme").posted).toBe(opening - cost);
  });
});

const cost = 10n * 1_000n + 5n * 2_000n;

/** Completes a request whose settlement fails until the test ends the fault. */
async function withUnsettled(process: Process): Promise<void> {
  process.provider.script = { complete: async () => completionOf("Hi") };
  process.faults["settle"] = down;
  const answer = process.chat(await process.key());
  await pass(250);
  expect((await answer).status).toBe(200);
}
