import { isIPv4, isIPv6 } from "node:net";

/** An IP address: 4 bytes, or 16. An IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2) is the 4 bytes in it. */
export type AddressBytes = Uint8Array;

/**
 * Reads an address as resolvers, sockets and `URL` write it. Undefined: the text is none, or names a zone
 * (`fe80::1%eth0`), which is an address of this machine's own network.
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
