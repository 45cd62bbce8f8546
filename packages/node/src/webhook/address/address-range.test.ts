import { describe, expect, it } from "vitest";
import { addressRange, isWithin } from "./address-range.ts";
import { parseAddress } from "./parse-address.ts";

const isIn = (address: string, cidr: string) => isWithin(parseAddress(address) ?? new Uint8Array(), addressRange(cidr));

describe("an address range", () => {
  it.each([
    "10.0.0.0",
    "10.0.0.0/",
    "10.0.0.0/33",
    "10.0.0.0/a",
    "10.0.0.0/8a",
    "10.0.0.0/a8",
    "/8",
    "::/129",
    "::/1280",
  ])("is not %j", (cidr) =>
    expect(() => addressRange(cidr)).toThrow(`"${cidr}" is not an address range. Write it as 10.0.0.0/8.`),
  );

  it.each([
    ["1.2.3.4", "1.2.3.4/32"],
    ["255.255.255.255", "0.0.0.0/0"],
    ["ffff::1", "::/0"],
    ["10.0.0.127", "10.0.0.0/25"],
    ["2001:db8::1", "2001:db8::1/128"],
  ])("that has %s is %s", (address, cidr) => expect(isIn(address, cidr)).toBe(true));

  it.each([
    ["1.2.3.5", "1.2.3.4/32"],
    ["10.0.0.128", "10.0.0.0/25"],
    ["11.0.0.1", "10.0.0.0/8"],
    ["2001:db8::2", "2001:db8::1/128"],
    ["1.2.3.4", "::/0"],
    ["::1", "0.0.0.0/0"],
  ])("that does not have %s is %s", (address, cidr) => expect(isIn(address, cidr)).toBe(false));
});
