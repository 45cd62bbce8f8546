import { describe, expect, it } from "vitest";
import { classifyAddress } from "./classify-address.ts";
import { formatAddress } from "./format-address.ts";
import { parseAddress } from "./parse-address.ts";

const forbidden = [
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "100.100.100.200",
  "192.0.0.192",
  "168.63.129.16",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd20:ce::254",
  "::ffff:169.254.169.254",
  "::169.254.169.254",
  "::ffff:0:169.254.169.254",
  "64:ff9b::169.254.169.254",
  "64:ff9b:1::10.0.0.1",
  "2002:a9fe:a9fe::",
  "2001:0:a9fe:a9fe::1",
  "2a00::200:5efe:169.254.169.254",
  "2a00::5efe:10.0.0.1",
  "fe80::1",
  "fec0::1",
  "ff02::1",
  "::",
  "100::1",
  "100:0:0:1::1",
  "4000::1",
  "5f00::1",
  "0.0.0.0",
  "224.0.0.1",
  "255.255.255.255",
];

describe("classifyAddress", () => {
  it.each(forbidden)("forbids %s, even for allowed targets", (text) => expect(kindOf(text)).toBe("forbidden"));

  it.each(["127.0.0.1", "10.1.2.3", "172.31.255.255", "192.168.0.1", "100.64.0.1", "198.19.0.1", "::1", "fd12::1"])(
    "classifies %s as part of a private network",
    (text) => expect(kindOf(text)).toBe("own_network"),
  );

  it.each([
    ["169.254.1.1", "forbidden", "169.254.0.0/16, cloud metadata"],
    ["fd00:42::42", "forbidden", "fd00:42::42/128, cloud metadata"],
    ["fd00:42::43", "own_network", "fc00::/7"],
    ["192.0.0.1", "forbidden", "192.0.0.0/24"],
    ["10.1.2.3", "own_network", "10.0.0.0/8"],
    ["::", "forbidden", "outside 2000::/3"],
    ["2001:db8::1", "forbidden", "2001:db8::/32"],
    ["2a00::5efe:10.0.0.1", "forbidden", "ISATAP of 10.0.0.0/8"],
  ])("finds %s %s, in %s", (text, kind, range) => {
    expect(classifyAddress(parseAddress(text) ?? new Uint8Array())).toEqual({ kind, range });
  });

  it.each(["2a00::5efe:8.8.8.8", "2a00::200:5efe:8.8.8.8"])("accepts the ISATAP address %s of a public one", (text) =>
    expect(kindOf(text)).toBe("global"),
  );

  it.each([
    "2a00::100:5efe:10.0.0.1",
    "2a00::300:5efe:10.0.0.1",
    "2a00::1:5efe:10.0.0.1",
    "2a00::201:5efe:10.0.0.1",
    "2a00::5ffe:10.0.0.1",
    "2a00::5eff:10.0.0.1",
  ])("accepts %s, which is not an ISATAP address", (text) => expect(kindOf(text)).toBe("global"));

  it.each(["8.8.8.8", "168.63.129.15", "2606:4700::1111", "2a00:1450:4001::200e", "::ffff:8.8.8.8"])(
    "accepts %s",
    (text) => expect(kindOf(text)).toBe("global"),
  );
});

describe("formatAddress", () => {
  it.each([
    ["1.2.3.4", "1.2.3.4"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
    ["2a00:0ff::1", "2a00:ff:0:0:0:0:0:1"],
  ])("writes %s as %s", (text, formatted) => {
    expect(formatAddress(parseAddress(text) ?? new Uint8Array())).toBe(formatted);
  });
});

describe("parseAddress", () => {
  it.each(["", "fe80::1%eth0", "2a00::1%1", "127.1", "0177.0.0.1", "1.2.3.4 ", "[::1]", "::ffff:1.2.3", "host"])(
    "returns undefined for %j",
    (text) => expect(parseAddress(text)).toBeUndefined(),
  );

  it.each([
    ["1:203:405:607:809:a0b:c0d:e0f", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]],
    ["1::f", [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 15]],
    ["64:ff9b::1.2.3.4", [0, 100, 255, 155, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]],
  ])("parses every byte of %s", (text, bytes) => expect(parseAddress(text)).toEqual(Uint8Array.from(bytes)));

  it("represents an IPv4-mapped address by its 4 bytes", () => {
    expect(parseAddress("::ffff:1.2.3.4")).toEqual(Uint8Array.of(1, 2, 3, 4));
  });

  it.each(["::1.2.3.4", "::ff:1.2.3.4", "::ff00:1.2.3.4", "::1:ffff:1.2.3.4", "1::ffff:1.2.3.4"])(
    "represents %s, which is not mapped, by 16 bytes",
    (text) => expect(parseAddress(text)).toHaveLength(16),
  );
});

function kindOf(text: string) {
  const bytes = parseAddress(text);
  return bytes && classifyAddress(bytes).kind;
}
