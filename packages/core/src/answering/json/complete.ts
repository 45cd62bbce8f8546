import { clientGone, draining } from "../../errors/ended-early.ts";
import { upstreamError } from "../../errors/upstream-error.ts";
import { noOutput } from "../../money/token-counter.ts";
import type { ClientSignal } from "../../ports/client-request.ts";
import type { Ending } from "../../ports/observer.ts";
import type { ProviderAnswer } from "../../ports/provider-adapter.ts";
import { answerHeaders, type Held } from "../../request/request-stages.ts";
import type { CallServices } from "../../request/services.ts";
import { Attempts, targetsFor } from "../../routing/attempts.ts";
import { wait } from "../../runtime/timers.ts";
import type { Usage } from "../../wire/usage.ts";
import { Bill, type Consumption, requireClient } from "../call/bill.ts";
import { hidesReasoning } from "../call/hidden-reasoning.ts";
import { UpstreamCall } from "../call/upstream-call.ts";
import { CallDeadline } from "./call-deadline.ts";
import { CompletionOutput, type ReadCompletion, readCompletion } from "./read-completion.ts";

/** A completion for the client, and how many attempts it took. */
export interface Completed {
  /** Its completion has the usage that was charged. */
  readonly read: ReadCompletion;
  /** The completion as JSON, and its length in UTF-8 if known. */
  readonly json: string;
  readonly jsonBytes: number | undefined;
  readonly attempts: number;
}

/**
 * Calls the targets of a request one after another until one answers, and charges for the answer. Throws the
 * GatewayError of the last failure when none answers, or when the client has gone.
 */
export async function complete(services: CallServices, held: Held): Promise<Completed> {
  requireClient(services, held);
  const now = Date.now();
  const attempts = new Attempts(services, targetsFor(held.model, held.content.chat), now);
  const bill = new Bill(services, held, attempts.target, noOutput, now);
  const deadline = new CallDeadline(services, held, attempts);
  try {
    const read = await firstAnswer(services, held, { bill, attempts, deadline });
    deadline.end();
    const ending = held.request.signal.aborted ? "client_gone" : "complete";
    const usage = await bill.close({ by: "usage", usage: read.usage, output: new CompletionOutput(read) }, ending);
    return { ...write(read, usage), read, attempts: attempts.count };
  } catch (cause) {
    deadline.end();
    // The error response has these headers too.
    answerHeaders(held, attempts.count);
    await bill.close(consumptionAfterFailure(held, deadline.wasCutOff), endingOf(held));
    throw held.request.signal.aborted ? clientGone() : upstreamError(cause);
  }
}

/** The JSON of a completion with the usage that was charged. */
function write(read: ReadCompletion, usage: Usage): Pick<Completed, "json" | "jsonBytes"> {
  if (usage === read.usage) return { json: read.json, jsonBytes: read.jsonBytes };
  const { completion } = read;
  completion.usage = usage;
  return { json: JSON.stringify(completion), jsonBytes: undefined };
}

/** An upstream that failed is not charged. A call that was aborted because the client left is, since the upstream worked on it. */
function consumptionAfterFailure(held: Held, wasCutOff: boolean): Consumption {
  if (!held.request.signal.aborted || !wasCutOff) return { by: "nothing" };
  return { by: hidesReasoning(held) ? "output-and-time" : "estimate", output: noOutput };
}

function endingOf({ request, run }: Held): Ending {
  if (request.signal.aborted) return "client_gone";
  return run.aborted ? "drained" : "upstream_failed";
}

/** The objects that track the attempts at one answer. */
interface Tracking {
  readonly bill: Bill;
  readonly attempts: Attempts;
  readonly deadline: CallDeadline;
}

/** Returns the first readable answer of a target. Throws the cause of the last failure when all attempts have failed. */
export async function firstAnswer(
  services: CallServices,
  held: Held,
  { bill, attempts, deadline }: Tracking,
): Promise<ReadCompletion> {
  for (let waitMs = 0; ; ) {
    const call = new UpstreamCall(services, held, attempts.target);
    deadline.watch(call, Date.now() + waitMs);
    if (waitMs > 0) await pause(call, held.request.signal, waitMs);
    // A pause ends early when the request ends.
    requireActive(held, attempts);
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

/** Resolves with the answer of a target. Rejects when its call is aborted, since an adapter may ignore the signal. */
function answerOf(call: UpstreamCall): Promise<ProviderAnswer> {
  return new Promise((resolve, reject) => {
    call.onAbort(reject);
    // An adapter without types may throw at once, or return another thenable.
    Promise.resolve(call.target.provider.complete(call)).then(resolve, reject);
  });
}

const hasEnded = ({ request, run }: Held): boolean => request.signal.aborted || run.aborted;

/** Throws if the request has ended, and reports the planned attempt as abandoned. */
function requireActive(held: Held, attempts: Attempts): void {
  if (!hasEnded(held)) return;
  attempts.leave();
  throw held.run.aborted ? draining() : clientGone();
}

/** Waits before an attempt. Ends early when the client leaves or the call is aborted. */
function pause(call: UpstreamCall, signal: ClientSignal, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = wait(milliseconds, end);
    signal.addEventListener("abort", end);
    call.onAbort(end);
  });
}
