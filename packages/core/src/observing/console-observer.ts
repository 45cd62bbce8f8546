import { messageOf } from "../options/message-of.ts";
import type { GatewayEvent, Observer } from "../ports/observer.ts";

/** Something that a host has to act on. */
interface Matter {
  /** What it is about: the same is told once in a while only. */
  readonly about: string;
  readonly text: string;
}

const quietMs = 60_000;

/**
 * The observer of a host that gives none: it writes to `console.error` what somebody has to act on, which are refused
 * credentials, stores that fail, lists with a fault, implausible usage, and charges that were not posted; each matter once in a minute.
 */
export function consoleObserver(): Observer {
  const toldAt = new Map<string, number>();
  return (event) => {
    const matter = matterOf(event);
    if (matter === undefined) return;
    const last = toldAt.get(matter.about);
    if (last !== undefined && event.at - last < quietMs) return;
    for (const [about, at] of toldAt) if (event.at - at >= quietMs) toldAt.delete(about);
    toldAt.set(matter.about, event.at);
    console.error(`tollgate: ${matter.text}`);
  };
}

function matterOf(event: GatewayEvent): Matter | undefined {
  switch (event.type) {
    case "attempt.failed":
      if (event.failure !== "credentials") return undefined;
      return {
        about: `${event.provider} ${event.upstreamModel}`,
        text: `the provider "${event.provider}" refuses the model "${event.upstreamModel}" to this gateway. ${event.detail ?? ""}`,
      };
    case "request.refused":
      if (event.status < 500 || event.cause === undefined) return undefined;
      return {
        about: event.code,
        text: `requests are answered ${event.status} ${event.code}: ${messageOf(event.cause)}`,
      };
    case "configuration.failed":
      return {
        // Models and assistants are lists of their own.
        about: `${event.type} ${messageOf(event.cause)}`,
        text: `a list has a fault, so the last good one stays: ${messageOf(event.cause)}`,
      };
    case "settlement.delayed":
      return {
        about: event.type,
        text: `${event.waiting} charges wait to be posted, and are tried again: ${messageOf(event.cause)}`,
      };
    case "heartbeat.failed":
      return {
        about: event.type + event.part,
        text: `the heartbeat failed at ${event.part}: ${messageOf(event.cause)}`,
      };
    case "ledger.conflict":
      return {
        // Nothing else will ever tell of this charge.
        about: `${event.type} ${event.holdId}`,
        text: `the charge of hold ${event.holdId} was not posted. Look it up in the ledger.`,
      };
    case "usage.implausible":
      return {
        about: `${event.type} ${event.provider} ${event.upstreamModel}`,
        text: `the provider "${event.provider}" reported ${event.reported.total_tokens} tokens for a request of "${event.upstreamModel}", more than ten times what was held for it. It was charged ${event.charged.total_tokens}. Check \`imageTokens\`, \`maxOutputTokens\` and \`contextWindow\` of the model "${event.model}".`,
      };
    case "drain.incomplete":
      return {
        about: event.type,
        text: `a drain left ${event.requests} requests and ${event.settlements} charges behind. Give it more time.`,
      };
    default:
      return undefined;
  }
}
