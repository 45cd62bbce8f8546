import { shardedStores } from "@tollgate/postgres";
import { describe, expect, it } from "vitest";
import { shardDatabases } from "../../../packages/postgres/test-support/shard-databases.ts";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import type { Violation } from "../kills/ledger/violation.ts";
import type { MoveMutation } from "../processes/move-mutations.ts";
import { killMoves, type MovePlan } from "./kill-moves.ts";

const { seconds, minimums } = {
  long: { seconds: 60, minimums: { moves: 100, "kills of movers": 20, holds: 5_000, releases: 200 } },
  short: { seconds: 4, minimums: { moves: 2, "kills of movers": 1, holds: 100, releases: 5 } },
}[form];

/** Each mutation, and the kinds of violations that the checker can report for it. */
const mutations: readonly (readonly [MoveMutation, readonly Violation["kind"][]])[] = [
  ["no fence", ["lost", "double", "drift", "wrong", "stuck"]],
  ["flip before the copy", ["lost", "double", "drift", "wrong", "stuck"]],
];
/** The short form seeds one, since each takes as long as the test without a mutation. */
const seeded = { long: mutations, short: mutations.slice(0, 1) }[form];

describe("accounts that are moved between shards while several processes use them", () => {
  const databases = shardDatabases("a", "b", "c");
  const newSystem = async () => {
    await shardedStores({ directory: databases.pool("a"), shards: databases.pools() });
    return Object.fromEntries(["a", "b", "c"].map((name) => [name, databases.url(name)]));
  };

  it(`lose and repeat nothing while users and movers are killed for ${seconds} s`, async () => {
    const plan: MovePlan = { seconds, minimums, killEveryMs: 900, killMoverEveryMs: 2_000 };
    const { figures, violations, failures } = await killMoves(await newSystem(), plan);
    printFigures("Kills while accounts move", figures);
    expect(violations).toEqual([]);
    expect(failures).toEqual([]);
    for (const [name, count] of Object.entries(minimums)) expect(figures[name], name).toBeGreaterThanOrEqual(count);
  }, 300_000);
});

describe.each(seeded)("a move with the seeded mutation: %s", (mutation, kinds) => {
  const databases = shardDatabases("a", "b");

  it("is detected", async () => {
    await shardedStores({ directory: databases.pool("a"), shards: databases.pools() });
    const urls = { a: databases.url("a"), b: databases.url("b") };
    const seen = new Set<Violation["kind"]>();
    // On a busy machine, a run can end before the mutation has had an effect.
    for (let tries = 0; tries < 4 && !kinds.some((kind) => seen.has(kind)); tries++) {
      const { violations } = await killMoves(urls, { seconds: 2, minimums: { holds: 50 }, mutation });
      for (const { kind } of violations) seen.add(kind);
    }
    expect(
      kinds.filter((kind) => seen.has(kind)),
      `Found ${[...seen]} instead.`,
    ).not.toEqual([]);
  }, 120_000);
});
