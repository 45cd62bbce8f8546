import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Limiter } from "@tollgate/core/store";
import { disturbWhile } from "../processes/disturb-while.ts";
import { readJournals } from "../processes/journal.ts";
import { KilledWorkers } from "../processes/killed-workers.ts";
import type { LimitsTask } from "../processes/limits-worker.ts";
import { type LimiterAddress, openLimiter } from "../processes/open-limiter.ts";
import { workerPath } from "../processes/worker-path.ts";
import { type LimitsAnswer, type LimitsCall, leaseMs, subjects } from "./limits/calls.ts";
import { checkLimits, type LimitsFindings } from "./limits/check-limits.ts";

/** The findings of a run, and the workers that ended without being killed. */
export interface LimitsReport extends LimitsFindings {
  readonly deaths: readonly string[];
}

/** The duration of a run and the interval of kills. */
export interface LimitsPlan {
  readonly seconds: number;
  readonly killEveryMs: number;
}

/** Runs and kills four processes that share limits, then waits for one lease and checks that every place is free. */
export async function killLimits(address: LimiterAddress, plan: LimitsPlan): Promise<LimitsReport> {
  const folder = await mkdtemp(join(tmpdir(), "tollgate-journals-"));
  const workers = new KilledWorkers<LimitsTask>(workerPath("limits-worker"), folder, { address });
  const { limiter, close } = openLimiter(address);
  try {
    workers.start(4);
    const killing = { everyMs: plan.killEveryMs, run: () => workers.killOne() };
    await disturbWhile(() => sleep(plan.seconds * 1_000), [killing]);
    await workers.stop();
    // Calls of killed workers may still be running.
    await sleep(leaseMs + 100);
    const stuck = await checkFreePlaces(limiter);
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
    await close();
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
