import { clientGone, draining } from "../../errors/ended-early.ts";
import type { ProviderAnswer } from "../../ports/provider-adapter.ts";
import type { Held } from "../../request/request-stages.ts";
import type { CallServices } from "../../request/services.ts";
import type { Attempts } from "../../routing/attempts.ts";
import { wait } from "../../runtime/timers.ts";
import type { Bill } from "../call/bill.ts";
import { UpstreamCall } from "../call/upstream-call.ts";
import type { CallDeadline } from "./call-deadline.ts";
import { type ReadCompletion, readCompletion } from "./read-completion.ts";

/** What keeps account of the attempts at one answer. */
interface Tracking {
  readonly bill: Bill;
  readonly attempts: Attempts;
  readonly deadline: CallDeadline;
}

/** The first answer of a target that can be read, after as many failed attempts as may precede it. Throws the cause of the last failure. */
export async function firstAnswer(
  services: CallServices,
  held: Held,
  { bill, attempts, deadline }: Tracking,
): Promise<ReadCompletion> {
  for (let waitMs = 0; ; ) {
    const call = new UpstreamCall(services, held, attempts.target);
    deadline.watch(call, Date.now() + waitMs);
    if (waitMs > 0) await pause(held, waitMs);
    // A pause ends early when the request ends.
    requireGoingOn(held, attempts);
    try {
      const answer = await answerOf(call);
      const read = readCompletion(held, call.target, answer);
      attempts.succeed();
      return read;
    } catch (cause) {
      services.reportFailure(held, call.target, cause);
      if (hasEnded(held)) {
        attempts.leave();
        throw cause;
      }
      const next = attempts.next(cause);
      if (next === undefined) throw cause;
      bill.moveTo(next.target, next.waitMs);
      waitMs = next.waitMs;
    }
  }
}

/** The answer of a target, or the reason for which its call was ended: an adapter may not react to its signal. */
function answerOf(call: UpstreamCall): Promise<ProviderAnswer> {
  return new Promise((resolve, reject) => {
    call.onAbort(reject);
    // An adapter without types may throw at once, or return another thenable.
    Promise.resolve(call.target.provider.complete(call)).then(resolve, reject);
  });
}

const hasEnded = ({ request, run }: Held): boolean => request.signal.aborted || run.aborted;

/** Throws when the request has ended, and leaves the target that was to be called. */
function requireGoingOn(held: Held, attempts: Attempts): void {
  if (!hasEnded(held)) return;
  attempts.leave();
  throw held.run.aborted ? draining() : clientGone();
}

/** Waits before an attempt. Ends early when the client leaves or the gateway ends the request. */
function pause({ request: { signal }, run }: Held, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = wait(milliseconds, end);
    signal.addEventListener("abort", end);
    run.onAbort(end);
  });
}
