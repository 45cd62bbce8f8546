import { ProviderError } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { isChargedEnd } from "../support/end-events.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { chunksOf, completionOf } from "../support/scripted-provider.ts";

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const hang = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
const completed = ({ events }: GatewayUnderTest) => events.findLast(isChargedEnd);
const untouched = { posted: 1_000_000_000n, held: 0n };

describe("a drain at its timeout", () => {
  it("answers 503 draining without streaming, charges nothing, and reports it in the end event", async () => {
    const tested = gatewayUnderTest();
    tested.provider.script = { complete: ({ signal }) => hang(signal) };
    const running = tested.chat(await tested.key());
    await expect.poll(() => tested.provider.calls.length).toBe(1);
    await tested.gateway.drain({ timeoutMs: 20 });
    expect((await (await running).json()).error.code).toBe("draining");
    expect(completed(tested)).toMatchObject({ ending: "drained", cost: 0n });
    expect(tested.balances.balance("acme")).toMatchObject(untouched);
  });
});

describe("a client that disconnects", () => {
  it("before the first content of a provider that bills in full frees its concurrency slot, stays in flight and is charged", async () => {
    const tested = gatewayUnderTest();
    tested.provider.script = {
      capabilities: { cancel: "full-charge" },
      complete: async () => completionOf("Hi", { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }),
      stream: async function* () {
        await pause(100);
        yield* chunksOf(["Hi"], { prompt_tokens: 10, completion_tokens: 900, total_tokens: 910 });
      },
    };
    const secret = await tested.key({ limits: { tokens: { limit: 1_000 }, concurrency: 1 } });
    const client = new AbortController();
    const running = tested.chat(secret, { stream: true, max_tokens: 100 }, { signal: client.signal });
    await expect.poll(() => tested.provider.calls.length).toBe(1);
    client.abort();
    await running;
    expect(tested.gateway.inFlight()).toBe(1);
    expect((await tested.chat(secret, { max_tokens: 1 })).status).toBe(200);
    expect(tested.gateway.inFlight()).toBe(1);
    await expect.poll(() => completed(tested)).toMatchObject({ ending: "client_gone", usage: { total_tokens: 910 } });
    expect(tested.gateway.inFlight()).toBe(0);
    const refused = await tested.chat(secret, { max_tokens: 100 });
    expect((await refused.json()).error.metadata).toEqual({ limit: "tokens" });
  });

  it("before the upstream rejects a request without streaming is not charged", async () => {
    const tested = gatewayUnderTest();
    let fail: () => void = () => undefined;
    tested.provider.script = {
      complete: () =>
        new Promise((_resolve, reject) => {
          fail = () => reject(new ProviderError("overloaded", "429"));
        }),
    };
    const client = new AbortController();
    const running = tested.chat(await tested.key(), {}, { signal: client.signal });
    await expect.poll(() => tested.provider.calls.length).toBe(1);
    client.abort();
    fail();
    await running;
    expect(completed(tested)).toMatchObject({ ending: "client_gone", cost: 0n });
    expect(tested.balances.balance("acme")).toMatchObject(untouched);
  });

  it.each([false, true])(
    "before the provider is called does not count as a failed attempt (stream: %s)",
    async (stream) => {
      const tested = gatewayUnderTest();
      await tested.chat(await tested.key(), { stream }, { signal: AbortSignal.abort() }).catch(() => undefined);
      await expect.poll(() => completed(tested)).toMatchObject({ ending: "client_gone", cost: 0n });
      expect(tested.events.map(({ type }) => type)).not.toContain("attempt.failed");
      expect(tested.gateway.inFlight()).toBe(0);
    },
  );
});
