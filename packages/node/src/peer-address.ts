/** Loopback, link-local and private networks (RFC 1122, 1918, 3927, 6598), also when they are mapped into IPv6. */
const own4 =
  /^(?:::ffff:)?(?:127|10|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./i;
/** The same of IPv6: ::1, fe80::/10 and fc00::/7. */
const own6 = /^(?:::1|(?:fe[89ab]|f[cd][\da-f])[\da-f]:[\da-f:.]*)(?:%.*)?$/i;

/**
 * The address of a peer when it is one client's; undefined for one on loopback or a private network, which may be a
 * proxy with all clients behind it.
 */
export function peerAddress(address: string | undefined): string | undefined {
  return address === undefined || own4.test(address) || own6.test(address) ? undefined : address;
}
