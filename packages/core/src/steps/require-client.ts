import { clientGone, draining } from "../errors/ended-early.ts";
import type { Bill } from "../money/bill.ts";
import type { Held } from "./hold-balance.ts";

/** The last look before the provider is called: a client that has left by now, or was sent away, pays nothing. */
export function requireClient(held: Held, bill: Bill): void {
  if (held.request.signal.aborted) {
    void bill.close({ by: "nothing" }, "client_gone");
    throw clientGone();
  }
  if (held.run.aborted) {
    void bill.close({ by: "nothing" }, "drained");
    throw draining();
  }
}
