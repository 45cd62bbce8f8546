import { type AddressRange, isWithin } from "./address-range.ts";
import type { AddressBytes } from "./parse-address.ts";
import { globalIpv6, metadataRanges, ownNetworks, specialIpv4, specialIpv6 } from "./special-ranges.ts";

/**
 * The classification of an address for webhooks: public, on a private network (which `allowedTargets` can allow), or
 * forbidden. `range` names the matching range.
 */
export type AddressVerdict =
  | { readonly kind: "global" }
  | { readonly kind: "own_network"; readonly range: string }
  | { readonly kind: "forbidden"; readonly range: string };

/**
 * Classifies an address. An address that is not known to be global is refused. For IPv6, that is everything outside
 * 2000::/3, which includes IPv4-compatible, translated (NAT64) and unassigned addresses.
 */
export function classifyAddress(address: AddressBytes): AddressVerdict {
  const metadata = find(metadataRanges, address);
  if (metadata !== undefined) return { kind: "forbidden", range: `${metadata}, cloud metadata` };
  const special = address.length === 4 ? find(specialIpv4, address) : specialOfIpv6(address);
  if (special === undefined) return { kind: "global" };
  const own = find(ownNetworks, address);
  return own === undefined ? { kind: "forbidden", range: special } : { kind: "own_network", range: own };
}

function specialOfIpv6(address: AddressBytes): string | undefined {
  if (!isWithin(address, globalIpv6)) return `outside ${globalIpv6.cidr}`;
  return find(specialIpv6, address) ?? specialOfIsatap(address);
}

/**
 * An interface id of 0:5efe or 200:5efe contains an IPv4 address to which routers may tunnel (RFC 5214, section 6.1).
 */
function specialOfIsatap(address: AddressBytes): string | undefined {
  const [u, zero, five, efe] = address.subarray(8, 12);
  if ((u !== 0 && u !== 2) || zero !== 0 || five !== 0x5e || efe !== 0xfe) return undefined;
  const inner = classifyAddress(address.subarray(12));
  return inner.kind === "global" ? undefined : `ISATAP of ${inner.range}`;
}

const find = (ranges: readonly AddressRange[], address: AddressBytes) =>
  ranges.find((range) => isWithin(address, range))?.cidr;
