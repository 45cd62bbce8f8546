import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isResponseStream, type ResponseStream } from "../../ports/gateway-response.ts";
import { SharedTicker } from "../../runtime/shared-ticker.ts";
import { BufferBudget } from "./buffer-budget.ts";
import { BufferedResponses } from "./buffered-responses.ts";

const stalledMs = 60_000;
const limit = 1_000_000;

function answersUnderTest() {
  const budget = new BufferBudget(limit);
  return { budget, answers: new BufferedResponses(budget, new SharedTicker(stalledMs), stalledMs) };
}

/** A client that reads a chunk when the test calls `onDrain`. */
function clientOf(answers: BufferedResponses, text: string) {
  const { body } = answers.withBackpressure({ status: 200, headers: {}, body: text });
  if (!isResponseStream(body)) throw new Error("The body is not streamed.");
  const stream: ResponseStream = body;
  const got: Uint8Array[] = [];
  const seen = { end: "none" };
  const open = () =>
    stream.pipeTo({
      write: (chunk) => void got.push(chunk),
      close: () => {
        seen.end = "closed";
      },
      fail: () => {
        seen.end = "failed";
      },
    });
  return { stream, open, got, seen, text: () => Buffer.concat(got).toString() };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setInterval", "clearInterval"] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("a long non-streamed response", () => {
  it("is written unchanged as its client reads, and closes once", () => {
    const { budget, answers } = answersUnderTest();
    const text = "Grüße 🙂 ".repeat(20_000);
    const client = clientOf(answers, text);
    client.open();
    for (let takes = 0; client.seen.end === "none"; takes++) {
      expect(client.got).toHaveLength(takes + 1);
      client.stream.onDrain();
    }
    expect([client.seen.end, client.text()]).toEqual(["closed", text]);
    expect(budget.used).toBe(0);
  });

  it("does not recurse for a sink without backpressure", () => {
    const { budget, answers } = answersUnderTest();
    const { body } = answers.withBackpressure({ status: 200, headers: {}, body: "x".repeat(900_000) });
    if (!isResponseStream(body)) throw new Error("The body is not streamed.");
    let depth = 0;
    let deepest = 0;
    let bytes = 0;
    body.pipeTo({
      write(chunk) {
        depth += 1;
        deepest = Math.max(deepest, depth);
        bytes += chunk.length;
        body.onDrain();
        depth -= 1;
      },
      close: () => undefined,
      fail: () => undefined,
    });
    expect([deepest, bytes, budget.used]).toEqual([1, 900_000, 0]);
  });

  it("is cut when its client reads nothing for too long, and not while it reads slowly", () => {
    const { budget, answers } = answersUnderTest();
    const [slow, stuck] = [clientOf(answers, "x".repeat(300_000)), clientOf(answers, "x".repeat(300_000))];
    for (const { open } of [slow, stuck]) open();
    expect(budget.used).toBe(600_000);
    vi.advanceTimersByTime(stalledMs / 2);
    slow.stream.onDrain();
    vi.advanceTimersByTime(stalledMs / 2 + 1_000);
    expect([slow.seen.end, stuck.seen.end]).toEqual(["none", "failed"]);
    expect(budget.used).toBe(300_000 - 65_536);
    slow.stream.cancel();
    expect(budget.used).toBe(0);
  });

  it("releases its bytes once when its client disconnects, also if more calls follow", () => {
    const { budget, answers } = answersUnderTest();
    const client = clientOf(answers, "x".repeat(300_000));
    client.open();
    client.stream.cancel();
    client.stream.onDrain();
    client.stream.cancel();
    vi.advanceTimersByTime(2 * stalledMs);
    expect([client.seen.end, client.got.length, budget.used]).toEqual(["none", 1, 0]);
  });
});

