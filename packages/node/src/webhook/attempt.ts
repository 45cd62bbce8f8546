import type { WebhookFailure, WebhookRequest } from "@tollgate/core/extension";
import { type DialPolicy, dial } from "./dial.ts";
import { type Answer, exchange, type Progress } from "./exchange.ts";
import { toFault } from "./fault.ts";
import { outgoingHeaders } from "./outgoing-headers.ts";
import { readTarget, type UrlPolicy } from "./read-target.ts";
import { resolveTarget, type WebhookLookup } from "./resolve-target.ts";
import { faultOf } from "./time-limit.ts";

/** The validated options of a runner. */
export interface RunnerPolicy extends UrlPolicy, DialPolicy {
  readonly lookup: WebhookLookup;
  readonly maxResponseBytes: number;
}

/** The result of one attempt. */
export type AttemptOutcome =
  | { readonly kind: "answered"; readonly answer: Answer }
  | {
      readonly kind: "failed";
      readonly failure: WebhookFailure;
      readonly detail: string;
      /** False if not a single byte of the request was sent. */
      readonly sent: boolean;
      readonly status: number | null;
    };

/** Makes one attempt to call a webhook and reads the complete response. Never rejects; ends when the signal aborts. */
export async function attempt(
  policy: RunnerPolicy,
  request: WebhookRequest,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const progress: Progress = { sent: false, status: null };
  try {
    return { kind: "answered", answer: await sendGuarded(policy, request, signal, progress) };
  } catch (error) {
    const { failure, message } = signal.aborted ? faultOf(signal) : toFault(error, "connect_error");
    return { kind: "failed", failure, detail: message, ...progress };
  }
}

async function sendGuarded(
  policy: RunnerPolicy,
  request: WebhookRequest,
  signal: AbortSignal,
  progress: Progress,
): Promise<Answer> {
  const target = readTarget(request.url, policy);
  const body = request.body === undefined ? undefined : Buffer.from(request.body, "utf8");
  const headers = outgoingHeaders(request, target.authority, body);
  const addresses = await resolveTarget(target, policy.lookup, signal);
  const socket = await dial(target, addresses, policy, signal);
  const message = { method: request.method, path: target.path, headers, body };
  return exchange(socket, message, { maxResponseBytes: policy.maxResponseBytes, signal }, progress);
}
