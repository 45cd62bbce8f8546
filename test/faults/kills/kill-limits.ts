import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Limiter } from "@tollgate/core/store";
import { redisLimiter } from "@tollgate/redis";
import { createClient } from "redis";
import { disturbWhile } from "../processes/disturb-while.ts";
import { readJournals } from "../processes/journal.ts";
import { KilledWorkers } from "../processes/killed-workers.ts";
import type { LimitsTask } from "../processes/limits-worker.ts";
import { workerPath } from "../processes/worker-path.ts";
import { type LimitsAnswer, type LimitsCall, leaseMs, subjects } from "./limits/calls.ts";
import { checkLimits, type LimitsFindings } from "./limits/check-limits.ts";

/** The findings of a run, and the workers that ended without being killed. */
export interface LimitsReport extends LimitsFindings {
  readonly deaths: readonly string[];
}

/** The duration of a run and the interval of kills. With `mutated`, tokens are refunded to later windows. */
export interface LimitsPlan {
  readonly seconds: number;
  readonly killEveryMs: number;
  readonly mutated: boolean;
}

/** Runs and kills four processes that share limits, then waits for one lease and checks that every place is free. */
export async function killLimits(url: string, plan: LimitsPlan): Promise<LimitsReport> {
  const folder = await mkdtemp(join(tmpdir(), "tollgate-journals-"));
  const prefix = `faults-${crypto.randomUUID()}`;
  const workers = new KilledWorkers<LimitsTask>(workerPath("limits-worker"), folder, {
    url,
    prefix,
    mutated: plan.mutated,
  });
  const client = createClient({ url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    workers.start(4);
    const killing = { everyMs: plan.killEveryMs, run: () => workers.killOne() };
    await disturbWhile(() => sleep(plan.seconds * 1_000), [killing]);
    await workers.stop();
    // Calls of killed workers may still be running.
    await sleep(leaseMs + 100);
    const stuck = await checkFreePlaces(redisLimiter(client, { prefix, onOutage: "reject", timeoutMs: 5_000 }));
    const { violations, figures } = checkLimits(readJournals<LimitsCall, LimitsAnswer>(folder));
    return {
      violations: [...violations, ...stuck],
      figures: {
        seconds: plan.seconds,
        kills: workers.kills,
        ...figures,
        exceeded: violations.length,
        stuck: stuck.length,
      },
      deaths: workers.deaths,
    };
  } finally {
    await workers.stop();
    await client.close();
    await rm(folder, { recursive: true });
  }
}

async function checkFreePlaces(limiter: Limiter): Promise<string[]> {
  const stuck: string[] = [];
  for (const [subject, { concurrency }] of Object.entries(subjects)) {
    if (concurrency === undefined) continue;
    for (let place = 1; place <= concurrency; place++) {
      const { granted } = await limiter.reserve({ id: crypto.randomUUID(), subject, concurrency, leaseMs });
      if (!granted) stuck.push(`${subject}: place ${place} of ${concurrency} was still taken after its lease.`);
    }
  }
  return stuck;
}
