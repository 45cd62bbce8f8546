import type { UpstreamLimits } from "@tollgate/core";
import type { Outcome } from "./outcome.ts";
import type { Script } from "./script.ts";

/** A fault of an upstream and its expected outcomes. */
export interface Row {
  readonly name: string;
  /** The script of the first target for each request. */
  readonly script: Script;
  /** The kind of address of the first target if it is not the upstream's. The script is not played there. */
  readonly at?:
    | "a name that does not resolve"
    | "a closed port"
    | "https that disconnects"
    | "https that hangs"
    | "https with an untrusted certificate";
  readonly limits?: UpstreamLimits;
  /** The outcome without `stream`; absent if the fault does not apply. */
  readonly whole?: Outcome;
  /** The outcome with `stream`. */
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
