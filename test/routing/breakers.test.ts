import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { routed } from "./routed.ts";
import { aborted, chunksBefore, contentFrame, fails, named, says } from "./scripts.ts";

const cooldownMs = 30_000;

// The clock stands still but for this; timers run on.
const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe.each([true, false])("the breaker of a target, with stream %s", (stream) => {
  it("opens after 5 failures in a row, and one request finds out when it may close", async () => {
    const [first, second] = [named("first", fails("failed")), named("second", says("two"))];
    const { ask, told } = routed([first, second]);
    expect([await ask(stream), await ask(stream)]).toMatchObject([{ attempts: "4" }, { attempts: "3" }]);
    first.script = says("one");
    expect(await ask(stream)).toMatchObject({ text: "two", attempts: "1" });
    expect([first.calls.length, told("target.opened").length, told("target.closed").length]).toEqual([5, 1, 0]);
    expect(told("target.opened")).toMatchObject([{ provider: "first", upstreamModel: "up" }]);
    later(cooldownMs - 1);
    expect(await ask(stream)).toMatchObject({ text: "two", attempts: "1" });
    later(1);
    expect(await ask(stream)).toMatchObject({ text: "one", attempts: "1" });
    expect([told("target.opened").length, told("target.closed").length]).toEqual([1, 1]);
  });

  it("lets one request through at a time", async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const [first, second] = [named("first", fails("credentials", { status: 401 })), named("second", says("two"))];
    const { ask } = routed([first, second]);
    await ask(stream);
    later(cooldownMs);
    first.script = {
      complete: async (call) => answered.then(() => says("one").complete?.(call) ?? aborted(call.signal)),
      stream: async function* (call) {
        await answered;
        yield* says("one").stream?.(call) ?? [];
      },
    };
    const asking = Array.from({ length: 20 }, () => ask(stream));
    const others = await Promise.all(asking.slice(1));
    expect(new Set(others.map(({ text }) => text))).toEqual(new Set(["two"]));
    answer();
    expect([await asking[0], first.calls.length]).toMatchObject([{ text: "one" }, 2]);
    expect(await ask(stream)).toMatchObject({ text: "one" });
  });

  it("opens at once for all models of an account that was refused, and for one model that is not there", async () => {
    const [first, second] = [named("first", fails("credentials", { status: 402 })), named("second", says("two"))];
    const { ask, told } = routed([first, { provider: first, model: "other" }, second]);
    expect(await ask(stream)).toMatchObject({ text: "two", attempts: "2" });
    expect(told("target.opened")).toHaveLength(1);
    const missing = named("missing", fails("credentials", { status: 404 }));
    const models = routed([missing, { provider: missing, model: "other" }, second]);
    expect(await models.ask(stream)).toMatchObject({ text: "two", attempts: "3" });
    expect(models.told("target.opened")).toMatchObject([{ upstreamModel: "up" }, { upstreamModel: "other" }]);
  });

  it("does not open for a 403, which one caller's content can cause", async () => {
    const [first, second] = [named("first", fails("credentials", { status: 403 })), named("second", says("two"))];
    const { ask, told } = routed([first, second]);
    for (let i = 0; i < 8; i++) expect(await ask(stream)).toMatchObject({ text: "two", attempts: "2" });
    expect(told("target.opened")).toEqual([]);
  });

  it("does not open for a 402 or a 404 that one request alone is refused for", async () => {
    for (const status of [402, 404]) {
      const refusing = fails("credentials", { status, requestOnly: true });
      const [first, second] = [named("first", refusing), named("second", says("two"))];
      const { ask, told } = routed([first, second]);
      for (let i = 0; i < 8; i++) expect(await ask(stream)).toMatchObject({ text: "two", attempts: "2" });
      expect(told("target.opened")).toEqual([]);
      const alone = routed([first]);
      expect(await alone.ask(stream)).toMatchObject({ status: 502, code: "upstream_rejected_credentials" });
      first.script = says("one");
      expect(await alone.ask(stream)).toMatchObject({ text: "one" });
    }
  });

  it("does not keep a request from its last hope: of open targets, the one that failed the longest ago is called", async () => {
    const [first, second] = [
      named("first", fails("credentials", { status: 401 })),
      named("second", fails("credentials", { status: 401 })),
    ];
    const { ask, told } = routed([first, second]);
    expect(await ask(stream)).toMatchObject({ status: 502, attempts: "2" });
    later(5);
    expect(await ask(stream)).toMatchObject({ status: 502, attempts: "1" });
    expect([first.calls.length, second.calls.length]).toEqual([2, 1]);
    second.script = says("two");
    expect(await ask(stream)).toMatchObject({ text: "two", attempts: "1" });
    expect(told("target.closed")).toMatchObject([{ provider: "second" }]);
  });

  it("is remembered when the host gives a new list of models with the same provider", async () => {
    const [first, second] = [named("first", fails("credentials", { status: 401 })), named("second", says("two"))];
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

it("closes with the first content of a stream, however long the stream is", async () => {
  const [first, second] = [named("first", fails("credentials", { status: 401 })), named("second", says("two"))];
  const { ask, chat, key, told } = routed([first, second]);
  await ask(true);
  later(cooldownMs);
  first.script = {
    ...says("one"),
    stream: ({ signal }) => chunksBefore([contentFrame("long")], () => aborted(signal)),
  };
  const long = await chat(await key(), { stream: true });
  expect(told("target.closed")).toHaveLength(1);
  expect(await ask(false)).toMatchObject({ text: "one" });
  await long.body?.cancel();
});
