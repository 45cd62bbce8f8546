import { isIPv4, isIPv6 } from "node:net";

/**
 * An IP address as 4 or 16 bytes. An IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2) is represented by its 4
 * bytes.
 */
export type AddressBytes = Uint8Array;

/**
 * Parses an address in the formats of resolvers, sockets and `URL`. Returns undefined if the text is not an address, or
 * has a zone (`fe80::1%eth0`), which limits it to this machine's own network.
 */
export function parseAddress(text: string): AddressBytes | undefined {
  if (isIPv4(text)) return ipv4Bytes(text);
  return isIPv6(text) && !text.includes("%") ? unwrapped(ipv6Bytes(text)) : undefined;
}

const ipv4Bytes = (text: string) => Uint8Array.from(text.split("."), Number);

function ipv6Bytes(text: string): Uint8Array {
  const [head = "", tail] = text.split("::");
  const first = groupBytes(head);
  const last = groupBytes(tail ?? "");
  const bytes = new Uint8Array(16);
  bytes.set(first);
  bytes.set(last, 16 - last.length);
  return bytes;
}

function groupBytes(text: string): readonly number[] {
  const groups = text === "" ? [] : text.split(":");
  return groups.flatMap((group) => {
    if (group.includes(".")) return [...ipv4Bytes(group)];
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

function unwrapped(bytes: Uint8Array): AddressBytes {
  const mapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  return mapped ? bytes.slice(12) : bytes;
}
