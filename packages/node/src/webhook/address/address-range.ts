import { type AddressBytes, parseAddress } from "./parse-address.ts";

/** Addresses that begin with the same bits, as CIDR notation names them. */
export interface AddressRange {
  readonly cidr: string;
  readonly bytes: AddressBytes;
  readonly bits: number;
}

/** Reads "10.0.0.0/8"; throws for anything else, since only tables of this package are read. */
export function addressRange(cidr: string): AddressRange {
  const [address = "", bits = ""] = cidr.split("/");
  const bytes = parseAddress(address);
  if (bytes === undefined || !/^\d{1,3}$/.test(bits) || Number(bits) > 8 * bytes.length) {
    throw new Error(`"${cidr}" is no range of addresses. Write it as 10.0.0.0/8.`);
  }
  return { cidr, bytes, bits: Number(bits) };
}

/** True when the address is of the range's family and lies in it. */
export function isWithin(address: AddressBytes, { bytes, bits }: AddressRange): boolean {
  if (address.length !== bytes.length) return false;
  const whole = bits >> 3;
  if (!bytes.subarray(0, whole).every((byte, at) => byte === address[at])) return false;
  const rest = bits & 7;
  return rest === 0 || ((bytes[whole] ?? 0) ^ (address[whole] ?? 0)) >> (8 - rest) === 0;
}
