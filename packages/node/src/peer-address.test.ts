import { expect, it } from "vitest";
import { peerAddress } from "./peer-address.ts";

const own = [
  "127.0.0.1",
  "127.9.9.9",
  "::1",
  "::ffff:127.0.0.1",
  "10.1.2.3",
  "::ffff:10.1.2.3",
  "172.16.0.1",
  "172.31.255.255",
];
const alsoOwn = [
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

it.each([...own, ...alsoOwn])("leaves out %s, where a proxy may be", (address) => {
  expect(peerAddress(address)).toBeUndefined();
});

const others = [
  "1.2.3.4",
  "11.0.0.1",
  "172.15.0.1",
  "172.32.0.1",
  "192.169.0.1",
  "100.63.0.1",
  "100.128.0.1",
  "::ffff:8.8.8.8",
];

it.each([...others, "2001:db8::1", "fec0::1", "2001:fd00::1", "1:fe80::1"])(
  "gives %s, which is one client's",
  (address) => {
    expect(peerAddress(address)).toBe(address);
  },
);

it("gives none for a peer without an address, as on a Unix socket", () => {
  expect(peerAddress(undefined)).toBeUndefined();
});
