import { type AddressBytes, parseAddress } from "./parse-address.ts";

/** A range of addresses with a common prefix, written in CIDR notation. */
export interface AddressRange {
  readonly cidr: string;
  readonly bytes: AddressBytes;
  readonly bits: number;
}

/**
 * Parses a range such as "10.0.0.0/8". Throws an Error for invalid input, since the only callers are tables of this
 * package.
 */
export function addressRange(cidr: string): AddressRange {
  const [address = "", bits = ""] = cidr.split("/");
  const bytes = parseAddress(address);
  if (bytes === undefined || !/^\d{1,3}$/.test(bits) || Number(bits) > 8 * bytes.length) {
    throw new Error(`"${cidr}" is not an address range. Write it as 10.0.0.0/8.`);
  }
  return { cidr, bytes, bits: Number(bits) };
}

/** Whether the address has the same family as the range and is in it. */
export function isWithin(address: AddressBytes, { bytes, bits }: AddressRange): boolean {
  if (address.length !== bytes.length) return false;
  const whole = bits >> 3;
  if (!bytes.subarray(0, whole).every((byte, at) => byte === address[at])) return false;
  return ((bytes[whole] ?? 0) ^ (address[whole] ?? 0)) >> (8 - (bits & 7)) === 0;
}
