import { expect, it, vi } from "vitest";
import { BodyBudget } from "./body-budget.ts";
import { InFlight } from "./in-flight.ts";
import { TurnRun } from "./turn-run.ts";

function turnUnderTest() {
  const requests = new InFlight({ all: 10, perKey: 1 }, new BodyBudget(1_000));
  return { requests, turn: new TurnRun(requests.enter("request", "key")) };
}

it("ends its request when the turn and all of its calls have ended, in any order", () => {
  const { requests, turn } = turnUnderTest();
  const [one, other] = [turn.call(), turn.call()];
  one.end();
  one.end();
  turn.end();
  turn.end();
  expect(requests.count).toBe(1);
  other.end();
  expect(requests.count).toBe(0);
});

it("keeps its request while the turn itself runs", () => {
  const { requests, turn } = turnUnderTest();
  turn.call().end();
  expect(requests.count).toBe(1);
  turn.end();
  expect(requests.count).toBe(0);
});

it("ends its request once", () => {
  const end = vi.fn();
  const run = new InFlight({ all: 1, perKey: 1 }, new BodyBudget(1)).enter("request", "key");
  const turn = new TurnRun(Object.assign(run, { end }));
  const call = turn.call();
  for (const each of [turn, call, turn, call]) each.end();
  expect(end).toHaveBeenCalledOnce();
});

it("has an id of its own for each call, and no body", () => {
  const { turn } = turnUnderTest();
  const [one, other] = [turn.call(), turn.call()];
  expect(new Set(["request", turn.id, one.id, other.id]).size).toBe(4);
  expect([turn.body, one.body]).toEqual([undefined, undefined]);
});

it.each(["turn", "call"])("a %s passes on that its client left, and is aborted with its request", (kind) => {
  const { requests, turn } = turnUnderTest();
  const run = kind === "turn" ? turn : turn.call();
  const aborted = vi.fn();
  run.onAbort(aborted);
  run.leaveKey();
  requests.enter("another", "key");
  expect(run.aborted).toBe(false);
  requests.abortAll();
  expect([run.aborted, aborted.mock.calls.length]).toEqual([true, 1]);
});
