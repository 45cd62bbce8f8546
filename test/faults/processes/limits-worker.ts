import { redisLimiter } from "@tollgate/redis";
import { createClient } from "redis";
import type { LimitsAnswer, LimitsCall } from "../kills/limits/calls.ts";
import { LimitsWorkload } from "../kills/limits/limits-workload.ts";
import { limiterRewrite, Planter } from "./flaws.ts";
import { Journal } from "./journal.ts";
import type { Life } from "./killed-workers.ts";
import { readTask } from "./task.ts";

/** A process that uses limits until it is killed. */
export interface LimitsTask {
  readonly url: string;
  readonly prefix: string;
  /** Plants the mistake of refunds that reach a later window. */
  readonly flawed: boolean;
}

const { url, prefix, flawed, journal } = readTask<LimitsTask & Life>();
const client = createClient({ url });
client.on("error", () => undefined);
const planter = new Planter(flawed ? limiterRewrite : []);
const planted = {
  // As a server that knows no script answers, so that each comes as text.
  evalSha: () => Promise.reject(new Error("NOSCRIPT")),
  eval: (script: string, options: { keys: string[]; arguments: string[] }) =>
    client.eval(planter.plant(script), options),
};
void client.connect();
// A call that Redis does not answer is refused: a share granted by this process alone would be no limit of all.
const limiter = redisLimiter(flawed ? planted : client, { prefix, onOutage: "reject", timeoutMs: 5_000 });
new LimitsWorkload(limiter, new Journal<LimitsCall, LimitsAnswer>(journal)).run();
