import { setTimeout as sleep } from "node:timers/promises";
import { disturbWhile } from "../processes/disturb-while.ts";
import type { KilledWorkers } from "../processes/killed-workers.ts";
import type { TurnTask } from "../processes/turn-worker.ts";
import type { TurnAnswer, TurnMoment } from "./turn-attempt.ts";
import type { TurnFlaw } from "./turn-flaws.ts";

/** How long workers are disturbed in the middle of turns, and how often. */
export interface SessionKillPlan {
  readonly seconds: number;
  /** How often what must have happened, by the names of the figures; a busy machine gets up to ten times as long. */
  readonly least: Readonly<Record<string, number>>;
  readonly workers: number;
  /** Turns that one worker runs at the same time. */
  readonly loops: number;
  readonly sessions: number;
  readonly leaseMs: number;
  readonly killEveryMs: number;
  /** What befalls the database. */
  readonly crash?: () => Promise<void>;
  /** A mistake in the store of the workers. */
  readonly flaw?: TurnFlaw;
}

type Figures = Record<string, number>;

/** Lets the workers run turns, kills them and stops them for longer than a lease, and gives back how often what happened. */
export async function disturbTurns(
  { seconds, least, killEveryMs, leaseMs, crash, workers: count }: SessionKillPlan,
  workers: KilledWorkers<TurnTask>,
  moments: () => readonly TurnMoment[],
): Promise<Figures> {
  const began = Date.now();
  let [stops, crashes] = [0, 0];
  const counts = () => ({ kills: workers.kills, stops, crashes, ...countTurns(moments()) });
  const keptTurns = () => countTurns(moments())["turns"] ?? 0;
  const enough = async () => {
    await sleep(seconds * 1_000);
    while (!reaches(counts(), least) && Date.now() < began + seconds * 10_000) await sleep(500);
  };
  const stop = () => workers.stopOne(1.5 * leaseMs).then(() => void stops++);
  const crashOnce = () => crash?.().then(() => void crashes++);
  workers.start(count);
  await disturbWhile(enough, [
    { everyMs: killEveryMs, run: afterTurns(2, keptTurns, () => workers.killOne()) },
    { everyMs: leaseMs, run: afterTurns(1, keptTurns, stop) },
    { everyMs: 2_000, run: afterTurns(10, keptTurns, async () => crashOnce()) },
  ]);
  await workers.stop();
  return { seconds: Math.round((Date.now() - began) / 1_000), ...counts() };
}

/** Disturbs only what has come on since it was last disturbed, so that a slow machine comes on too. */
function afterTurns(needed: number, keptTurns: () => number, disturb: () => Promise<void>): () => Promise<void> {
  let before = 0;
  return async () => {
    if (keptTurns() < before + needed) return;
    await disturb();
    before = keptTurns();
  };
}

function reaches(counts: Readonly<Figures>, least: Readonly<Figures>): boolean {
  return Object.entries(least).every(([name, count]) => (counts[name] ?? 0) >= count);
}

function countTurns(moments: readonly TurnMoment[]): Figures {
  const answers = moments.filter(({ happened }) => happened === "answered").map(({ recorded }) => recorded.answer);
  const told = (outcome: TurnAnswer["outcome"]) => answers.filter((answer) => answer?.outcome === outcome).length;
  return {
    turns: told("kept"),
    "turns refused": told("refused"),
    "turns failed": told("failed"),
    "turns cut off": moments.length - 2 * answers.length,
  };
}
