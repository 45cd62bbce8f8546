import fc from "fast-check";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { EndResult } from "../ports/balance-store.ts";
import { type MemoryBalanceStore, memoryBalanceStore } from "./memory-balance-store.ts";

interface ModelHold {
  readonly account: string;
  readonly amount: bigint;
  state: "pending" | "settled" | "released" | "expired";
  used: bigint;
  charged: bigint;
  expiresAt: number;
}

/** What the ledger must come to, written down without any of its machinery. */
interface Model {
  readonly holds: Map<string, ModelHold>;
  readonly postings: Map<string, { readonly account: string; readonly change: bigint }>;
}

type Command = fc.Command<Model, MemoryBalanceStore>;

const accounts = ["a", "b"];
const account = fc.constantFrom(...accounts);
const holdId = fc.integer({ min: 0, max: 4 }).map((number) => `hold-${number}`);
const postingId = fc.integer({ min: 0, max: 5 }).map((number) => `posting-${number}`);
/** Usage above a hold, which an expiry may charge as well, and corrections by the host; nothing else takes what is not there. */
const mayOverdraw = /^(?:settle|expire|debit)/;
const amount = fc.bigInt({ min: 0n, max: 40n });

beforeAll(() => void vi.useFakeTimers({ now: 0 }));
afterAll(() => void vi.useRealTimers());

it("agrees with the model after every command, and keeps every invariant", () => {
  const commands = [
    fc.tuple(holdId, account, amount, fc.integer({ min: 1, max: 100 })).map((given) => hold(...given)),
    fc.tuple(holdId, amount).map((given) => settle(...given)),
    holdId.map(release),
    fc.tuple(holdId, amount, fc.integer({ min: 1, max: 100 })).map((given) => renew(...given)),
    fc.constant(expire()),
    fc.tuple(postingId, account, fc.bigInt({ min: 1n, max: 60n })).map((given) => post("credit", ...given)),
    fc.tuple(postingId, account, fc.bigInt({ min: 1n, max: 30n })).map((given) => post("debit", ...given)),
    fc.integer({ min: 1, max: 60 }).map(pass),
  ];
  fc.assert(
    fc.property(fc.commands(commands, { maxCommands: 60, size: "max" }), (script) => {
      fc.modelRun(
        () => ({ model: { holds: new Map(), postings: new Map() }, real: memoryBalanceStore({ keepEntries: 8 }) }),
        script,
      );
    }),
    { numRuns: 2_000 },
  );
}, 60_000);

function hold(id: string, owner: string, wanted: bigint, leaseMs: number): Command {
  return command(`hold ${id} ${owner} ${wanted}`, (model, store) => {
    const known = model.holds.get(id);
    const enough = availableIn(model, owner) >= wanted;
    const result = store.hold({ id, account: owner, keyId: "k", amount: wanted, leaseMs, terms: [] });
    if (known !== undefined) {
      expect(result.outcome).toBe(known.account === owner && known.amount === wanted ? "held" : "conflict");
      return;
    }
    expect(result.outcome).toBe(enough ? "held" : "insufficient");
    const expiresAt = Date.now() + leaseMs;
    if (enough)
      model.holds.set(id, { account: owner, amount: wanted, state: "pending", used: 0n, charged: 0n, expiresAt });
  });
}

function settle(id: string, cost: bigint): Command {
  return command(`settle ${id} ${cost}`, (model, store) => {
    const known = model.holds.get(id);
    expect(store.settle(id, cost).outcome).toBe(endOf(known, cost));
    if (known?.state !== "pending" && known?.state !== "expired") return;
    Object.assign(known, { state: "settled", charged: cost });
  });
}

function endOf(known: ModelHold | undefined, cost: bigint): EndResult["outcome"] {
  if (known === undefined) return "unknown";
  if (known.state === "pending") return "ended";
  if (known.state === "expired") return "late";
  return known.state === "settled" && known.charged === cost ? "repeated" : "conflict";
}

function release(id: string): Command {
  return command(`release ${id}`, (model, store) => {
    const known = model.holds.get(id);
    const outcomes = { pending: "ended", released: "repeated", settled: "conflict", expired: "conflict" } as const;
    expect(store.release(id).outcome).toBe(known === undefined ? "unknown" : outcomes[known.state]);
    if (known?.state === "pending") known.state = "released";
  });
}

function renew(id: string, used: bigint, leaseMs: number): Command {
  return command(`renew ${id} ${used}`, (model, store) => {
    const known = model.holds.get(id);
    const pending = known?.state === "pending";
    expect(store.renew([{ id, used }], leaseMs)).toEqual(pending ? [id] : []);
    if (!pending) return;
    known.expiresAt = Date.now() + leaseMs;
    if (used > known.used) known.used = used;
  });
}

function expire(): Command {
  return command("expire", (model, store) => {
    const due = [...model.holds.values()].filter((each) => each.state === "pending" && each.expiresAt <= Date.now());
    expect(store.expire()).toBe(due.length);
    for (const each of due) Object.assign(each, { state: "expired", charged: each.used });
  });
}

function post(kind: "credit" | "debit", id: string, owner: string, sum: bigint): Command {
  return command(`${kind} ${id} ${owner} ${sum}`, (model, store) => {
    const change = kind === "credit" ? sum : -sum;
    const known = model.postings.get(id);
    const same = known?.account === owner && known.change === change;
    const outcome = store[kind]({ id, account: owner, amount: sum, reason: "test" }).outcome;
    expect(outcome).toBe(known === undefined ? "posted" : same ? "repeated" : "conflict");
    if (known === undefined) model.postings.set(id, { account: owner, change });
  });
}

function pass(milliseconds: number): Command {
  return command(`${milliseconds} ms pass`, () => void vi.advanceTimersByTime(milliseconds));
}

function command(name: string, run: (model: Model, store: MemoryBalanceStore) => void): Command {
  return {
    check: () => true,
    run: (model, store) => {
      const before = accounts.map((owner) => store.balance(owner).available);
      run(model, store);
      expectInvariants(model, store);
      if (mayOverdraw.test(name)) return;
      for (const [at, owner] of accounts.entries()) {
        const { available } = store.balance(owner);
        expect(available >= 0n || available >= (before[at] ?? 0n)).toBe(true);
      }
    },
    toString: () => name,
  };
}

function expectInvariants(model: Model, store: MemoryBalanceStore): void {
  expect(store.verify()).toEqual([]);
  for (const owner of accounts) {
    const { posted, held, available } = store.balance(owner);
    expect([posted, held, available]).toEqual([
      postedIn(model, owner),
      heldIn(model, owner),
      availableIn(model, owner),
    ]);
    const { entries } = store.entries({ account: owner, limit: 100 });
    expect(entries.reduce((sum, entry) => sum + entry.amount, 0n)).toBe(posted);
    expect(held >= 0n).toBe(true);
  }
}

function postedIn(model: Model, owner: string): bigint {
  const postings = [...model.postings.values()].filter((each) => each.account === owner).map(({ change }) => change);
  const charges = [...model.holds.values()].filter((each) => each.account === owner).map(({ charged }) => -charged);
  return [...postings, ...charges].reduce((sum, change) => sum + change, 0n);
}

function heldIn(model: Model, owner: string): bigint {
  const pending = [...model.holds.values()].filter((each) => each.account === owner && each.state === "pending");
  return pending.reduce((sum, each) => sum + each.amount, 0n);
}

function availableIn(model: Model, owner: string): bigint {
  return postedIn(model, owner) - heldIn(model, owner);
}
