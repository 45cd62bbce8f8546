import { describe, expect, it } from "vitest";
import { routed } from "./routed.ts";
import { aborted, answersWith, chunksBefore, contentFrame, fails, hangs, inSequence, named } from "./scripts.ts";

/** Answers with the longest Retry-After that the gateway waits for. */
const busy = fails("overloaded", { retryAfterSeconds: 60 });
const patient = { routing: { maxRetryAfterMs: 60_000 } };
const untouched = { held: 0n, posted: 1_000_000_000n };

describe.each([true, false])("during the wait between two attempts, with stream %s", (stream) => {
  it.each(["stops", "full-charge"] as const)(
    "a client that disconnects ends the request, and no further call is made: %s",
    async (cancel) => {
      const target = named("target", { ...busy, capabilities: { cancel } });
      const { ask, reported, ends, gateway, balances } = routed(
        [target, named("other", answersWith("other"))],
        patient,
      );
      const client = new AbortController();
      const pending = ask(stream, {}, { signal: client.signal }).catch(() => undefined);
      await expect.poll(() => target.calls.length).toBe(1);
      await expect.poll(() => reported("attempt.failed").length).toBe(1);
      client.abort();
      await expect.poll(() => gateway.inFlight(), { timeout: 10_000 }).toBe(0);
      await pending;
      expect(target.calls).toHaveLength(1);
      expect(ends()).toMatchObject([{ ending: "client_gone", cost: 0n }]);
      expect(reported("attempt.failed")).toHaveLength(1);
      expect(balances.balance("acme")).toMatchObject(untouched);
    },
  );

  it("the timeout of a drain ends the request with 503", async () => {
    const target = named("target", busy);
    const { ask, reported, ends, gateway, balances } = routed([target], patient);
    const pending = ask(stream);
    await expect.poll(() => reported("attempt.failed").length).toBe(1);
    await gateway.drain({ timeoutMs: 20 });
    expect(await pending).toMatchObject({ status: 503, code: "draining" });
    expect([target.calls.length, reported("attempt.failed").length]).toEqual([1, 1]);
    expect(ends()).toMatchObject([{ ending: "drained", cost: 0n }]);
    expect(balances.balance("acme")).toMatchObject(untouched);
  });
});

describe.each([true, false])("during a second attempt, with stream %s", (stream) => {
  it("the timeout of a drain aborts the call, and no further call is made", async () => {
    const target = named("target", inSequence(fails("failed"), hangs, answersWith("never")));
    const { ask, ends, gateway } = routed([target, named("other", answersWith("other"))]);
    const pending = ask(stream);
    await expect.poll(() => target.calls.length).toBe(2);
    await gateway.drain({ timeoutMs: 20 });
    expect(await pending).toMatchObject({ status: 503, code: "draining" });
    expect(target.calls).toHaveLength(2);
    expect(target.calls[1]?.signal.aborted).toBe(true);
    expect(ends()).toMatchObject([{ ending: "drained", attempts: 2, cost: 0n }]);
  });

  it("a client that disconnects gets no further attempts if that attempt fails", async () => {
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
      ...inSequence(fails("failed"), { complete: late, stream: () => chunksBefore([], late) }, answersWith("never")),
      capabilities,
    });
    const other = named("other", answersWith("other"));
    const { ask, ends, gateway } = routed([target, other]);
    const client = new AbortController();
    const pending = ask(stream, {}, { signal: client.signal }).catch(() => undefined);
    await expect.poll(() => target.calls.length).toBe(2);
    client.abort();
    fail();
    await pending;
    await expect.poll(() => gateway.inFlight(), { timeout: 10_000 }).toBe(0);
    expect([target.calls.length, other.calls.length]).toEqual([2, 0]);
    expect(ends()).toHaveLength(1);
  });
});

it("a client that disconnects from a stream of its second target has that call aborted and is charged for the received output", async () => {
  const target = named(
    "target",
    inSequence(fails("failed"), {
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
