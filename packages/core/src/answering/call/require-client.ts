import { clientGone, draining } from "../../errors/ended-early.ts";
import { noOutput } from "../../money/token-counter.ts";
import type { Held } from "../../request/request-stages.ts";
import type { BillServices } from "../../request/services.ts";
import { Bill } from "./bill.ts";

/**
 * The last look before the provider is called: a request whose client has left, or that a drain has ended, pays nothing.
 * `hasLeft` is for a client that was already being answered, of whose leaving the request's signal need not tell.
 */
export function requireClient(services: BillServices, held: Held, hasLeft = false): void {
  const { request, run, model } = held;
  if (!hasLeft && !request.signal.aborted && !run.aborted) return;
  const ending = run.aborted ? "drained" : "client_gone";
  void new Bill(services, held, model.targets[0], noOutput).close({ by: "nothing" }, ending);
  throw run.aborted ? draining() : clientGone();
}
