import { lookup } from "node:dns/promises";
import { classifyAddress } from "./address/classify-address.ts";
import { formatAddress } from "./address/format-address.ts";
import { parseAddress } from "./address/parse-address.ts";
import { codeOf, Fault } from "./fault.ts";
import type { Target } from "./read-target.ts";
import { before } from "./time-limit.ts";

/** Resolves a host name to all of its addresses in text form. Rejects or returns an empty array if there are none. */
export type WebhookLookup = (host: string) => Promise<readonly string[]>;

/** The addresses that may be connected to, in the format of `formatAddress`. Never empty. */
export type CheckedAddresses = readonly [string, ...string[]];

/** The resolver of the operating system, which includes the hosts file. */
export const systemLookup: WebhookLookup = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Resolves a target and checks every address, because the owner of the name controls which one is used. Throws
 * `dns_error` if there is no address, and `blocked_target` if any address is not allowed.
 */
export async function resolveTarget(
  target: Target,
  lookUp: WebhookLookup,
  signal: AbortSignal,
): Promise<CheckedAddresses> {
  const literal = parseAddress(target.host) !== undefined;
  const [first, ...rest] = literal ? [target.host] : await before(signal, find(target.host, lookUp));
  if (first === undefined) throw new Fault("dns_error", `${target.host} has no address. Check the host name.`);
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
    throw new Fault("blocked_target", `${host} resolves to ${text}, which is not a valid IP address.`);
  const verdict = classifyAddress(address);
  if (verdict.kind === "global" || (verdict.kind === "own_network" && opened)) return formatAddress(address);
  throw new Fault("blocked_target", `${host} has the address ${text}, which is not allowed (${verdict.range}).`);
}
