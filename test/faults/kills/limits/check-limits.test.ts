import type { LimitState } from "@tollgate/core/store";
import { describe, expect, it } from "vitest";
import type { LimitsAnswer, LimitsCall, LimitsMoment } from "./calls.ts";
import { checkLimits } from "./check-limits.ts";

/** The start of the windows of this test, which last 2 s. */
const begin = 1_000_000;

describe("the limits checker", () => {
  it("reports nothing for limits that are used completely", () => {
    const requests = Array.from({ length: 50 }, (_, at) => count(at, true));
    const tokens = [
      ...reserve("tokens", 5_000, 10),
      ...settle("tokens-10", 1_000, 20),
      ...reserve("tokens", 4_000, 30),
    ];
    const places = Array.from({ length: 6 }, (_, at) => reserve("places", 1, at)).flat();
    const next = [...settle("places-0", 0, 100), ...reserve("places", 1, 110), ...reserve("places", 1, 1_200)];
    const all = [...requests.flat(), ...count(60, false), ...tokens, ...refuse(40), ...places, ...next];
    expect(checkLimits(all).violations).toEqual([]);
  });

  it("detects a request above the limit, and one that was refused too early", () => {
    const many = Array.from({ length: 51 }, (_, at) => count(at, true)).flat();
    expect(checkLimits(many).violations).toEqual(["requests: 51 requests were granted where 50 were allowed."]);
    const few = [...count(1, true), ...count(2, false)];
    expect(checkLimits(few).violations).toEqual(["requests: A window of 50 refused after 1 requests."]);
  });

  it("detects tokens that were refunded after the end of the charged window", () => {
    const before = [...reserve("tokens", 1_000, -500), ...reserve("tokens", 5_000, 100), ...refuse(200)];
    const late = [...settle("tokens--500", 0, 300), ...reserve("tokens", 1_000, 400)];
    expect(checkLimits([...before, ...late]).violations).toEqual([
      "tokens: 6000 tokens were granted in a window where 5000 were allowed.",
    ]);
  });

  it("detects a place above the limit", () => {
    const places = Array.from({ length: 7 }, (_, at) => reserve("places", 1, at)).flat();
    expect(checkLimits([...count(1, true), ...places]).violations).toEqual([
      "places: 7 ran at once where 6 were allowed.",
    ]);
  });

  it("detects an error", () => {
    expect(checkLimits(answered({ verb: "renew", ids: [] }, 0, { error: "Error: no" })).violations).toEqual([
      "renew threw: Error: no",
    ]);
  });
});

function count(at: number, granted: boolean): LimitsMoment[] {
  return answered({ verb: "count", subject: "requests" }, at, { granted, state: state(at) });
}

/** The id consists of the subject and the time. */
function reserve(subject: string, amount: number, at: number): LimitsMoment[] {
  return answered({ verb: "reserve", id: `${subject}-${at}`, subject, amount }, at, { granted: true });
}

function refuse(at: number): LimitsMoment[] {
  const call = { verb: "reserve", id: `tokens-${at}`, subject: "tokens", amount: 1 } as const;
  return answered(call, at, { granted: false, refusedBy: "tokens", state: state(at) });
}

function settle(id: string, used: number, at: number): LimitsMoment[] {
  return answered({ verb: "settle", id, used }, at, {});
}

function answered(call: LimitsCall, at: number, answer: LimitsAnswer): LimitsMoment[] {
  const recorded = { call, begunAt: begin + at, answer, answeredAt: begin + at };
  return [
    { happened: "begun", recorded },
    { happened: "answered", recorded },
  ];
}

function state(at: number): LimitState {
  return { limit: 0, remaining: 0, resetAt: begin + 2_000, now: begin + at };
}
