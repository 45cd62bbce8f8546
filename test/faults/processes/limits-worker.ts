import type { LimitsAnswer, LimitsCall } from "../kills/limits/calls.ts";
import { LimitsWorkload } from "../kills/limits/limits-workload.ts";
import { Journal } from "./journal.ts";
import type { Life } from "./killed-workers.ts";
import { type LimiterAddress, openLimiter } from "./open-limiter.ts";
import { readTask } from "./task.ts";

/** The task of a process that uses limits until it is killed. */
export interface LimitsTask {
  readonly address: LimiterAddress;
}

const { address, journal } = readTask<LimitsTask & Life>();
new LimitsWorkload(openLimiter(address).limiter, new Journal<LimitsCall, LimitsAnswer>(journal)).run();
