import { redisLimiter } from "@tollgate/redis";
import { createClient } from "redis";
import type { LimitsAnswer, LimitsCall } from "../kills/limits/calls.ts";
import { LimitsWorkload } from "../kills/limits/limits-workload.ts";
import { Journal } from "./journal.ts";
import type { Life } from "./killed-workers.ts";
import { limiterRewrite, StatementMutator } from "./statement-mutations.ts";
import { readTask } from "./task.ts";

/** The task of a process that uses limits until it is killed. */
export interface LimitsTask {
  readonly url: string;
  readonly prefix: string;
  /** Seeds the mutation in which refunds reach a later window. */
  readonly mutated: boolean;
}

const { url, prefix, mutated, journal } = readTask<LimitsTask & Life>();
const client = createClient({ url });
client.on("error", () => undefined);
const mutator = new StatementMutator(mutated ? limiterRewrite : []);
const mutatedClient = {
  // Replies like a server without cached scripts, so that each script is sent as text.
  evalSha: () => Promise.reject(new Error("NOSCRIPT")),
  eval: (script: string, options: { keys: string[]; arguments: string[] }) =>
    client.eval(mutator.apply(script), options),
};
void client.connect();
// Calls without a reply are rejected, since a local share would not count against the shared limit.
const limiter = redisLimiter(mutated ? mutatedClient : client, { prefix, onOutage: "reject", timeoutMs: 5_000 });
new LimitsWorkload(limiter, new Journal<LimitsCall, LimitsAnswer>(journal)).run();
