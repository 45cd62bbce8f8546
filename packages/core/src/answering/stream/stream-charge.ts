import type { Output } from "../../money/token-counter.ts";
import type { Ending } from "../../ports/observer.ts";
import type { PaidCall } from "../../request/paid-call.ts";
import type { Consumption } from "../call/bill.ts";
import { costsMoreThanSeen } from "../call/hidden-reasoning.ts";
import type { StreamAttempt } from "./stream-attempt.ts";

/**
 * Returns the basis of a stream's charge. A stream that the upstream or the gateway interrupted is charged only for the
 * delivered output, without hidden reasoning, unless the host waives it. A client that left pays for the whole call.
 */
export function streamCharge(
  ending: Ending,
  paid: PaidCall,
  { translator, called, target }: StreamAttempt,
  output: Output,
  interrupted: "charge" | "waive",
): Consumption {
  const { usage } = translator;
  if (ending === "complete") return { by: "usage", usage, output };
  if (ending === "client_gone") {
    if (!called) return nothing;
    if (usage !== undefined && translator.complete) return { by: "usage", usage, output };
    return { by: costsMoreThanSeen(paid, target, output) ? "output-and-time" : "estimate", output };
  }
  const waived = ending === "upstream_failed" && interrupted === "waive";
  return translator.started && !waived ? { by: "estimate", output } : nothing;
}

const nothing: Consumption = { by: "nothing" };
