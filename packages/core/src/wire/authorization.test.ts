import fc from "fast-check";
import { expect, it } from "vitest";
import { readBearer } from "../steps/admit.ts";

const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 512,
});
const scheme = fc.mixedCase(fc.constant("bearer"));

it("reads every token of visible characters, whatever the case of the scheme", () => {
  fc.assert(
    fc.property(scheme, fc.integer({ min: 1, max: 3 }), visible, (name, spaces, key) => {
      expect(readBearer(name + " ".repeat(spaces) + key)).toEqual({ key });
    }),
  );
});

it("refuses two headers that were joined, in either order", () => {
  fc.assert(
    fc.property(scheme, visible, visible, fc.constantFrom(",", ", "), (name, first, second, comma) => {
      expect(readBearer(`${name} ${first}${comma}${name} ${second}`)).toEqual({ problem: "malformed" });
      expect(readBearer(`Basic ${first}${comma}${name} ${second}`)).toEqual({ problem: "malformed" });
    }),
  );
  expect(
    new Headers([
      ["authorization", "Bearer a"],
      ["authorization", "Bearer b"],
    ]).get("authorization"),
  ).toBe("Bearer a, Bearer b");
  expect(readBearer("Bearer a, ")).toEqual({ problem: "malformed" });
});

it("reads no token that holds another character", () => {
  const other = fc.string({ unit: "binary", minLength: 1, maxLength: 1 }).filter((text) => !/^[!-~]$/.test(text));
  fc.assert(
    fc.property(visible, other, visible, (before, character, after) => {
      expect(readBearer(`Bearer ${before}${character}${after}`)).toEqual({ problem: "malformed" });
    }),
  );
});

it.each(["Bearer", "Bearer ", "Bearera", "Basic abc", "abc", " Bearer abc", "Bearer abc\n", "Token Bearer abc"])(
  "calls %j malformed",
  (header) => {
    expect(readBearer(header)).toEqual({ problem: "malformed" });
  },
);

it("refuses 4,097 characters", () => {
  expect(readBearer(`Bearer ${"a".repeat(4_096)}`)).toEqual({ key: "a".repeat(4_096) });
  expect(readBearer(`Bearer ${"a".repeat(4_097)}`)).toEqual({ problem: "malformed" });
});

it("calls an absent or empty header missing", () => {
  expect(readBearer(undefined)).toEqual({ problem: "missing" });
  expect(readBearer("")).toEqual({ problem: "missing" });
});
