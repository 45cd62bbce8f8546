import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { KeyAdmin, KeyStore } from "@tollgate/core/store";
import { requireStore } from "@tollgate/management/operations";
import { Failure } from "../failure.ts";
import type { Session } from "../session.ts";
import { type Difference, findDifferences } from "./check-proof.ts";
import { collectEvidence, type Evidence } from "./evidence.ts";
import { readJournals } from "./journal.ts";
import type { ProofPlace } from "./place.ts";
import { leaseMs, type ProofKey, type ProofStores } from "./worker.ts";
import { Workers } from "./workers.ts";

/** What a proof did and found. Counts. */
export interface Proof {
  readonly kills: number;
  readonly answers: number;
  readonly refusals: number;
  readonly holds: number;
  readonly credits: number;
  readonly settlements: number;
  /** Holds whose process was killed before it had ended them. */
  readonly cut: number;
  readonly seconds: number;
  readonly differences: readonly Difference[];
}

const accounts = ["proof-1", "proof-2", "proof-3"];
const processes = 2;

/** Returns the stores of a session that a gateway needs. Throws a Failure if one is absent. */
export function storesOf(session: Session): ProofStores {
  const { context } = session;
  const [keys, balances] = [requireStore(context, "keys"), requireStore(context, "balances")];
  if (isKeyStore(keys)) return { keys, balances, models: session.hasModels ? session.models : [] };
  const problem =
    "`keys` has no methods find and onChange, with which a gateway reads keys. Export a KeyStore as well.";
  throw new Failure("config", `${session.file}: ${problem}`);
}

const isKeyStore = (keys: KeyAdmin): keys is KeyAdmin & KeyStore =>
  ["find", "onChange"].every((method) => typeof Reflect.get(keys, method) === "function");

/** Kills processes under load, in new stores, and compares the ledger with what was acknowledged. */
export async function runProof(session: Session, place: ProofPlace, kills: number): Promise<Proof> {
  const start = Date.now();
  const { ask } = session.context;
  const { keys, balances } = storesOf(session);
  await requireNew(session);
  const journals = join(place.folder, "journals");
  await mkdir(journals);
  const proofKeys = await Promise.all(accounts.map((account) => ask(() => createKey(keys, account))));
  const { file, signal } = session;
  const workers = new Workers({ file, task: { place, keys: proofKeys }, journals, signal });
  try {
    for (let count = 0; count < processes; count++) workers.start();
    while (workers.kills < kills) await workers.killOne();
    await workers.drain();
  } finally {
    await workers.stop();
  }
  await endHolds(session);
  const evidence = collectEvidence(readJournals(journals));
  const differences = await ask(() => findDifferences(balances, accounts, evidence));
  const seconds = Math.round((Date.now() - start) / 1_000);
  return { kills, ...countsOf(evidence), seconds, differences };
}

async function createKey(keys: KeyAdmin, account: string): Promise<ProofKey> {
  const { key, secret } = await keys.create({ account, plan: "proof" });
  return { id: key.id, account, secret };
}

/** Throws a Failure if the config file opened stores that are in use. */
async function requireNew({ context, file }: Session): Promise<void> {
  const { keys, accounts } = context.stores;
  const keyPage = await context.ask(() => keys?.list({ limit: 1 }));
  const accountPage = await context.ask(() => accounts?.listAccounts({ limit: 1 }));
  if (keyPage?.keys.length === 0 && (accountPage?.accounts.length ?? 0) === 0) return;
  const problem = "opened stores that have keys or accounts, so the proof wrote nothing. Open new ones in its `schema`";
  throw new Failure("config", `${file}: \`prove\` ${problem}, or in a file in its \`folder\`.`);
}

/** Sweeps until every lease is over. */
async function endHolds({ context }: Session): Promise<void> {
  const balances = requireStore(context, "balances");
  for (const endsAt = Date.now() + 3 * leaseMs; Date.now() < endsAt; await sleep(100)) {
    await context.ask(() => balances.expire());
    const held = await context.ask(() => Promise.all(accounts.map((account) => balances.balance(account))));
    if (held.every((balance) => balance.held === 0n)) return;
  }
}

function countsOf({ holds, credits, answers, refusals }: Evidence) {
  const all = [...holds.values()];
  const settlements = all.filter(({ settles }) => settles.length > 0).length;
  const cut = all.filter(({ settles, releases }) => settles.length + releases.length === 0).length;
  const counts = { answers: answers.length, refusals, holds: all.length, settlements, cut };
  return { ...counts, credits: new Set(credits.map(({ id }) => id)).size };
}
