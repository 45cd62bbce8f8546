import { formatAmount } from "../options/decimal.ts";
import { messageOf } from "../options/problems.ts";
import type { GatewayEvent, Observer, ProblemObserver } from "../ports/observer.ts";

/** A problem that the host has to fix. */
interface Problem {
  /** Identifies the problem, which is printed once per period. */
  readonly id: string;
  readonly text: string;
}

const periodMs = 60_000;

/**
 * Returns an observer that prints the problems that the host has to fix to `console.error`, each once per minute: rejected
 * credentials, failing stores, invalid lists, implausible usage, and charges that failed. `createGateway` of
 * `@tollgate/core` uses it without the option `observer`.
 *
 * @example
 * const toConsole = consoleObserver();
 * const observer = (event: GatewayEvent) => {
 *   toConsole(event);
 *   countEvent(event.type);
 * };
 */
export function consoleObserver(): ProblemObserver {
  const printedAt = new Map<string, number>();
  const observe: Observer = (event) => {
    const problem = problemOf(event);
    if (problem === undefined) return;
    const last = printedAt.get(problem.id);
    if (last !== undefined && event.at - last < periodMs) return;
    for (const [id, at] of printedAt) if (event.at - at >= periodMs) printedAt.delete(id);
    printedAt.set(problem.id, event.at);
    console.error(`tollgate: ${problem.text}`);
  };
  return Object.assign(observe, { problemsOnly: true as const });
}

function problemOf(event: GatewayEvent): Problem | undefined {
  switch (event.type) {
    case "attempt.failed":
      if (event.failure !== "credentials") return undefined;
      return {
        id: `${event.provider} ${event.upstreamModel}`,
        text: `the provider "${event.provider}" rejects the model "${event.upstreamModel}" for this gateway. ${event.detail ?? ""}`,
      };
    case "request.refused":
      if (event.status < 500 || event.cause === undefined) return undefined;
      return {
        id: event.code,
        text: `requests fail with ${event.status} ${event.code}: ${messageOf(event.cause)}`,
      };
    case "configuration.failed":
      return {
        // The message tells the lists of models and assistants apart.
        id: `${event.type} ${messageOf(event.cause)}`,
        text: `a list is invalid, so the last valid one stays in use: ${messageOf(event.cause)}`,
      };
    case "settlement.delayed":
      return {
        id: event.type,
        text: `${event.waiting} charges are delayed and will be retried: ${messageOf(event.cause)}`,
      };
    case "heartbeat.failed":
      return {
        id: event.type + event.part,
        text: `the heartbeat failed at ${event.part}: ${messageOf(event.cause)}`,
      };
    case "ledger.conflict":
      return {
        // Each hold is printed, since no other event reports this charge.
        id: `${event.type} ${event.holdId}`,
        text: `the charge of hold ${event.holdId} was not posted. Check it in the ledger.`,
      };
    case "usage.implausible":
      return {
        id: `${event.type} ${event.provider} ${event.upstreamModel}`,
        text: `the provider "${event.provider}" reported ${event.reported.total_tokens} tokens for a request of "${event.upstreamModel}", more than ten times the tokens that were reserved. It was charged ${event.charged.total_tokens}. Check \`imageTokens\`, \`maxOutputTokens\` and \`contextWindow\` of the model "${event.model}".`,
      };
    case "drain.incomplete":
      return {
        id: event.type,
        text: `a drain left ${event.requests} requests, ${event.settlements} charges and ${event.usageRows} rows of usage unfinished. Raise its timeoutMs.`,
      };
    default:
      return recordProblemOf(event);
  }
}

/** Problems with what the gateway records beside the ledger: usage, content and notices. */
function recordProblemOf(event: GatewayEvent): Problem | undefined {
  switch (event.type) {
    case "usage.delayed":
      return {
        id: event.type + event.part,
        text: `the usage store failed at ${event.part}, with ${event.waiting} rows waiting, and will be tried again: ${messageOf(event.cause)}`,
      };
    case "usage.dropped":
      return {
        id: event.type,
        text: `${event.count} rows of usage were dropped, since the usage store is down or too slow. Check it.`,
      };
    case "spend.reached":
      return {
        id: `${event.type} ${event.threshold}`,
        text: `${event.threshold}% of the option \`spend\` is used: ${formatAmount(event.spent)} of ${formatAmount(event.limit.limit)} until ${event.resetsAt.toISOString()}.${event.stopped ? " Calls of models are refused until then." : ""}`,
      };
    case "notice.undelivered":
      return {
        id: `${event.type} ${event.endpoints.join(" ")}`,
        text: `a notice about the account "${event.notice.account}" was given up after three days, since the endpoint ${event.endpoints.join(", ")} has not accepted it. Check its URL and that it answers with 2xx.`,
      };
    case "content.delayed":
      return {
        id: event.type,
        text: `the content of ${event.waiting} requests is not stored yet and will be retried: ${messageOf(event.cause)}`,
      };
    case "response.unstored":
      return event.reason === "full"
        ? undefined
        : {
            id: event.type,
            text: `a response was not stored, since the response store failed. Check it: ${event.cause?.message}`,
          };
    case "content.lost":
      return {
        id: event.type,
        text: `the content of ${event.requests} requests was lost, since \`redact\` failed or the content store is down or too slow. Check both.`,
      };
    default:
      return undefined;
  }
}
