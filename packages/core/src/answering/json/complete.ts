import { clientGone } from "../../errors/ended-early.ts";
import { upstreamError } from "../../errors/upstream-error.ts";
import { noOutput } from "../../money/token-counter.ts";
import type { Ending } from "../../ports/observer.ts";
import type { Held } from "../../request/request-stages.ts";
import type { CallServices } from "../../request/services.ts";
import { Attempts } from "../../routing/attempts.ts";
import { targetsFor } from "../../routing/targets-for.ts";
import type { Usage } from "../../wire/usage.ts";
import { answerHeaders } from "../call/answer-headers.ts";
import { Bill, type Consumption } from "../call/bill.ts";
import { hidesReasoning } from "../call/hidden-reasoning.ts";
import { requireClient } from "../call/require-client.ts";
import { CallDeadline } from "./call-deadline.ts";
import { firstAnswer } from "./first-answer.ts";
import { CompletionOutput, type ReadCompletion } from "./read-completion.ts";

/** A completion for the client, and how many attempts it took. */
export interface Completed {
  /** Its completion has the usage that was charged. */
  readonly read: ReadCompletion;
  /** The same as JSON, and its length in UTF-8 where it is known. */
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
    // The error response says how many attempts were made, too.
    answerHeaders(held, attempts.count);
    await bill.close(owed(held, deadline.wasCutOff), endingOf(held));
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

/** An upstream that failed by itself did no work; one that was cut off because its client left did. */
function owed(held: Held, wasCutOff: boolean): Consumption {
  if (!held.request.signal.aborted || !wasCutOff) return { by: "nothing" };
  return { by: hidesReasoning(held) ? "output-and-time" : "estimate", output: noOutput };
}

function endingOf({ request, run }: Held): Ending {
  if (request.signal.aborted) return "client_gone";
  return run.aborted ? "drained" : "upstream_failed";
}
