import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Breaker } from "./breaker.ts";
import { Outage } from "./outage.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const works = async () => "answer";
const fails = async () => {
  throw new Error("no");
};
const hangs = () => new Promise<never>(() => undefined);

function scene(probe: () => Promise<unknown> = hangs) {
  const told = { probe: vi.fn(probe), onOpen: vi.fn(), onClose: vi.fn() };
  return { ...told, breaker: new Breaker({ timeoutMs: 100, ...told }) };
}

async function openScene(probe?: () => Promise<unknown>) {
  const opened = scene(probe);
  for (let times = 0; times < 3; times++) await opened.breaker.attempt(fails);
  return opened;
}

describe("a breaker", () => {
  it("gives what the attempt gives, and an outage when it fails", async () => {
    const { breaker } = scene();
    expect(await breaker.attempt(works)).toBe("answer");
    expect(await breaker.attempt(fails)).toMatchObject({ sent: true, reason: "no" });
  });

  it("counts as failed what does not answer in time, and drops what it answers or throws later", async () => {
    const { breaker } = scene();
    let fail = (_: Error): void => undefined;
    const attempt = breaker.attempt(() => new Promise((_, reject) => (fail = reject)));
    await vi.advanceTimersByTimeAsync(101);
    expect(await attempt).toMatchObject({ sent: true, reason: "no answer within 100 ms" });
    fail(new Error("too late"));
  });

  it("opens at the third failure within a second, whatever succeeds between them", async () => {
    const { breaker, onOpen } = scene();
    for (const attempt of [fails, works, fails, works]) await breaker.attempt(attempt);
    await vi.advanceTimersByTimeAsync(900);
    expect(onOpen).not.toHaveBeenCalled();
    await breaker.attempt(fails);
    expect(onOpen).toHaveBeenCalledOnce();
  });

  it("stays closed when failures come more seldom and others succeed", async () => {
    const { breaker, onOpen } = scene();
    for (let times = 0; times < 20; times++) {
      await breaker.attempt(fails);
      await breaker.attempt(works);
      await vi.advanceTimersByTimeAsync(501);
    }
    expect(onOpen).not.toHaveBeenCalled();
  });

  it("opens at the third failure in a row, however seldom", async () => {
    const { breaker, onOpen } = scene();
    for (let times = 0; times < 3; times++) {
      expect(onOpen).not.toHaveBeenCalled();
      await breaker.attempt(fails);
      await vi.advanceTimersByTimeAsync(60_000);
    }
    expect(onOpen).toHaveBeenCalledOnce();
  });

  it("attempts nothing while it is open", async () => {
    const { breaker } = await openScene();
    const attempt = vi.fn(works);
    expect(await breaker.attempt(attempt)).toMatchObject({ sent: false });
    expect(attempt).not.toHaveBeenCalled();
  });

  it("probes each second, and closes when a probe succeeds", async () => {
    let sound = false;
    const { breaker, probe, onClose } = await openScene(async () => (sound ? works() : fails()));
    await vi.advanceTimersByTimeAsync(3_500);
    expect(probe).toHaveBeenCalledTimes(3);
    expect(await breaker.attempt(works)).toBeInstanceOf(Outage);
    sound = true;
    await vi.advanceTimersByTimeAsync(500);
    expect(onClose).toHaveBeenCalledOnce();
    expect(await breaker.attempt(works)).toBe("answer");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(probe).toHaveBeenCalledTimes(4);
  });

  it("waits for a probe that hangs, and sends another only after half a minute", async () => {
    const { probe } = await openScene(hangs);
    await vi.advanceTimersByTimeAsync(30_500);
    expect(probe).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(probe).toHaveBeenCalledTimes(2);
  });

  it("closes as soon as a probe that hung is answered", async () => {
    let answer = (): void => undefined;
    const { onClose } = await openScene(() => new Promise<void>((resolve) => (answer = resolve)));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(onClose).not.toHaveBeenCalled();
    answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(onClose).toHaveBeenCalledOnce();
  });

  it("tells once that it opened, however many attempts were under way, and starts anew when it has closed", async () => {
    const { breaker, onOpen } = scene(works);
    await Promise.all(Array.from({ length: 10 }, () => breaker.attempt(fails)));
    expect(onOpen).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(1_000);
    await breaker.attempt(fails);
    await breaker.attempt(fails);
    expect(onOpen).toHaveBeenCalledOnce();
  });
});
