import type { ProbeSettings } from "../probes/answer-probe.ts";

/** The bindings of a worker. */
export type Environment = ProbeSettings;

/** The used part of a worker's ExecutionContext. */
export interface Context {
  waitUntil(work: Promise<unknown>): void;
}
