import { expect, it, vi } from "vitest";
import { BodyBudget, BodyShare, KeyUses } from "./body-budget.ts";

const uses = new KeyUses();
const shareOf = (budget: BodyBudget, keyId: string) => new BodyShare(budget, { keyId, running: 0, bodyBytes: 0 });

it("counts bytes up to a quarter of the limit for one key, rounded down", () => {
  const budget = new BodyBudget(43);
  const share = shareOf(budget, "key");
  expect([share.take(6), share.take(5), share.take(4), share.take(1)]).toEqual([true, false, true, false]);
  expect([budget.used, share.use.bodyBytes]).toEqual([10, 10]);
});

it("counts bytes of all keys up to the limit", () => {
  const budget = new BodyBudget(40);
  const shares = ["a", "b", "c", "d", "e"].map((key) => shareOf(budget, key));
  expect(shares.map((share) => share.take(10))).toEqual([true, true, true, true, false]);
  expect(budget.used).toBe(40);
});

it("releases all bytes of a body once", () => {
  const budget = new BodyBudget(100);
  const [one, other] = [shareOf(budget, "a"), shareOf(budget, "b")];
  one.take(10);
  one.take(5);
  other.take(7);
  one.release();
  one.release();
  expect([budget.used, one.use.bodyBytes, other.use.bodyBytes]).toEqual([7, 0, 7]);
});

it("counts spare bytes only in the first half of the limits, of one key and of all", () => {
  const budget = new BodyBudget(80);
  const share = shareOf(budget, "a");
  expect([share.takeSpare(11), share.takeSpare(10), share.takeSpare(1), share.take(10)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
  for (const key of ["b", "c"]) shareOf(budget, key).take(10);
  expect(shareOf(budget, "d").takeSpare(1)).toBe(false);
});

it("knows which bytes would fit if nobody else had any", () => {
  const share = shareOf(new BodyBudget(40), "a");
  share.take(4);
  expect([share.canEverTake(6), share.canEverTake(7)]).toEqual([true, false]);
});

it("grants waiting bytes in their order once they have room, and skips those that still have none", () => {
  const budget = new BodyBudget(40);
  const shares = ["a", "b", "c", "d"].map((key) => shareOf(budget, key));
  for (const share of shares) share.take(10);
  const granted: string[] = [];
  const waitFor = (keyId: string, bytes: number) => {
    const waiting = { share: shareOf(budget, keyId), bytes, granted: () => granted.push(keyId) };
    budget.enqueue(waiting);
    return waiting;
  };
  waitFor("large", 11);
  waitFor("first", 6);
  budget.dequeue(waitFor("gone", 1));
  waitFor("second", 4);
  waitFor("third", 1);
  expect(budget.waiting).toBe(4);
  shares[0]?.release();
  expect(granted).toEqual(["first", "second"]);
  expect([budget.used, budget.waiting]).toEqual([40, 2]);
  shares[1]?.release();
  expect(granted).toEqual(["first", "second", "third"]);
});

it("wakes nobody when a body without bytes is released", () => {
  const budget = new BodyBudget(40);
  const granted = vi.fn();
  budget.enqueue({ share: shareOf(budget, "a"), bytes: 1, granted });
  shareOf(budget, "b").release();
  expect([granted.mock.calls.length, budget.waiting]).toEqual([0, 1]);
});

it("keeps one entry for each key, and up to 1,000 of idle keys", () => {
  const first = uses.of("key-0");
  expect(first).toEqual({ keyId: "key-0", running: 0, bodyBytes: 0 });
  for (let key = 1; key < 1_000; key++) uses.of(`key-${key}`);
  uses.remove(first);
  expect(uses.of("key-0")).toBe(first);
  uses.of("key-1000");
  uses.remove(first);
  expect(uses.of("key-0")).not.toBe(first);
});
