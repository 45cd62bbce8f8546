import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { Breaker } from "./target-health.ts";

const settings = { threshold: 3, cooldownMs: 1_000 };

/** A breaker that opened at 0, after entry 1. */
function opened(): Breaker {
  const breaker = new Breaker(settings);
  breaker.enter(0, 1);
  breaker.open(0, 1, down);
  return breaker;
}

const down = { failure: "failed" };

describe("a breaker", () => {
  it("opens after consecutive failures without a success between them", () => {
    const breaker = new Breaker(settings);
    const outcomes = [1, 2].map((entry) => breaker.fail(0, entry, down));
    expect(breaker.succeed(3)).toBe(false);
    outcomes.push(...[4, 5].map((entry) => breaker.fail(0, entry, down)));
    expect([outcomes, breaker.isOpen]).toEqual([[false, false, false, false], false]);
    expect([breaker.fail(7, 6, down), breaker.isOpen, breaker.failedAt]).toEqual([true, true, 7]);
    expect(breaker.fail(8, 7, down)).toBe(false);
  });

  it("admits one probe after the cooldown, and is closed by its success", () => {
    const breaker = opened();
    expect([breaker.admits(999), breaker.admits(1_000)]).toEqual([false, true]);
    breaker.enter(1_000, 2);
    expect(breaker.admits(1_999)).toBe(false);
    expect([breaker.succeed(2), breaker.isOpen, breaker.admits(1_001)]).toEqual([true, false, true]);
  });

  it("is opened again by the failure of the probe", () => {
    const breaker = opened();
    breaker.enter(1_000, 2);
    expect(breaker.fail(1_500, 2, down)).toBe(false);
    expect([breaker.admits(2_499), breaker.admits(2_500)]).toEqual([false, true]);
  });

  it("admits another probe when the first ends without a result, or does not end", () => {
    const left = opened();
    left.enter(1_000, 2);
    left.leave(2);
    expect([left.isOpen, left.admits(1_001)]).toEqual([true, true]);
    const hanging = opened();
    hanging.enter(1_000, 2);
    expect([hanging.admits(1_999), hanging.admits(2_000)]).toEqual([false, true]);
  });

  it("ignores requests that were running when it opened", () => {
    const breaker = new Breaker(settings);
    for (const entry of [1, 2, 3]) breaker.enter(0, entry);
    breaker.open(0, 2, down);
    expect([breaker.succeed(1), breaker.isOpen]).toEqual([false, true]);
    breaker.enter(1_000, 4);
    breaker.leave(3);
    expect(breaker.admits(1_001)).toBe(false);
    expect([breaker.fail(1_500, 1, down), breaker.open(1_500, 3, down), breaker.admits(2_000)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("is closed by the success of a request that was sent while it was open", () => {
    const breaker = opened();
    breaker.enter(10, 2);
    expect([breaker.succeed(2), breaker.isOpen]).toEqual([true, false]);
  });
});

type Step = {
  readonly wait: number;
  readonly event: "enter" | "force" | "succeed" | "fail" | "open" | "leave";
  readonly of: number;
};

const steps = fc.array(
  fc.record<Step>({
    wait: fc.integer({ min: 0, max: 600 }),
    event: fc.constantFrom("enter", "enter", "force", "succeed", "fail", "fail", "open", "leave"),
    of: fc.nat(7),
  }),
  { maxLength: 80 },
);

/** A reference model of the breaker, with all running requests. */
class Model {
  state: "closed" | { readonly until: number; readonly fresh: readonly number[]; readonly probe?: number } = "closed";
  failures = 0;
  running: number[] = [];

  admits(now: number): boolean {
    return this.state === "closed" || now >= this.state.until;
  }

  enter(now: number, entry: number): void {
    if (this.state !== "closed") {
      const fresh = [...this.state.fresh, entry];
      this.state = this.admits(now)
        ? { until: now + settings.cooldownMs, fresh, probe: entry }
        : { ...this.state, fresh };
    }
    this.running.push(entry);
  }

  end(now: number, entry: number, event: Step["event"]): void {
    this.running = this.running.filter((each) => each !== entry);
    if (event === "fail") this.failures += 1;
    if (this.state !== "closed" && !this.state.fresh.includes(entry)) return;
    const opens =
      event === "open" || (event === "fail" && (this.state !== "closed" || this.failures >= settings.threshold));
    if (opens) this.state = { until: now + settings.cooldownMs, fresh: [] };
    else if (event === "succeed") {
      this.state = "closed";
      this.failures = 0;
    } else if (event === "leave" && this.state !== "closed" && this.state.probe === entry) {
      this.state = { ...this.state, until: 0 };
    }
  }
}

test.prop([steps])("a breaker agrees with the reference model", (all) => {
  const breaker = new Breaker(settings);
  const model = new Model();
  let now = 1;
  let entries = 0;
  for (const { wait, event, of } of all) {
    now += wait;
    expect([breaker.isOpen, breaker.admits(now)]).toEqual([model.state !== "closed", model.admits(now)]);
    const entry = model.running[of % Math.max(1, model.running.length)];
    if (event === "force" || (event === "enter" && breaker.admits(now))) {
      entries += 1;
      breaker.enter(now, entries);
      model.enter(now, entries);
    } else if (event !== "enter" && entry !== undefined) {
      const wasOpen = breaker.isOpen;
      model.end(now, entry, event);
      const changed =
        event === "leave"
          ? breaker.leave(entry)
          : event === "succeed"
            ? breaker.succeed(entry)
            : breaker[event](now, entry, down);
      expect(changed ?? false).toBe(wasOpen !== (model.state !== "closed"));
    }
  }
});

test.prop([fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 })])(
  "an open breaker admits at most one request per cooldown if none of them ends",
  (waits) => {
    const breaker = opened();
    const admitted: number[] = [];
    let now = 0;
    waits.forEach((wait, place) => {
      now += wait;
      if (!breaker.admits(now)) return;
      admitted.push(now);
      breaker.enter(now, place + 2);
    });
    for (const [place, at] of admitted.entries()) expect(at - (admitted[place - 1] ?? 0)).toBeGreaterThanOrEqual(1_000);
  },
);
