import type { ProviderFailure } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { routed } from "./routed.ts";
import { answersWith, chunksBefore, fails, inSequence, named } from "./scripts.ts";

describe.each([true, false])("a request with stream %s", (stream) => {
  it("is sent to the first target while that answers", async () => {
    const [first, second] = [named("first", answersWith("one")), named("second", answersWith("two"))];
    const { ask, reported, ends } = routed([first, second]);
    for (let i = 0; i < 3; i++) expect(await ask(stream)).toMatchObject({ status: 200, text: "one", attempts: "1" });
    expect([first.calls.length, second.calls.length]).toEqual([3, 0]);
    expect(reported("attempt.failed")).toEqual([]);
    expect(ends().at(-1)).toMatchObject({ ending: "complete", provider: "first", attempts: 1 });
  });

  it("is retried twice on the failed target, then sent to others by priority with each upstream's model name", async () => {
    const providers = [
      named("last", answersWith("three")),
      named("first", fails("failed")),
      named("second", fails("overloaded")),
    ];
    const { ask, reported, ends } = routed(
      providers.map((provider, place) => ({ provider, model: `up-${place}`, priority: [9, 1, 5][place] ?? 0 })),
    );
    expect(await ask(stream)).toMatchObject({ status: 200, text: "three", attempts: "7" });
    expect(providers.map(({ calls }) => calls.length)).toEqual([1, 3, 3]);
    expect(providers.map(({ calls }) => calls[0]?.request.model)).toEqual(["up-0", "up-1", "up-2"]);
    expect(reported("attempt.failed").map((event) => ({ ...event, at: 0, requestId: "", durationMs: 0 }))).toEqual([
      ...Array(3).fill({
        type: "attempt.failed",
        at: 0,
        requestId: "",
        durationMs: 0,
        provider: "first",
        upstreamModel: "up-1",
        failure: "failed",
        detail: "It was failed.",
      }),
      ...Array(3).fill({
        type: "attempt.failed",
        at: 0,
        requestId: "",
        durationMs: 0,
        provider: "second",
        upstreamModel: "up-2",
        failure: "overloaded",
        detail: "It was overloaded.",
      }),
    ]);
    expect(ends()).toMatchObject([{ ending: "complete", provider: "last", attempts: 7 }]);
  });

  it("tells the observer the status and the message of the upstream, and never the client", async () => {
    const details = { status: 404, upstreamMessage: "Model Not Exist" };
    const { ask, reported } = routed([{ provider: named("only", fails("credentials", details)), model: "up" }]);
    expect(JSON.stringify(await ask(stream))).not.toContain("Not Exist");
    expect(reported("attempt.failed")).toMatchObject([{ upstreamStatus: 404, upstreamMessage: "Model Not Exist" }]);
  });

  it("is distributed among targets of one priority by weight", async () => {
    const [heavy, light, spare] = [
      named("heavy", answersWith("h")),
      named("light", answersWith("l")),
      named("spare", answersWith("s")),
    ];
    const { ask } = routed([
      { provider: heavy, model: "up", priority: 1, weight: 3 },
      { provider: light, model: "up", priority: 1 },
      { provider: spare, model: "up" },
    ]);
    await Promise.all(Array.from({ length: 400 }, () => ask(stream)));
    // A quarter of 400 draws is 100, and one sigma is 9, so this fails once in 10^9 runs.
    expect(light.calls.length).toBeGreaterThan(45);
    expect(light.calls.length).toBeLessThan(155);
    expect([heavy.calls.length + light.calls.length, spare.calls.length]).toEqual([400, 0]);
  });

  it.each<[ProviderFailure, number, number, number, string]>([
    ["rejected", 1, 0, 400, "invalid_request"],
    ["context_length", 1, 0, 400, "context_length_exceeded"],
    ["too_large", 1, 0, 413, "payload_too_large"],
    ["credentials", 1, 1, 502, "upstream_rejected_credentials"],
    ["failed", 3, 3, 502, "upstream_failed"],
    ["overloaded", 3, 3, 503, "upstream_overloaded"],
    ["unreachable", 3, 3, 503, "upstream_unavailable"],
    ["timeout", 1, 1, 503, "upstream_timeout"],
    ["invalid_response", 2, 2, 502, "upstream_invalid_response"],
  ])(
    "that fails at all targets as %s makes %d and %d calls and is answered with %d %s",
    async (failure, one, other, status, code) => {
      const [first, second] = [named("first", fails(failure)), named("second", fails(failure))];
      const { ask, reported, ends, balances } = routed([first, second]);
      expect(await ask(stream)).toMatchObject({ status, code, attempts: String(one + other) });
      expect([first.calls.length, second.calls.length]).toEqual([one, other]);
      expect(reported("attempt.failed")).toHaveLength(one + other);
      expect(ends()).toMatchObject([
        { ending: "upstream_failed", provider: other > 0 ? "second" : "first", attempts: one + other, cost: 0n },
      ]);
      expect(balances.balance("acme")).toMatchObject({ held: 0n, posted: 1_000_000_000n });
    },
  );

  it("that is too long for one target is sent only to targets with a larger window", async () => {
    const tight = named("tight", fails("context_length"));
    const equal = named("equal", answersWith("never"));
    const wide = named("wide", inSequence(fails("credentials", { status: 403 }), answersWith("fits")));
    const target = (provider: typeof tight, contextWindow: number) => ({ provider, model: "up", contextWindow });
    const { ask } = routed([
      target(tight, 4_000),
      target(equal, 4_000),
      target(wide, 16_000),
      target(equal, 4_000),
      target(wide, 8_000),
    ]);
    expect(await ask(stream)).toMatchObject({ status: 200, text: "fits", attempts: "3" });
    expect(equal.calls).toHaveLength(0);
  });

  it("passes the Retry-After of the last target on, and waits if it is short", async () => {
    const busy = named("busy", fails("overloaded", { retryAfterSeconds: 7 }));
    const single = routed([busy]);
    const received = await single.ask(stream);
    expect([received.status, received.attempts, received.response.headers.get("retry-after")]).toEqual([503, "1", "7"]);
    const soon = named("soon", inSequence(fails("overloaded", { retryAfterSeconds: 1 }), answersWith("now")));
    const startedAt = Date.now();
    expect(await routed([soon, busy]).ask(stream)).toMatchObject({ text: "now", attempts: "2" });
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  it("is retried as often as the host configures, and never beyond totalMs", async () => {
    const failing = named("failing", fails("failed"));
    const four = routed([failing], { routing: { retries: 4, breaker: { threshold: 9 } } });
    expect(await four.ask(stream)).toMatchObject({ status: 502, attempts: "5" });
    const none = routed([failing], { routing: { retries: 0 } });
    expect(await none.ask(stream)).toMatchObject({ status: 502, attempts: "1" });
    const asked = named("asked", fails("overloaded", { retryAfterSeconds: 2 }));
    const short = routed([asked], { upstream: { totalMs: 1_500 } });
    expect(await short.ask(stream)).toMatchObject({ status: 503, attempts: "1" });
  });

  it("ends at totalMs, or with a drain, if the adapter ignores its signal", { timeout: 8_000 }, async () => {
    const never = () => new Promise<never>(() => undefined);
    const deaf = named("deaf", { complete: never, stream: () => chunksBefore([], never) });
    const late = routed([deaf], { upstream: { totalMs: 300 } });
    expect(await late.ask(stream)).toMatchObject({ status: 503, code: "upstream_timeout" });
    expect(await late.balances.balance("acme")).toMatchObject({ held: 0n, posted: 1_000_000_000n });
    const drained = routed([deaf]);
    const asked = drained.ask(stream);
    await expect.poll(() => deaf.calls).toHaveLength(2);
    await drained.gateway.drain({ timeoutMs: 1 });
    expect(await asked).toMatchObject({ status: 503, code: "draining" });
    expect(drained.gateway.inFlight()).toBe(0);
  });

  it("is sent to the next target if an adapter throws an error that is not a ProviderError", async () => {
    const broken = named("broken", {
      complete: () => Promise.reject(new TypeError("undefined is not a function")),
      stream: () => {
        throw new TypeError("undefined is not a function");
      },
    });
    expect(await routed([broken, named("sound", answersWith("fine"))]).ask(stream)).toMatchObject({
      text: "fine",
      attempts: "2",
    });
    expect(await routed([broken]).ask(stream)).toMatchObject({ status: 500, code: "internal_error", attempts: "1" });
  });
});
