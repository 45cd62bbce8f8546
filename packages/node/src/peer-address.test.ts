import { expect, it } from "vitest";
import { peerAddress } from "./peer-address.ts";

const local = [
  "127.0.0.1",
  "127.9.9.9",
  "::1",
  "::ffff:127.0.0.1",
  "10.1.2.3",
  "::ffff:10.1.2.3",
  "172.16.0.1",
  "172.31.255.255",
];
const moreLocal = [
  "192.168.1.1",
  "169.254.1.1",
  "100.64.0.1",
  "100.127.0.1",
  "fe80::1",
  "fe80::1%eth0",
  "febf::1",
  "fc00::1",
  "fd12:3456::1",
];

it.each([...local, ...moreLocal])("returns undefined for %s, which may be a proxy", (address) => {
  expect(peerAddress(address)).toBeUndefined();
});

const publicAddresses = [
  "1.2.3.4",
  "11.0.0.1",
  "172.15.0.1",
  "172.32.0.1",
  "192.169.0.1",
  "100.63.0.1",
  "100.128.0.1",
  "::ffff:8.8.8.8",
];

it.each([...publicAddresses, "2001:db8::1", "fec0::1", "2001:fd00::1", "1:fe80::1"])(
  "returns %s, which is the address of one client",
  (address) => {
    expect(peerAddress(address)).toBe(address);
  },
);

it("returns undefined for a peer without an address, such as on a Unix socket", () => {
  expect(peerAddress(undefined)).toBeUndefined();
});
