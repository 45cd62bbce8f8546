import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ResponseStream } from "../ports/gateway-response.ts";
import { SharedTicker } from "../runtime/shared-ticker.ts";
import { BufferBudget } from "./buffer-budget.ts";
import { WholeAnswers } from "./whole-answers.ts";

const stalledMs = 60_000;
const limit = 1_000_000;

function answersUnderTest() {
  const budget = new BufferBudget(limit);
  return { budget, answers: new WholeAnswers(budget, new SharedTicker(stalledMs), stalledMs) };
}

/** A client of an answer that takes a piece when the test says so. */
function clientOf(answers: WholeAnswers, text: string) {
  const { body } = answers.paced({ status: 200, headers: {}, body: text });
  if (typeof body !== "object" || body === null) throw new Error("The text is given out at once.");
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
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("a long answer in one piece", () => {
  it("goes out byte for byte as its client takes it, and ends once", () => {
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

  it("does not nest calls for a sink that takes every piece at once", () => {
    const { budget, answers } = answersUnderTest();
    const { body } = answers.paced({ status: 200, headers: {}, body: "x".repeat(900_000) });
    if (typeof body !== "object" || body === null) throw new Error("The text is given out at once.");
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

  it("is cut when its client takes nothing for too long, and not while it takes a little", () => {
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

  it("gives its bytes back once when its client leaves, whatever comes after that", () => {
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

describe("answers for which there is no room together", () => {
  it("cost the client that took nothing for longest its connection, not the one that reads", () => {
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

  it("are never more than the budget, also when all come at once", () => {
    const { budget, answers } = answersUnderTest();
    const clients = Array.from({ length: 400 }, () => clientOf(answers, "x".repeat(300_000)));
    for (const { open } of clients) {
      open();
      expect(budget.used).toBeLessThanOrEqual(limit);
    }
    expect(clients.filter(({ seen }) => seen.end === "failed")).toHaveLength(397);
  });

  it("make way for streams", () => {
    const { budget, answers } = answersUnderTest();
    const cut = vi.fn();
    answers.watch(60_000, cut);
    vi.advanceTimersByTime(1_500);
    budget.take(limit);
    vi.advanceTimersByTime(250);
    expect([cut.mock.calls.length, budget.used]).toEqual([1, limit]);
  });
});

it("cuts an answer that was written at once when nothing of it is taken, and not when it was", () => {
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
