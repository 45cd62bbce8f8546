import { afterEach, describe, expect, it, vi } from "vitest";
import { routed } from "../routing/routed.ts";
import { aborted, answersWith, fails, named } from "../routing/scripts.ts";
import { gatewayUnderTest, termsUnderTest } from "../support/gateway-under-test.ts";
import type { Script } from "../support/scripted-provider.ts";

afterEach(() => void vi.useRealTimers());

describe("gateway.inspect()", () => {
  it("returns the models with their prices, the plans and the terms in force", () => {
    const { gateway } = gatewayUnderTest({ terms: termsUnderTest() });
    const state = gateway.inspect();
    expect(state).toMatchObject({
      models: [
        {
          id: "plain",
          contextWindow: 8_000,
          maxOutputTokens: 1_000,
          targets: [
            { upstreamModel: "upstream-model", priority: 1, price: { input: 1_000_000_000n, output: 2_000_000_000n } },
          ],
        },
        { id: "thinker", tools: false, reasoning: { effortLevels: ["low", "high"] } },
      ],
      terms: { inForce: "terms-2", versions: [{ id: "terms-2" }] },
      inFlight: 0,
      draining: false,
      holds: 0,
      settlementsWaiting: 0,
    });
    expect(state.plans.map(({ id }) => id)).toContain("subscription");
  });

  it("returns a copy, which cannot change the gateway", () => {
    const { gateway } = gatewayUnderTest();
    const { models } = gateway.inspect();
    Object.assign(models[0]?.entry ?? {}, { id: "changed" });
    expect(gateway.inspect().models[0]?.entry).toMatchObject({ id: "plain" });
  });

  it("shows a breaker as open, half-open after the cooldown, and closed after a success", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const [first, second] = [
      named("first", fails("credentials", { status: 401 })),
      named("second", answersWith("two")),
    ];
    const { ask, gateway } = routed([first, second]);
    const breakers = () => gateway.inspect().models[0]?.targets.map(({ breaker }) => breaker);
    expect(breakers()).toEqual(["closed", "closed"]);
    await ask(false);
    expect(breakers()).toEqual(["open", "closed"]);
    expect(gateway.inspect().models[0]?.targets[0]?.breakerUntil).toEqual(new Date(Date.now() + 30_000));
    // The cooldown is no longer when the date of the machine is set back.
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(gateway.inspect().models[0]?.targets[0]?.breakerUntil).toEqual(new Date(Date.now() + 30_000));
    vi.advanceTimersByTime(30_000);
    expect(breakers()).toEqual(["half_open", "closed"]);
    first.script = answersWith("one");
    await ask(false);
    expect(breakers()).toEqual(["closed", "closed"]);
  });

  it("shows running requests, their holds, and a drain", async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const script: Script = {
      complete: (call) => answered.then(() => answersWith("one").complete?.(call) ?? aborted(call.signal)),
    };
    const { ask, gateway } = routed([named("slow", script)]);
    const pending = ask(false);
    await expect.poll(() => gateway.inspect()).toMatchObject({ inFlight: 1, holds: 1, draining: false });
    const drained = gateway.drain();
    expect(gateway.inspect().draining).toBe(true);
    answer();
    await Promise.all([pending, drained]);
    expect(gateway.inspect()).toMatchObject({ inFlight: 0, holds: 0 });
  });
});
