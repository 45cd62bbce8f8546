import { setTimeout as sleep } from "node:timers/promises";
import { disturbWhile } from "../processes/disturb-while.ts";
import type { KilledWorkers } from "../processes/killed-workers.ts";
import type { TurnTask } from "../processes/turn-worker.ts";
import type { TurnAnswer, TurnMoment } from "./turn-attempt.ts";

/** The duration, load and faults of a run. */
export interface SessionKillPlan {
  readonly seconds: number;
  /** The minimum of each figure, by name. On a busy machine, the run takes up to ten times as long to reach them. */
  readonly minimums: Readonly<Record<string, number>>;
  readonly workers: number;
  /** The concurrent turns of one worker. */
  readonly loops: number;
  readonly sessions: number;
  readonly leaseMs: number;
  readonly killEveryMs: number;
  /** A crash of the database. */
  readonly crash?: () => Promise<void>;
}

type Figures = Record<string, number>;

/** Runs the workers, kills them and suspends them for longer than a lease, and returns the figures. */
export async function disturbTurns(
  { seconds, minimums, killEveryMs, leaseMs, crash, workers: count }: SessionKillPlan,
  workers: KilledWorkers<TurnTask>,
  moments: () => readonly TurnMoment[],
): Promise<Figures> {
  const start = Date.now();
  let [stops, crashes] = [0, 0];
  const counts = () => ({ kills: workers.kills, stops, crashes, ...countTurns(moments()) });
  const completedTurns = () => countTurns(moments())["turns"] ?? 0;
  const enough = async () => {
    await sleep(seconds * 1_000);
    while (!reaches(counts(), minimums) && Date.now() < start + seconds * 10_000) await sleep(500);
  };
  const stop = () => workers.stopOne(1.5 * leaseMs).then(() => void stops++);
  const crashOnce = () => crash?.().then(() => void crashes++);
  workers.start(count);
  await disturbWhile(enough, [
    { everyMs: killEveryMs, run: afterTurns(2, completedTurns, () => workers.killOne()) },
    { everyMs: leaseMs, run: afterTurns(1, completedTurns, stop) },
    { everyMs: 2_000, run: afterTurns(10, completedTurns, async () => crashOnce()) },
  ]);
  await workers.stop();
  return { seconds: Math.round((Date.now() - start) / 1_000), ...counts() };
}

/**
 * Disturbs only after enough turns have completed since the last disturbance, so that a slow machine makes progress.
 */
function afterTurns(needed: number, completedTurns: () => number, disturb: () => Promise<void>): () => Promise<void> {
  let before = 0;
  return async () => {
    if (completedTurns() < before + needed) return;
    await disturb();
    before = completedTurns();
  };
}

function reaches(counts: Readonly<Figures>, minimums: Readonly<Figures>): boolean {
  return Object.entries(minimums).every(([name, count]) => (counts[name] ?? 0) >= count);
}

function countTurns(moments: readonly TurnMoment[]): Figures {
  const answers = moments.filter(({ happened }) => happened === "answered").map(({ recorded }) => recorded.answer);
  const count = (outcome: TurnAnswer["outcome"]) => answers.filter((answer) => answer?.outcome === outcome).length;
  return {
    turns: count("completed"),
    "turns refused": count("refused"),
    "turns failed": count("failed"),
    "turns cut off": moments.length - 2 * answers.length,
  };
}
