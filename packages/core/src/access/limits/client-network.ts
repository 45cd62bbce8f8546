/**
 * Returns what stands for a client when its attempts are counted: an IPv4 address, also if it is mapped into IPv6, or the
 * /64 of an IPv6 address, which one customer has. A port, which proxies such as Azure's append, does not count.
 */
export function clientNetwork(address: string): string {
  const [, v4] =
    /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address) ?? [];
  if (v4 !== undefined) return v4;
  const [, bracketed] = /^\[(.*)\](?::\d+)?$/.exec(address) ?? [];
  if (bracketed !== undefined) return clientNetwork(bracketed);
  return address.includes(":") ? groupsOf(address).slice(0, 4).join(":") : address;
}

/** Returns the eight groups of an IPv6 address in their shortest form, with `::` expanded. */
function groupsOf(address: string): string[] {
  const [head = [], tail = []] = address
    .toLowerCase()
    .split("::")
    .map((side) => side.split(":").flatMap((group) => (group === "" ? [] : [group.replace(/^0+(?=.)/, "")])));
  return [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill("0"), ...tail];
}
