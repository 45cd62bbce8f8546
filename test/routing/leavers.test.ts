import { describe, expect, it } from "vitest";
import { routed } from "./routed.ts";
import { aborted, chunksBefore, contentFrame, fails, hangs, inTurn, named, says } from "./scripts.ts";

/** Asks to be waited for, as long as the gateway may wait. */
const busy = fails("overloaded", { retryAfterSeconds: 60 });
const patient = { routing: { maxRetryAfterMs: 60_000 } };
const untouched = { held: 0n, posted: 1_000_000_000n };

describe.each([true, false])("during the wait between two attempts, with stream %s", (stream) => {
  it.each(["stops", "full-charge"] as const)(
    "a client that leaves ends the request, and no call is made for it: %s",
    async (cancel) => {
      const target = named("target", { ...busy, capabilities: { cancel } });
      const { ask, told, ends, gateway, balances } = routed([target, named("other", says("other"))], patient);
      const client = new AbortController();
      const asking = ask(stream, {}, { signal: client.signal }).catch(() => undefined);
      await expect.poll(() => target.calls.length).toBe(1);
      await expect.poll(() => told("attempt.failed").length).toBe(1);
      client.abort();
      await expect.poll(() => gateway.inFlight(), { timeout: 10_000 }).toBe(0);
      await asking;
      expect(target.calls).toHaveLength(1);
      expect(ends()).toMatchObject([{ ending: "client_gone", cost: 0n }]);
      expect(told("attempt.failed")).toHaveLength(1);
      expect(balances.balance("acme")).toMatchObject(untouched);
    },
  );

  it("the end of a drain ends the request with 503", async () => {
    const target = named("target", busy);
    const { ask, told, ends, gateway, balances } = routed([target], patient);
    const asking = ask(stream);
    await expect.poll(() => told("attempt.failed").length).toBe(1);
    await gateway.drain({ timeoutMs: 20 });
    expect(await asking).toMatchObject({ status: 503, code: "draining" });
    expect([target.calls.length, told("attempt.failed").length]).toEqual([1, 1]);
    expect(ends()).toMatchObject([{ ending: "drained", cost: 0n }]);
    expect(balances.balance("acme")).toMatchObject(untouched);
  });
});

describe.each([true, false])("during a second attempt, with stream %s", (stream) => {
  it("the end of a drain ends the call, and nothing follows", async () => {
    const target = named("target", inTurn(fails("failed"), hangs, says("never")));
    const { ask, ends, gateway } = routed([target, named("other", says("other"))]);
    const asking = ask(stream);
    await expect.poll(() => target.calls.length).toBe(2);
    await gateway.drain({ timeoutMs: 20 });
    expect(await asking).toMatchObject({ status: 503, code: "draining" });
    expect(target.calls).toHaveLength(2);
    expect(target.calls[1]?.signal.aborted).toBe(true);
    expect(ends()).toMatchObject([{ ending: "drained", attempts: 2, cost: 0n }]);
  });

  it("a client that leaves has nothing else tried for it when that attempt fails", async () => {
    let fail: () => void = () => undefined;
    const failing = new Promise<void>((resolve) => {
      fail = resolve;
    });
    const late = async () => {
      await failing;
      return Promise.reject(new TypeError("too late"));
    };
    const capabilities = { cancel: "full-charge" } as const;
    const target = named("target", {
      ...inTurn(fails("failed"), { complete: late, stream: () => chunksBefore([], late) }, says("never")),
      capabilities,
    });
    const other = named("other", says("other"));
    const { ask, ends, gateway } = routed([target, other]);
    const client = new AbortController();
    const asking = ask(stream, {}, { signal: client.signal }).catch(() => undefined);
    await expect.poll(() => target.calls.length).toBe(2);
    client.abort();
    fail();
    await asking;
    await expect.poll(() => gateway.inFlight(), { timeout: 10_000 }).toBe(0);
    expect([target.calls.length, other.calls.length]).toEqual([2, 0]);
    expect(ends()).toHaveLength(1);
  });
});

it("a client that leaves a stream of its second target has that call ended and pays for what it got", async () => {
  const target = named(
    "target",
    inTurn(fails("failed"), {
      stream: ({ signal }) => chunksBefore([contentFrame("12345678")], () => aborted(signal)),
    }),
  );
  const { chat, key, ends, gateway } = routed([target]);
  const response = await chat(await key(), { stream: true });
  await response.body?.cancel();
  await expect.poll(() => gateway.inFlight()).toBe(0);
  expect(target.calls[1]?.signal.aborted).toBe(true);
  expect(ends()).toMatchObject([
    { ending: "client_gone", attempts: 2, estimated: true, usage: { completion_tokens: 2 } },
  ]);
});
