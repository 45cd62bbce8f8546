import type { Json } from "@tollgate/core/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Redactor } from "./redactor.ts";

const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
const special = fc.constantFrom("\\", '"', "/", "%", "+", " ", "$&", "'", "&#39;", "é", "😀", "-", "_", "__proto__");
/** As a configuration may give it: without control characters. */
const secretText = fc
  .oneof(
    fc.string({ minLength: 4, maxLength: 200 }),
    fc.string({ unit: "binary", minLength: 4, maxLength: 100 }),
    fc.string({ unit: special, minLength: 4, maxLength: 40 }),
    fc.string({ unit: fc.constantFrom("a", "b"), minLength: 4, maxLength: 8 }),
  )
  .map((secret) => secret.replace(/\p{Cc}/gu, ""))
  .filter((secret) => secret.length >= 4);
const context = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit, maxLength: 30 }),
  fc.string({ unit: special, maxLength: 10 }),
);

const wellFormed = (text: string): string => Buffer.from(text).toString("utf8");
const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);
const percent = (text: string): string => encodeURIComponent(wellFormed(text));
const lowerHex = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase());
const html = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (character) => `&${{ "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#39" }[character]};`,
  );
/** With the references that PHP writes. */
const phpHtml = (text: string): string => html(text).replaceAll("&#39;", "&#039;");
const form = (text: string): string => new URLSearchParams([["v", text]]).toString().slice(2);

/** Each encodes a text such that the encoded secret is a substring of the encoded text around it. */
const encoders: readonly (readonly [string, (text: string) => string])[] = [
  ["raw", (text) => text],
  ["percent", percent],
  ["percent, lower case", (text) => lowerHex(percent(text))],
  ["form", form],
  ["form, lower case", (text) => lowerHex(form(text))],
  ["JSON", quoted],
  ["JSON twice", (text) => quoted(quoted(text))],
  ["JSON in a query", (text) => percent(quoted(text))],
  ["a query in JSON", (text) => quoted(percent(text))],
  ["percent twice", (text) => percent(percent(text))],
  ["percent twice, lower case", (text) => lowerHex(percent(percent(text)))],
  ["form twice", (text) => form(form(text))],
  ["upper case", (text) => text.toUpperCase()],
  ["percent, all in upper case", (text) => percent(text.toUpperCase())],
  ["JSON, upper case", (text) => quoted(text.toUpperCase())],
  ["HTML", html],
  ["HTML, as PHP escapes it", phpHtml],
  ["HTML twice", (text) => html(html(text))],
  ["HTML, upper case", (text) => html(text.toUpperCase())],
  ["HTML, all in upper case", (text) => html(text).toUpperCase()],
  ["HTML in JSON", (text) => quoted(html(text))],
  ["JSON in HTML", (text) => html(quoted(text))],
  ["JSON with escaped slashes", (text) => quoted(text).replaceAll("/", "\\/")],
  [
    "ASCII JSON",
    (text) => quoted(text).replace(/[^ -~]/g, (u) => `\\u${u.charCodeAt(0).toString(16).padStart(4, "0")}`),
  ],
];

const pieces = (shown: string): readonly string[] => shown.split("[redacted]");

describe("Redactor.text", () => {
  it.each(encoders)("removes a secret that is encoded as %s", (_, encode) => {
    fc.assert(
      fc.property(secretText, context, context, (secret, before, after) => {
        const shown = new Redactor({ secret }).text(`${encode(before)}${encode(secret)}${encode(after)}`);
        expect(shown).toContain("[redacted]");
        for (const piece of pieces(shown)) {
          expect(piece.includes(secret)).toBe(false);
          expect(piece.includes(encode(secret))).toBe(false);
        }
      }),
      { numRuns: 40 },
    );
  });

  it.each(["base64", "base64url"] as const)("removes a secret inside %s, at any offset", (encoding) => {
    const before = fc.uint8Array({ maxLength: 20 });
    fc.assert(
      fc.property(secretText, before, fc.uint8Array({ maxLength: 20 }), (secret, head, tail) => {
        const whole = Buffer.concat([head, Buffer.from(secret), tail]).toString(encoding);
        const shown = new Redactor({ secret }).text(`Basic ${whole}.`);
        expect(shown).toContain("[redacted]");
        // At each alignment, the remaining text does not decode to the secret.
        const rest = pieces(shown).join("");
        expect(Buffer.from(rest, encoding).includes(Buffer.from(secret))).toBe(false);
        expect(shown.includes(core(secret, head.length % 3, encoding))).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it("does not change a text without a secret", () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abcdefghijklm0123456789+/=%\\"$&'), maxLength: 300 });
    fc.assert(
      fc.property(letters, (text) => {
        expect(new Redactor({ one: "ZZZZQQQQ-Ü", two: "$&WXYZ%%" }).text(text)).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  it("removes all of secrets that overlap", () => {
    const small = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 4, maxLength: 7 });
    fc.assert(
      fc.property(
        fc.array(small, { minLength: 1, maxLength: 4 }),
        fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 60 }),
        (list, text) => {
          const secrets = Object.fromEntries(list.map((secret, i) => [`s${i}`, secret]));
          const covered = Array.from(text, (_, i) =>
            list.some((s) => starts(text, s).some((at) => at <= i && i < at + s.length)),
          );
          const left = Array.from(text)
            .filter((_, i) => !covered[i])
            .join("");
          expect(pieces(new Redactor(secrets).text(text)).join("")).toBe(left);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("Redactor.json", () => {
  it("removes secrets from strings, keys and numbers, and changes nothing else", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ maxLength: 5 }), (value, around) => {
        const redactor = new Redactor({ key: "ZQ-$&-sécret", pin: "77889900" });
        const given: Json = {
          plain: JSON.parse(JSON.stringify(value)),
          [`${around}ZQ-$&-sécret`]: ["ZQ-$&-sécret", { deep: 77889900 }],
        };
        const shown = redactor.json(given);
        expect(JSON.stringify(shown)).not.toMatch(/sécret|77889900/);
        expect(JSON.stringify(shown)).toContain(JSON.stringify(value));
      }),
    );
  });
});

/** The base64 characters that encode bits of the secret only. */
function core(secret: string, offset: number, encoding: "base64" | "base64url"): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  return bytes.toString(encoding).slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

const starts = (text: string, secret: string): readonly number[] =>
  Array.from(text, (_, i) => i).filter((i) => text.startsWith(secret, i));
