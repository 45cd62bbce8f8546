import { addressRange } from "./address-range.ts";

/**
 * IPv4 that is not globally routable or has a special purpose, after
 * https://www.iana.org/assignments/iana-ipv4-special-registry, with multicast and the reserved class E.
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

/** The only IPv6 that is assigned to the internet: https://www.iana.org/assignments/ipv6-address-space. */
export const globalIpv6 = addressRange("2000::/3");

/**
 * What has a special purpose inside of it, after https://www.iana.org/assignments/iana-ipv6-special-registry: IETF
 * protocols with Teredo, benchmarks and ORCHID; documentation; 6to4; documentation again; AS112.
 */
export const specialIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "2620:4f:8000::/48"].map(
  addressRange,
);

/** Networks of a host's own, which `allowedTargets` may open: loopback, private, shared, benchmark, unique local. */
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
 * Where clouds give credentials to whoever asks; never opened. Link-local addresses are all among them, since most
 * clouds use more than one: AWS, Azure, Google, Oracle, Alibaba, Tencent, Scaleway. 168.63.129.16 is Azure's
 * WireServer, an ordinary public address but for that.
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
