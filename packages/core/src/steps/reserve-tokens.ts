import { type OutputBound, outputBound, promptBound } from "../money/bounds.ts";
import type { Reservation } from "../ports/limiter.ts";
import type { Services } from "../services.ts";
import { limitError } from "./admit-request.ts";
import { askStore } from "./ask-store.ts";
import type { Checked } from "./check-parameters.ts";

/** A request whose size is bounded and that has its place in the key's limits; whoever has it must settle the reservation. */
export interface Reserved extends Checked {
  /** Tokens that the prompt cannot exceed. */
  readonly promptBound: number;
  readonly outputBound: OutputBound;
  /** Absent: the key has no limit on tokens or concurrency. */
  readonly reservation: Reservation | undefined;
}

/** Check 9: tokens of the window and concurrency, in one step. */
export async function reserveTokens(services: Services, checked: Checked): Promise<Reserved> {
  const sized = {
    ...checked,
    promptBound: promptBound(checked.chat, checked.body.length, checked.model),
    outputBound: outputBound(checked.chat, checked.model),
  };
  const reservation = toReservation(services, checked, sized.promptBound + sized.outputBound.total);
  if (reservation === undefined) return { ...sized, reservation };
  const result = await askStore(services.storeTimeoutMs, () => services.limiter.reserve(reservation));
  if (result.granted) return { ...sized, reservation };
  throw limitError(
    result.refusedBy,
    result.state,
    result.refusedBy === "tokens" ? "Too many tokens in this window." : "Too many requests at the same time.",
  );
}

function toReservation(services: Services, { key, plan }: Checked, estimate: number): Reservation | undefined {
  const window = plan.tokensOf(key);
  const concurrency = plan.concurrencyOf(key);
  if (window === undefined && concurrency === undefined) return undefined;
  return {
    id: crypto.randomUUID(),
    subject: key.id,
    leaseMs: services.money.leaseMs,
    ...(window === undefined ? {} : { tokens: { amount: Math.min(estimate, window.limit), window } }),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
}
