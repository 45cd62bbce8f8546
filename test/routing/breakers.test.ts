import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { routed } from "./routed.ts";
import { aborted, answersWith, chunksBefore, contentFrame, fails, named } from "./scripts.ts";

const cooldownMs = 30_000;

// The clocks are fixed except for this; timers run normally.
const advanceClock = (milliseconds: number) => vi.advanceTimersByTime(milliseconds);

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "performance"] }));
afterEach(() => void vi.useRealTimers());

describe.each([true, false])("the breaker of a target, with stream %s", (stream) => {
  it("opens after 5 consecutive failures, and one request probes whether it may close", async () => {
    const [first, second] = [named("first", fails("failed")), named("second", answersWith("two"))];
    const { ask, reported } = routed([first, second]);
    expect([await ask(stream), await ask(stream)]).toMatchObject([{ attempts: "4" }, { attempts: "3" }]);
    first.script = answersWith("one");
    expect(await ask(stream)).toMatchObject({ text: "two", attempts: "1" });
    expect([first.calls.length, reported("target.opened").length, reported("target.closed").length]).toEqual([5, 1, 0]);
    expect(reported("target.opened")).toMatchObject([{ provider: "first", upstreamModel: "up" }]);
    advanceClock(cooldownMs - 1);
    expect(await ask(stream)).toMatchObject({ text: "two", attempts: "1" });
    advanceClock(1);
    expect(await ask(stream)).toMatchObject({ text: "one", attempts: "1" });
    expect([reported("target.opened").length, reported("target.closed").length]).toEqual([1, 1]);
  });

  it("admits one request at a time while it is half-open", async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const [first, second] = [
      named("first", fails("credentials", { status: 401 })),
      named("second", answersWith("two")),
    ];
    const { ask } = routed([first, second]);
    await ask(stream);
    advanceClock(cooldownMs);
    first.script = {
      complete: async (call) => answered.then(() => answersWith("one").complete?.(call) ?? aborted(call.signal)),
      stream: async function* (call) {
        await answered;
        yield* answersWith("one").stream?.(call) ?? [];
      },
    };
    const pending = Array.from({ length: 20 }, () => ask(stream));
    const others = await Promise.all(pending.slice(1));
    expect(new Set(others.map(({ text }) => text))).toEqual(new Set(["two"]));
    answer();
    expect([await pending[0], first.calls.length]).toMatchObject([{ text: "one" }, 2]);
    expect(await ask(stream)).toMatchObject({ text: "one" });
  });

  it("opens immediately for all models of a rejected account, and for one model that does not exist", async () => {
    const [first, second] = [
      named("first", fails("credentials", { status: 402 })),
      named("second", answersWith("two")),
    ];
    const { ask, reported } = routed([first, { provider: first, model: "other" }, second]);
    expect(await ask(stream)).toMatchObject({ text: "two", attempts: "2" });
    expect(reported("target.opened")).toHaveLength(1);
    const missing = named("missing", fails("credentials", { status: 404 }));
    const models = routed([missing, { provider: missing, model: "other" }, second]);
    expect(await models.ask(stream)).toMatchObject({ text: "two", attempts: "3" });
    expect(models.reported("target.opened")).toMatchObject([{ upstreamModel: "up" }, { upstreamModel: "other" }]);
  });

  it("does not open for a 403, which the content of one request can cause", async () => {
    const [first, second] = [
      named("first", fails("credentials", { status: 403 })),
      named("second", answersWith("two")),
    ];
    const { ask, reported } = routed([first, second]);
    for (let i = 0; i < 8; i++) expect(await ask(stream)).toMatchObject({ text: "two", attempts: "2" });
    expect(reported("target.opened")).toEqual([]);
  });

  it("does not open for a 402 or 404 that concerns only one request", async () => {
    for (const status of [402, 404]) {
      const refusing = fails("credentials", { status, requestOnly: true });
      const [first, second] = [named("first", refusing), named("second", answersWith("two"))];
      const { ask, reported } = routed([first, second]);
      for (let i = 0; i < 8; i++) expect(await ask(stream)).toMatchObject({ text: "two", attempts: "2" });
      expect(reported("target.opened")).toEqual([]);
      const single = routed([first]);
      expect(await single.ask(stream)).toMatchObject({ status: 502, code: "upstream_rejected_credentials" });
      first.script = answersWith("one");
      expect(await single.ask(stream)).toMatchObject({ text: "one" });
    }
  });

  it("does not block a request if all targets are open: the one that failed longest ago is called", async () => {
    const [first, second] = [
      named("first", fails("credentials", { status: 401 })),
      named("second", fails("credentials", { status: 401 })),
    ];
    const { ask, reported } = routed([first, second]);
    expect(await ask(stream)).toMatchObject({ status: 502, attempts: "2" });
    advanceClock(5);
    expect(await ask(stream)).toMatchObject({ status: 502, attempts: "1" });
    expect([first.calls.length, second.calls.length]).toEqual([2, 1]);
    second.script = answersWith("two");
    expect(await ask(stream)).toMatchObject({ text: "two", attempts: "1" });
    expect(reported("target.closed")).toMatchObject([{ provider: "second" }]);
  });

  it("keeps its state if the host returns a new list of models with the same provider", async () => {
    const [first, second] = [
      named("first", fails("credentials", { status: 401 })),
      named("second", answersWith("two")),
    ];
    const list = () => [
      {
        id: "plain",
        maxOutputTokens: 10,
        price: "free" as const,
        targets: [first, second].map((provider) => ({ provider, model: "up" })),
      },
    ];
    const { ask } = routed([first], { models: list });
    expect(await ask(stream)).toMatchObject({ text: "two", attempts: "2" });
    expect(await ask(stream)).toMatchObject({ text: "two", attempts: "1" });
  });
});

it("closes at the first content of a stream, however long the stream is", async () => {
  const [first, second] = [named("first", fails("credentials", { status: 401 })), named("second", answersWith("two"))];
  const { ask, chat, key, reported } = routed([first, second]);
  await ask(true);
  advanceClock(cooldownMs);
  first.script = {
    ...answersWith("one"),
    stream: ({ signal }) => chunksBefore([contentFrame("long")], () => aborted(signal)),
  };
  const long = await chat(await key(), { stream: true });
  expect(reported("target.closed")).toHaveLength(1);
  expect(await ask(false)).toMatchObject({ text: "one" });
  await long.body?.cancel();
});
