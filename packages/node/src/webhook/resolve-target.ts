import { lookup } from "node:dns/promises";
import { classifyAddress } from "./address/classify-address.ts";
import { formatAddress } from "./address/format-address.ts";
import { parseAddress } from "./address/parse-address.ts";
import { codeOf, Fault } from "./fault.ts";
import type { Target } from "./read-target.ts";
import { before } from "./time-limit.ts";

/** Resolves a name to all of its addresses, as text; rejects or gives none when there are none. */
export type WebhookLookup = (host: string) => Promise<readonly string[]>;

/** The addresses of a target that may be dialled, as `formatAddress` writes them; never empty. */
export type CheckedAddresses = readonly [string, ...string[]];

/** The system's resolver, with its hosts file. */
export const systemLookup: WebhookLookup = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Finds the addresses of a target and checks every one of them, since whoever owns the name decides which is taken.
 * Throws `dns_error` when there is none, and `blocked_target` when one is not allowed.
 */
export async function resolveTarget(
  target: Target,
  lookUp: WebhookLookup,
  signal: AbortSignal,
): Promise<CheckedAddresses> {
  const literal = parseAddress(target.host) !== undefined;
  const [first, ...rest] = literal ? [target.host] : await before(signal, find(target.host, lookUp));
  if (first === undefined) throw new Fault("dns_error", `${target.host} has no address.`);
  return [requireAllowed(first, target), ...rest.map((address) => requireAllowed(address, target))];
}

async function find(host: string, lookUp: WebhookLookup): Promise<readonly string[]> {
  try {
    return await lookUp(host);
  } catch (error) {
    throw new Fault("dns_error", `${host} could not be resolved: ${codeOf(error) ?? "the resolver failed"}.`);
  }
}

function requireAllowed(text: string, { host, opened }: Target): string {
  const address = parseAddress(text);
  if (address === undefined)
    throw new Fault("blocked_target", `${host} resolves to ${text}, which is no plain address.`);
  const verdict = classifyAddress(address);
  if (verdict.kind === "global" || (verdict.kind === "own_network" && opened)) return formatAddress(address);
  throw new Fault("blocked_target", `${host} is at ${text}, which is not allowed (${verdict.range}).`);
}
