import { addressRange } from "./address-range.ts";

/**
 * IPv4 ranges that are not globally routable or have a special purpose, according to
 * https://www.iana.org/assignments/iana-ipv4-special-registry, plus multicast and the reserved class E.
 */
export const specialIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
].map(addressRange);

/** The only IPv6 range assigned for global unicast: https://www.iana.org/assignments/ipv6-address-space. */
export const globalIpv6 = addressRange("2000::/3");

/**
 * Ranges within 2000::/3 with a special purpose, according to
 * https://www.iana.org/assignments/iana-ipv6-special-registry, in this order: IETF protocol assignments (with Teredo,
 * benchmarking and ORCHID), documentation, 6to4, documentation, AS112.
 */
export const specialIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "2620:4f:8000::/48"].map(
  addressRange,
);

/** Private networks that `allowedTargets` can allow: loopback, private, shared, benchmarking, unique local. */
export const ownNetworks = [
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "::1/128",
  "fc00::/7",
].map(addressRange);

/**
 * Metadata services of AWS, Azure, Google, Oracle, Alibaba, Tencent and Scaleway, which return credentials without
 * authentication. They are never allowed. All link-local addresses are included, since most clouds use several.
 * 168.63.129.16 is the WireServer of Azure, which has a public address.
 */
export const metadataRanges = [
  "169.254.0.0/16",
  "168.63.129.16/32",
  "100.100.100.200/32",
  "192.0.0.192/32",
  "fe80::/10",
  "fd00:ec2::254/128",
  "fd00:ec2::23/128",
  "fd20:ce::254/128",
  "fd00:42::42/128",
].map(addressRange);
