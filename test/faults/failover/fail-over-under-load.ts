import { setTimeout as sleep } from "node:timers/promises";
import { migratePostgres } from "@tollgate/postgres";
import { Pool } from "pg";
import { type KillPlan, type KillReport, killLedger } from "../kills/kill-ledger.ts";
import { Clients } from "./answers.ts";
import { checkAnswers } from "./check-answers.ts";
import type { Failure, PostgresPair } from "./postgres-pair.ts";
import { Service } from "./service.ts";

/** What a failover did to the ledger and to the clients. */
export interface FailoverReport extends KillReport {
  /** The differences between the answers of clients and the ledger. */
  readonly differences: readonly string[];
  /** From the promotion until every gateway has served a request. */
  readonly servedAfterMs: number;
  /** The number of answers by status. */
  readonly statuses: Readonly<Record<number, number>>;
}

const plan: KillPlan = {
  seconds: 2.5,
  minimums: { crashes: 1, settles: 100 },
  workers: 2,
  loops: 3,
  leaseMs: 1_500,
  // Only the server.
  killEveryMs: 3_600_000,
};

/**
 * Fails over while processes use a ledger of their own, and clients ask gateways. Then gives the promoted server a standby, and
 * compares what the processes and the clients were told with both ledgers.
 */
export async function failOverUnderLoad(
  pair: PostgresPair,
  service: Service,
  failure: Failure,
): Promise<FailoverReport> {
  const { account, secrets } = await service.addCustomer(4);
  const schema = `failover_${crypto.randomUUID().slice(0, 8)}`;
  // A connection that is idle when the server fails may never end.
  const pool = new Pool({ connectionString: pair.url, max: 1, idleTimeoutMillis: 100 }).on("error", () => undefined);
  await migratePostgres(pool, { schema });
  const clients = new Clients(service.ports, secrets);
  const failover = new Failover(pair, clients, failure);
  try {
    const crash = { everyMs: 1_000, run: () => failover.runOnce() };
    const address = { kind: "postgres", url: pair.url, schema, queryTimeoutMs: 2_000 } as const;
    const report = await killLedger(address, { ...plan, crash });
    await clients.stop();
    const differences = await differencesLeft(service, account, clients);
    return { ...report, servedAfterMs: failover.servedAfterMs, statuses: countStatuses(clients), differences };
  } finally {
    await Promise.all([clients.stop(), failover.standby]);
    await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
    await pool.end();
  }
}

/** One failover, which the disturbances of a run may call for again. */
class Failover {
  servedAfterMs = Number.POSITIVE_INFINITY;
  /** Resolves when the promoted server has a standby, which takes long while the processes use it. */
  standby: Promise<void> | undefined;

  constructor(
    private readonly pair: PostgresPair,
    private readonly clients: Clients,
    private readonly failure: Failure,
  ) {}

  async runOnce(): Promise<void> {
    if (this.standby !== undefined) return;
    this.servedAfterMs = await this.clients.servedSince(await this.pair.failOver(this.failure));
    this.standby = this.pair.addStandby();
    // It is awaited at the end.
    this.standby.catch(() => undefined);
  }
}

/** Returns the differences that are left when the gateways have repeated every settlement that waited. */
async function differencesLeft(
  { balances }: Service,
  account: string,
  { answers }: Clients,
): Promise<readonly string[]> {
  const endsAt = Date.now() + 15_000;
  for (;;) {
    const differences = await checkAnswers(balances, account, answers, Service.price);
    if (differences.length === 0 || Date.now() > endsAt) return differences;
    await sleep(200);
  }
}

function countStatuses({ answers }: Clients): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
