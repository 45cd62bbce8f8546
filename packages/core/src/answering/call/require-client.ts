import { clientGone, draining } from "../../errors/ended-early.ts";
import { noOutput } from "../../money/token-counter.ts";
import type { Held } from "../../request/request-stages.ts";
import type { BillServices } from "../../request/services.ts";
import { Bill } from "./bill.ts";

/**
 * The last check before the provider is called: throws, without a charge, if the client has left or a drain has ended the
 * request. `hasLeft` is for a client whose response has begun, because the request's signal may not report its leaving.
 */
export function requireClient(services: BillServices, held: Held, hasLeft = false): void {
  const { request, run, model } = held;
  if (!hasLeft && !request.signal.aborted && !run.aborted) return;
  const ending = run.aborted ? "drained" : "client_gone";
  void new Bill(services, held, model.targets[0], noOutput).close({ by: "nothing" }, ending);
  throw run.aborted ? draining() : clientGone();
}
