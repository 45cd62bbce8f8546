import { describe, expect, it } from "vitest";
import { routed } from "./routed.ts";
import { aborted, answersWith, chunksBefore, contentFrame, fails, named } from "./scripts.ts";

const cheap = { input: "1", output: "2" };
const expensive = { input: "10", output: "20" };
const promptCost = 10n * 10_000n;

describe.each([true, false])("a request with stream %s", (stream) => {
  it("is held at the price of the most expensive target, and charged at the price of the one that answered", async () => {
    const held: bigint[] = [];
    const failing = fails("timeout");
    const first = named("first", {
      complete: (call) => {
        held.push(balances.balance("acme").held);
        return failing.complete?.(call) ?? aborted(call.signal);
      },
      stream: (call) => {
        held.push(balances.balance("acme").held);
        return failing.stream?.(call) ?? chunksBefore([], () => aborted(call.signal));
      },
    });
    const second = { provider: named("second", answersWith("two")), model: "up", price: expensive };
    const { ask, balances } = routed([{ provider: first, model: "up" }, second], {}, { price: cheap });
    await ask(stream, { max_tokens: 100 });
    const output = stream ? 1n : 5n;
    expect(1_000_000_000n - balances.balance("acme").posted).toBe(promptCost + output * 20_000n);
    expect(held).toHaveLength(1);
    // 100 output tokens alone cost this much at the expensive target.
    expect(held[0]).toBeGreaterThan(100n * 20_000n);
    expect(balances.balance("acme").held).toBe(0n);
    expect(balances.verify()).toEqual([]);
  });

  it("has its output capped in the field that each upstream supports", async () => {
    const first = named("first", { ...fails("timeout"), capabilities: { outputCapField: "max_tokens" } });
    const second = named("second", answersWith("two"));
    const { ask } = routed([first, second]);
    await ask(stream, { max_completion_tokens: 50 });
    const caps = [first, second].map(({ calls }) => calls[0]?.request);
    expect(caps.map((request) => [request?.max_tokens, request?.max_completion_tokens])).toEqual([
      [50, undefined],
      [undefined, 50],
    ]);
  });

  it("that all targets fail is not charged", async () => {
    const { ask, balances } = routed([
      { provider: named("first", fails("failed")), model: "up", price: expensive },
      { provider: named("second", fails("credentials")), model: "up" },
    ]);
    expect((await ask(stream)).status).toBe(502);
    expect(balances.balance("acme")).toMatchObject({ held: 0n, posted: 1_000_000_000n });
  });
});

it("holds for the longest prompt that any target accepts", async () => {
  const [small, large] = [named("small", fails("context_length")), named("large", answersWith("fits"))];
  const { ask, balances } = routed(
    [
      { provider: small, model: "up", contextWindow: 100 },
      { provider: large, model: "up", contextWindow: 100_000 },
    ],
    {},
    { contextWindow: 100, price: { input: "100", output: "0" } },
  );
  const held: bigint[] = [];
  const { complete } = large.script;
  large.script = {
    complete: async (call) => {
      held.push(balances.balance("acme").held);
      return complete?.(call) ?? aborted(call.signal);
    },
  };
  const messages = [{ role: "user", content: "four ".repeat(1_000) }];
  expect(await ask(false, { messages })).toMatchObject({ status: 200, text: "fits" });
  expect(held[0]).toBeGreaterThanOrEqual(1_000n * 100_000n);
});

it("reports the usage of the running target to the heartbeat, at its price", async () => {
  const second = named("second", {
    stream: ({ signal }) => chunksBefore([contentFrame("x".repeat(4_000))], () => aborted(signal)),
  });
  const tested = routed(
    [
      { provider: named("first", fails("timeout")), model: "up", price: { input: "0", output: "0" } },
      { provider: second, model: "up", price: { input: "0", output: "100" } },
    ],
    { money: { leaseMs: 400, heartbeatMs: 20 } },
  );
  const renewals: bigint[] = [];
  const { renew } = tested.balances;
  tested.balances.renew = (holds, leaseMs) => {
    renewals.push(...holds.map(({ used }) => used));
    return renew.call(tested.balances, holds, leaseMs);
  };
  const response = await tested.chat(await tested.key(), { stream: true });
  await expect.poll(() => renewals.at(-1), { timeout: 10_000 }).toBe(1_000n * 100_000n);
  await response.body?.cancel();
});
