import type { UpstreamLimits } from "@tollgate/core";
import type { Outcome } from "./outcome.ts";
import type { Script } from "./script.ts";

/** A fault of an upstream, and what is to come of it. */
export interface Row {
  readonly name: string;
  /** What the first target does with each request. */
  readonly script: Script;
  /** Where the first target is sought when not at its address: there, nothing hears the script. */
  readonly at?:
    | "a name that does not resolve"
    | "a port that refuses"
    | "https that breaks off"
    | "https that hangs"
    | "https nobody trusts";
  readonly limits?: UpstreamLimits;
  /** Without `stream`; absent: the fault is none there. */
  readonly whole?: Outcome;
  /** With `stream`. */
  readonly streamed?: Outcome;
}

/** A row with the same outcome with and without `stream`. */
export const same = (name: string, script: Script, outcome: Outcome, more: Partial<Row> = {}): Row => ({
  name,
  script,
  whole: outcome,
  streamed: outcome,
  ...more,
});
