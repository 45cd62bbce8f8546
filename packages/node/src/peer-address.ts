/** IPv4 loopback, link-local and private networks (RFC 1122, 1918, 3927, 6598), also as IPv4-mapped IPv6 addresses. */
const localIpv4 =
  /^(?:::ffff:)?(?:127|10|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./i;
/** The same for IPv6: ::1, fe80::/10 and fc00::/7. */
const localIpv6 = /^(?:::1|(?:fe[89ab]|f[cd][\da-f])[\da-f]:[\da-f:.]*)(?:%.*)?$/i;

/**
 * The address of a peer, if it identifies one client. Returns undefined for an address on loopback or a private
 * network, where the peer may be a proxy that all clients share.
 */
export function peerAddress(address: string | undefined): string | undefined {
  return address === undefined || localIpv4.test(address) || localIpv6.test(address) ? undefined : address;
}
