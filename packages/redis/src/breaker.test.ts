import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Breaker } from "./breaker.ts";
import { Outage } from "./outage.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const succeed = async () => "result";
const fail = async () => {
  throw new Error("no");
};
const hang = () => new Promise<never>(() => undefined);

function createBreaker(probe: () => Promise<unknown> = hang) {
  const mocks = { probe: vi.fn(probe), onOpen: vi.fn(), onClose: vi.fn() };
  return { ...mocks, breaker: new Breaker({ timeoutMs: 100, ...mocks }) };
}

async function createOpenBreaker(probe?: () => Promise<unknown>) {
  const created = createBreaker(probe);
  for (let times = 0; times < 3; times++) await created.breaker.attempt(fail);
  return created;
}

describe("a circuit breaker", () => {
  it("returns the result of the attempt, and an Outage when the attempt fails", async () => {
    const { breaker } = createBreaker();
    expect(await breaker.attempt(succeed)).toBe("result");
    expect(await breaker.attempt(fail)).toMatchObject({ sent: true, reason: "no" });
  });

  it("counts a timeout as a failure, and ignores a later result or error", async () => {
    const { breaker } = createBreaker();
    let rejectLate = (_: Error): void => undefined;
    const attempt = breaker.attempt(() => new Promise((_, reject) => (rejectLate = reject)));
    await vi.advanceTimersByTimeAsync(101);
    expect(await attempt).toMatchObject({ sent: true, reason: "no reply within 100 ms" });
    rejectLate(new Error("too late"));
  });

  it("opens at the third failure within a second, even with successes between them", async () => {
    const { breaker, onOpen } = createBreaker();
    for (const attempt of [fail, succeed, fail, succeed]) await breaker.attempt(attempt);
    await vi.advanceTimersByTimeAsync(900);
    expect(onOpen).not.toHaveBeenCalled();
    await breaker.attempt(fail);
    expect(onOpen).toHaveBeenCalledOnce();
  });

  it("stays closed when failures are less frequent and other attempts succeed", async () => {
    const { breaker, onOpen } = createBreaker();
    for (let times = 0; times < 20; times++) {
      await breaker.attempt(fail);
      await breaker.attempt(succeed);
      await vi.advanceTimersByTimeAsync(501);
    }
    expect(onOpen).not.toHaveBeenCalled();
  });

  it("opens at the third consecutive failure, however far apart they are", async () => {
    const { breaker, onOpen } = createBreaker();
    for (let times = 0; times < 3; times++) {
      expect(onOpen).not.toHaveBeenCalled();
      await breaker.attempt(fail);
      await vi.advanceTimersByTimeAsync(60_000);
    }
    expect(onOpen).toHaveBeenCalledOnce();
  });

  it("makes no attempt while it is open", async () => {
    const { breaker } = await createOpenBreaker();
    const attempt = vi.fn(succeed);
    expect(await breaker.attempt(attempt)).toMatchObject({ sent: false });
    expect(attempt).not.toHaveBeenCalled();
  });

  it("probes every second, and closes when a probe succeeds", async () => {
    let isAvailable = false;
    const { breaker, probe, onClose } = await createOpenBreaker(async () => (isAvailable ? succeed() : fail()));
    await vi.advanceTimersByTimeAsync(3_500);
    expect(probe).toHaveBeenCalledTimes(3);
    expect(await breaker.attempt(succeed)).toBeInstanceOf(Outage);
    isAvailable = true;
    await vi.advanceTimersByTimeAsync(500);
    expect(onClose).toHaveBeenCalledOnce();
    expect(await breaker.attempt(succeed)).toBe("result");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(probe).toHaveBeenCalledTimes(4);
  });

  it("waits for a probe that hangs, and sends another after 30 seconds", async () => {
    const { probe } = await createOpenBreaker(hang);
    await vi.advanceTimersByTimeAsync(30_500);
    expect(probe).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(probe).toHaveBeenCalledTimes(2);
  });

  it("closes as soon as a hanging probe succeeds", async () => {
    let resolveProbe = (): void => undefined;
    const { onClose } = await createOpenBreaker(() => new Promise<void>((resolve) => (resolveProbe = resolve)));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(onClose).not.toHaveBeenCalled();
    resolveProbe();
    await vi.advanceTimersByTimeAsync(0);
    expect(onClose).toHaveBeenCalledOnce();
  });

  it("reports once that it opened when concurrent attempts fail, and resets its counts when it closes", async () => {
    const { breaker, onOpen } = createBreaker(succeed);
    await Promise.all(Array.from({ length: 10 }, () => breaker.attempt(fail)));
    expect(onOpen).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(1_000);
    await breaker.attempt(fail);
    await breaker.attempt(fail);
    expect(onOpen).toHaveBeenCalledOnce();
  });
});
