import { clientGone, draining } from "../errors/ended-early.ts";
import { Bill } from "../money/bill.ts";
import { noOutput } from "../money/token-counter.ts";
import type { Services } from "../services.ts";
import type { Held } from "./hold-balance.ts";

/** The last look before the provider is called: a request whose client has left, or that a drain has ended, pays nothing. */
export function requireClient(services: Services, held: Held, hasLeft = held.request.signal.aborted): void {
  const { run, model } = held;
  if (!hasLeft && !run.aborted) return;
  const ending = run.aborted ? "drained" : "client_gone";
  void new Bill(services, held, model.targets[0], noOutput).close({ by: "nothing" }, ending);
  throw run.aborted ? draining() : clientGone();
}
