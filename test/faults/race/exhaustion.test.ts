import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryBalanceStore } from "@tollgate/core";
import type { BalanceStore, Credit } from "@tollgate/core/store";
import { migratePostgres } from "@tollgate/postgres";
import { Pool } from "pg";
import { describe, expect, inject, it } from "vitest";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import { openStore, type StoreAddress } from "../processes/open-store.ts";
import type { RaceTask } from "../processes/race-worker.ts";
import { amount, holdUntilRefused } from "./hold-until-refused.ts";
import { Racers } from "./racers.ts";

const rounds = { long: 200, short: 20 }[form];
const clients = 64;
const payable = 100;

describe(`${clients} clients on a balance that covers ${payable} holds`, () => {
  it(`get exactly ${payable} holds in memory`, async () => {
    const store = memoryBalanceStore();
    await repeatRace("memory", store, async (account) => [await holdUntilRefused(store, account, clients)]);
  });

  it(`get exactly ${payable} holds in SQLite, from two processes`, () => inTemporaryFile(raceProcesses), 300_000);

  it(
    `get exactly ${payable} holds in SQLite on lots, of which some have expired, from two processes`,
    () => inTemporaryFile((address) => raceProcesses(address, creditInLots)),
    300_000,
  );

  it.skipIf(inject("postgres") === undefined)(
    `get exactly ${payable} holds in PostgreSQL, from two processes`,
    () => withSchema(raceProcesses),
    300_000,
  );

  it.skipIf(inject("postgres") === undefined)(
    `get exactly ${payable} holds in PostgreSQL on lots, of which some have expired, from two processes`,
    () => withSchema((address) => raceProcesses(address, creditInLots)),
    300_000,
  );
});

describe(`${clients} clients on a spend limit for ${payable} holds`, () => {
  it.skipIf(inject("postgres") === undefined)(
    `get exactly ${payable} holds in PostgreSQL, from three processes`,
    () => withSchema(raceForLimit),
    300_000,
  );
});

async function withSchema(race: (address: StoreAddress) => Promise<void>): Promise<void> {
  const url = inject("postgres") ?? "";
  const schema = `race_${crypto.randomUUID().slice(0, 8)}`;
  const pool = new Pool({ connectionString: url });
  await migratePostgres(pool, { schema });
  try {
    await race({ kind: "postgres", url, schema });
  } finally {
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await pool.end();
  }
}

async function inTemporaryFile(race: (address: StoreAddress) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-sqlite-"));
  try {
    await race({ kind: "sqlite", file: join(folder, "ledger.db") });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function raceForLimit(address: StoreAddress): Promise<void> {
  const { store, close } = openStore(address);
  const spendLimit = amount * BigInt(payable + 1) - 1n;
  const task: RaceTask = { store: address, clients, spendLimit: String(spendLimit) };
  const racers = await Racers.start<number>("race-worker", task, 3);
  try {
    for (let round = 0; round < rounds; round++) {
      const account = `limited-${round}`;
      await store.credit({ id: `limited ${round}`, account, amount: 100n * spendLimit, reason: "top-up" });
      const admitted = await racers.race(account);
      expect(admitted.reduce((sum, count) => sum + count, 0)).toBe(payable);
      expect((await store.balance(account)).held).toBe(amount * BigInt(payable));
    }
    expect(await store.verify()).toEqual([]);
  } finally {
    await racers.stop();
    await close();
  }
}

async function raceProcesses(address: StoreAddress, fund = creditAtOnce): Promise<void> {
  const { store, close } = openStore(address);
  const task: RaceTask = { store: address, clients };
  const racers = await Racers.start<number>("race-worker", task, 2);
  try {
    await repeatRace(address.kind, store, (account) => racers.race(account), fund);
  } finally {
    await racers.stop();
    await close();
  }
}

/** Credits an account with the funds of a race. */
type Fund = (store: BalanceStore, account: string, amount: bigint) => Promise<void>;

const creditAtOnce: Fund = async (store, account, funds) =>
  void (await store.credit({ id: `top-up ${account}`, account, amount: funds, reason: "top-up" }));

/** The funds in four parts that pay in turn, and money that has expired. */
const creditInLots: Fund = async (store, account, funds) => {
  const at = (seconds: number) => ({ expiresAt: new Date(Date.now() + seconds * 1_000) });
  const quarter = funds / 4n;
  const credit = (part: bigint, more: Partial<Credit>) =>
    store.credit({ id: crypto.randomUUID(), account, amount: part, reason: "top-up", ...more });
  await credit(quarter, {});
  await credit(quarter, { kind: "granted" });
  await credit(quarter, { kind: "granted", ...at(3_600) });
  await credit(funds - 3n * quarter, at(7_200));
  await credit(1_000n * amount, { kind: "granted", ...at(-1) });
};

/** `race` resolves with the number of holds of each process. */
async function repeatRace(
  name: string,
  store: BalanceStore,
  race: (account: string) => Promise<readonly number[]>,
  fund = creditAtOnce,
) {
  const winners: (readonly number[])[] = [];
  for (let round = 0; round < rounds; round++) {
    const account = `round-${round}`;
    // The balance is one unit short of another hold.
    const funds = amount * BigInt(payable + 1) - 1n;
    await fund(store, account, funds);
    winners.push(await race(account));
    const { held, available } = await store.balance(account);
    expect([held, available]).toEqual([amount * BigInt(payable), amount - 1n]);
  }
  const admitted = winners.map((each) => each.reduce((sum, count) => sum + count, 0));
  printFigures(`Exhaustion race on ${name}`, {
    rounds,
    clients,
    admitted: [...new Set(admitted)].join(" or "),
    "rounds that both processes shared": winners.filter((each) => each.every((count) => count < payable)).length,
  });
  expect(new Set(admitted)).toEqual(new Set([payable]));
  expect(await store.verify()).toEqual([]);
}
