import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BodyBudget } from "../access/limits/body-budget.ts";
import { InFlight } from "../access/limits/in-flight.ts";
import { assembleServices } from "../assemble-services.ts";
import { memoryBalanceStore } from "../memory/memory-balance-store.ts";
import { memoryKeyStore } from "../memory/memory-key-store.ts";
import { Cancellation } from "../ports/cancellation.ts";
import type { BodyReceiver, BodySource } from "../ports/client-request.ts";
import { receive } from "../request/exchange.ts";
import type { Services } from "../request/services.ts";
import { admit } from "./admit.ts";
import { readBody } from "./read-body.ts";

const maxBodyBytes = 1_000;
const limit = 4_000;

/** The services of a gateway with a separate budget, whose bytes the test reads. */
function servicesUnderTest() {
  const keys = memoryKeyStore();
  const budget = new BodyBudget(limit);
  const options = { keys, balances: memoryBalanceStore(), plans: [{ id: "p", billing: "none" as const }], models: [] };
  const services: Services = {
    ...assembleServices({ ...options, maxBodyBytes }),
    inFlight: new InFlight({ all: 100, perKey: 100 }, budget),
  };
  return { services, budget, key: async () => (await keys.create({ account: "a", plan: "p" })).secret };
}

/** A request whose body the test delivers. */
async function requestOf(services: Services, secret: string, parsedBody?: unknown) {
  const signal = new Cancellation();
  const source = { resume: vi.fn(), stop: vi.fn() } satisfies BodySource;
  let receiver: BodyReceiver | undefined;
  const exchange = receive({
    method: "POST",
    url: "/x",
    path: "/x",
    clientAddress: undefined,
    parsedBody,
    waitUntil: undefined,
    signal,
    header: (name) => (name === "authorization" ? `Bearer ${secret}` : undefined),
    readBody(_maxBytes, given) {
      receiver = given;
    },
  });
  const admitted = await admit(services, exchange);
  const outcome = readBody(services, admitted).then(
    (body) => body.length,
    (error: { code?: unknown }) => error.code,
  );
  if (receiver === undefined && parsedBody === undefined) throw new Error("Nobody reads the body.");
  return { source, signal, outcome, slot: admitted.slot, receiver: receiver as BodyReceiver };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setInterval", "clearInterval"] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("the bytes of a body", () => {
  it("count from the first byte until the slot ends, and are released only once", async () => {
    const { services, budget, key } = servicesUnderTest();
    const { receiver, source, outcome, slot } = await requestOf(services, await key());
    receiver.open(source);
    expect([receiver.take(300), receiver.take(200), budget.used]).toEqual([true, true, 500]);
    receiver.resolve(new Uint8Array(500));
    expect([await outcome, budget.used]).toEqual([500, 500]);
    slot.release();
    slot.release();
    slot.body.release();
    expect([budget.used, services.inFlight.count]).toEqual([0, 0]);
  });

  it("are released when a stream no longer needs its prompt, and not again when it ends", async () => {
    const { services, budget, key } = servicesUnderTest();
    const [one, other] = [await requestOf(services, await key()), await requestOf(services, await key())];
    for (const { receiver } of [one, other]) receiver.resolve(new Uint8Array(600));
    expect(budget.used).toBe(1_200);
    one.slot.body.release();
    one.slot.release();
    expect(budget.used).toBe(600);
    other.slot.release();
    expect(budget.used).toBe(0);
  });

  it("equal the length of a parsed body as JSON", async () => {
    const { services, budget, key } = servicesUnderTest();
    const { outcome, slot } = await requestOf(services, await key(), { text: "x".repeat(100) });
    expect([await outcome, budget.used]).toEqual([111, 111]);
    slot.release();
    expect(budget.used).toBe(0);
  });

  it("wait for the budget, also for a parsed body, and continue in order", async () => {
    const { services, budget, key } = servicesUnderTest();
    const secret = await key();
    const first = await requestOf(services, secret);
    first.receiver.resolve(new Uint8Array(900));
    const second = await requestOf(services, secret);
    second.receiver.open(second.source);
    expect([second.receiver.take(50), second.receiver.take(400), budget.waiting]).toEqual([true, false, 1]);
    const third = await requestOf(services, secret, "x".repeat(300));
    expect([budget.used, budget.waiting, second.source.resume.mock.calls.length]).toEqual([950, 2, 0]);
    first.slot.release();
    expect([budget.used, budget.waiting, second.source.resume.mock.calls.length]).toEqual([750, 0, 1]);
    expect(await third.outcome).toBe(300);
    second.receiver.resolve(new Uint8Array(450));
    expect(await second.outcome).toBe(450);
    for (const { slot } of [second, third]) slot.release();
    expect(budget.used).toBe(0);
  });

  it("are refused after 2 s without budget, and are all released", async () => {
    const { services, budget, key } = servicesUnderTest();
    const secret = await key();
    const first = await requestOf(services, secret);
    first.receiver.resolve(new Uint8Array(900));
    const second = await requestOf(services, secret);
    second.receiver.open(second.source);
    second.receiver.take(50);
    second.receiver.take(400);
    vi.advanceTimersByTime(1_700);
    expect(second.source.stop).not.toHaveBeenCalled();
    vi.advanceTimersByTime(600);
    expect([await second.outcome, second.source.stop.mock.calls.length]).toEqual(["over_capacity", 1]);
    second.slot.release();
    expect([budget.used, budget.waiting]).toEqual([900, 0]);
    first.slot.release();
    expect([budget.used, second.source.resume.mock.calls.length]).toEqual([0, 0]);
  });

  it("stop waiting when the client leaves or a drain ends the request", async () => {
    const { services, budget, key } = servicesUnderTest();
    const secret = await key();
    const first = await requestOf(services, secret);
    first.receiver.resolve(new Uint8Array(1_000));
    const [left, drained] = [await requestOf(services, secret), await requestOf(services, secret)];
    for (const { receiver } of [left, drained]) receiver.resolve(new Uint8Array(10));
    left.signal.abort(undefined);
    vi.advanceTimersByTime(300);
    expect([await left.outcome, budget.waiting]).toEqual(["client_gone", 1]);
    services.inFlight.abortAll();
    expect([await drained.outcome, budget.waiting]).toEqual(["draining", 0]);
    for (const { slot } of [first, left, drained]) slot.release();
    expect(budget.used).toBe(0);
  });

  it("of one key use at most a quarter of the budget", async () => {
    const { services, budget, key } = servicesUnderTest();
    const secrets = await Promise.all(Array.from({ length: 5 }, key));
    const taken: boolean[] = [];
    for (const secret of [...secrets, ...secrets]) {
      const { receiver, source } = await requestOf(services, secret);
      receiver.open(source);
      taken.push(receiver.take(1_000));
    }
    expect(taken).toEqual([true, true, true, true, false, false, false, false, false, false]);
    expect(budget.used).toBe(limit);
  });
});

describe("a body in pieces", () => {
  async function opened() {
    const { services, key } = servicesUnderTest();
    const request = await requestOf(services, await key());
    request.receiver.open(request.source);
    return request;
  }

  it("is refused 30 s after its last piece, and not before", async () => {
    const { receiver, source, outcome } = await opened();
    vi.advanceTimersByTime(29_000);
    receiver.take(1);
    vi.advanceTimersByTime(29_000);
    expect(source.stop).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_500);
    expect([await outcome, source.stop.mock.calls.length]).toEqual(["request_timeout", 1]);
    receiver.resolve(new Uint8Array(5));
  });

  it("is refused after 60 s if it arrived at less than 64 KiB per second", async () => {
    const { receiver, source, outcome } = await opened();
    for (let second = 0; second < 59; second++) {
      receiver.take(1);
      vi.advanceTimersByTime(1_000);
    }
    expect(source.stop).not.toHaveBeenCalled();
    receiver.take(1);
    vi.advanceTimersByTime(1_500);
    expect(await outcome).toBe("request_timeout");
  });
});