describe("responses that exceed the budget together", () => {
  it("cut the client that has been idle longest, not the one that reads", () => {
    const { budget, answers } = answersUnderTest();
    const stuck = Array.from({ length: 3 }, () => clientOf(answers, "x".repeat(300_000)));
    for (const { open } of stuck) {
      open();
      vi.advanceTimersByTime(500);
    }
    vi.advanceTimersByTime(1_000);
    const reader = clientOf(answers, "x".repeat(300_000));
    reader.open();
    expect(stuck.map(({ seen }) => seen.end)).toEqual(["failed", "none", "none"]);
    expect(reader.seen.end).toBe("none");
    expect(budget.used).toBe(900_000);
  });

  it("never hold more than the budget, also when all begin at once", () => {
    const { budget, answers } = answersUnderTest();
    const clients = Array.from({ length: 400 }, () => clientOf(answers, "x".repeat(300_000)));
    for (const { open } of clients) {
      open();
      expect(budget.used).toBeLessThanOrEqual(limit);
    }
    expect(clients.filter(({ seen }) => seen.end === "failed")).toHaveLength(397);
  });

  it("are cut when streams exceed the budget", () => {
    const { budget, answers } = answersUnderTest();
    const cut = vi.fn();
    answers.watch(60_000, cut);
    vi.advanceTimersByTime(1_500);
    budget.take(limit);
    vi.advanceTimersByTime(250);
    expect([cut.mock.calls.length, budget.used]).toEqual([1, limit]);
  });
});

it("cuts a response that was written in one write if the client does not read it", () => {
  const { budget, answers } = answersUnderTest();
  const [read, unread] = [vi.fn(), vi.fn()];
  const isRead = answers.watch(1_000, read);
  answers.watch(2_000, unread);
  isRead();
  expect(budget.used).toBe(2_000);
  vi.advanceTimersByTime(stalledMs + 1_000);
  isRead();
  expect([read.mock.calls.length, unread.mock.calls.length, budget.used]).toEqual([0, 1, 0]);
});

describe("a response that is not paced", () => {
  it.each([
    ["has at most 64 KiB", "x".repeat(65_536)],
    ["has at most 64 KiB of bytes", new Uint8Array(65_536)],
    ["has no body", null],
  ])("%s", (_, body) => {
    const response = { status: 200, headers: {}, body };
    expect(answersUnderTest().answers.withBackpressure(response)).toBe(response);
  });

  it("is a stream already", () => {
    const { answers } = answersUnderTest();
    for (const body of ["x".repeat(65_537), new Uint8Array(65_537)]) {
      const streamed = answers.withBackpressure({ status: 200, headers: {}, body });
      expect(streamed).toMatchObject({ status: 200, body: { stalledMs } });
      expect(answers.withBackpressure(streamed)).toBe(streamed);
    }
  });
});

it("cuts after exactly the time limit, and the client that has been idle for exactly a second", () => {
  const { budget, answers } = answersUnderTest();
  const [first, second] = [vi.fn(), vi.fn()];
  answers.watch(1_000, first);
  answers.tick(performance.now() + stalledMs - 1);
  expect(first).not.toHaveBeenCalled();
  answers.tick(performance.now() + stalledMs);
  expect(first).toHaveBeenCalledOnce();
  answers.watch(1_000, second);
  budget.take(limit);
  answers.tick(performance.now() + 999);
  expect(second).not.toHaveBeenCalled();
  answers.tick(performance.now() + 1_000);
  expect([second.mock.calls.length, budget.used]).toEqual([1, limit]);
});

it("is watched by the ticker only while a response is unread", () => {
  const [budget, ticker] = [new BufferBudget(limit), new SharedTicker(stalledMs)];
  const [add, remove] = [vi.spyOn(ticker, "add"), vi.spyOn(ticker, "delete")];
  const answers = new BufferedResponses(budget, ticker, stalledMs);
  const [one, other] = [answers.watch(1, vi.fn()), answers.watch(1, vi.fn())];
  expect(add).toHaveBeenCalledExactlyOnceWith(answers);
  one();
  expect(remove).not.toHaveBeenCalled();
  other();
  expect(remove).toHaveBeenCalledExactlyOnceWith(answers);
});
