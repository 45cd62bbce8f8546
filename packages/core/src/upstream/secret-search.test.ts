import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeUtf8 } from "../wire/bytes.ts";
import { SecretSearch } from "./secret-search.ts";

const pieces = (text: string, at: readonly number[]) => {
  const cuts = [0, ...at.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
  return cuts.slice(1).map((cut, index) => text.slice(cuts[index], cut));
};

it("finds what String.includes finds, in any division into pieces", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "-"), maxLength: 40 });
  const secret = fc.string({ unit: fc.constantFrom("a", "b", "-"), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(text, secret, fc.array(fc.nat(40)), (all, wanted, cuts) => {
      const search = new SecretSearch([wanted]);
      for (const piece of pieces(all, cuts)) search.addText(piece);
      expect(search.found).toBe(all.includes(wanted));
    }),
  );
});

it("reads the escapes of JSON", () => {
  const search = new SecretSearch(["http://host:80", "sk-123"]);
  const add = (json: string) => search.addJson(encodeUtf8(json), 0, encodeUtf8(json).length);
  add(String.raw`see http:\/\/ho`);
  expect(search.found).toBe(false);
  add("st:8");
  add(String.raw`\u0030/v1`);
  expect(search.found).toBe(true);
});

it("finds each of several secrets", () => {
  for (const secret of ["sk-123", "host"]) {
    const search = new SecretSearch(["sk-123", "host"]);
    search.addText("Grüße, ");
    search.addText(`${secret}!`);
    expect(search.found).toBe(true);
  }
});
