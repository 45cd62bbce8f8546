import { memoryBalanceStore } from "@tollgate/core";
import type { BalanceStore, HoldRequest } from "@tollgate/core/store";
import { expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";

/** A body that never ends. */
const unfinished = () =>
  new ReadableStream<Uint8Array>({ start: (body) => body.enqueue(new TextEncoder().encode('{"model":')) });

it("aborts a request whose body is still being sent at the timeout of a drain", async () => {
  const { chat, key, gateway, provider } = gatewayUnderTest();
  const init: RequestInit & { duplex: "half" } = { body: unfinished(), duplex: "half" };
  const sending = chat(await key(), {}, init);
  await expect.poll(() => gateway.inFlight()).toBe(1);
  await gateway.drain({ timeoutMs: 30 });
  const response = await sending;
  expect([response.status, await response.json()]).toMatchObject([503, { error: { code: "draining" } }]);
  expect(gateway.inFlight()).toBe(0);
  expect(provider.calls).toHaveLength(0);
});

/** A store whose hold resolves once the gate opens. */
const holdingAt = (gate: Promise<void>, store: BalanceStore): BalanceStore =>
  new Proxy(store, {
    get: (_, verb) => {
      if (verb === "hold") return (request: HoldRequest) => gate.then(() => store.hold(request));
      const member: unknown = Reflect.get(store, verb);
      return typeof member === "function" ? member.bind(store) : member;
    },
  });

it.each([true, false])("calls no provider after the timeout of a drain, stream %s", async (stream) => {
  const store = memoryBalanceStore();
  store.credit({ id: "start", account: "acme", amount: 1_000_000_000n, reason: "test" });
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { chat, key, gateway, provider } = gatewayUnderTest({ balances: holdingAt(gate, store) });
  const waiting = chat(await key(), { stream });
  await expect.poll(() => gateway.inFlight()).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const drained = gateway.drain({ timeoutMs: 0 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  open();
  const response = await waiting;
  expect([response.status, await response.json()]).toMatchObject([503, { error: { code: "draining" } }]);
  await drained;
  expect(provider.calls).toHaveLength(0);
  expect(store.balance("acme")).toMatchObject({ held: 0n, posted: 1_000_000_000n });
});
