import { SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { audience, tokenType } from "./claims.ts";
import { tokenReader } from "./read-token.ts";
import { signingKeys } from "./signing-keys.ts";

const page = "https://app.example";
const keys = signingKeys("s".repeat(40), "older-".repeat(8));
const reader = tokenReader(keys, [page, "https://other.example"]);
const ofPage = { header: (name: string): string | undefined => (name === "origin" ? page : undefined) };

interface Parts {
  readonly header?: object;
  readonly claims?: object;
  readonly key?: Uint8Array;
  readonly audience?: string;
  readonly expires?: number | string;
}

/** Signs a valid token, apart from these parts. */
const token = ({ header, claims, key = keys.current.bytes, audience: aud = audience, expires = "15m" }: Parts = {}) =>
  new SignJWT({ scopes: ["inference"], ...claims })
    .setProtectedHeader({ alg: "HS256", typ: tokenType, kid: keys.current.id, ...header })
    .setAudience(aud)
    .setSubject("key-1")
    .setJti("token-1")
    .setExpirationTime(expires)
    .sign(key);

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Replaces the header of a token, and keeps its signature. */
const withHeader = (text: string, header: object): string => [encode(header), ...text.split(".").slice(1)].join(".");

const codeOf = (presented: string, request = ofPage): Promise<unknown> =>
  reader.read(presented, request).then(
    () => "accepted",
    ({ code, message, cause }) => {
      // Nothing of a token may get into an error, which is sent and reported.
      for (const part of presented.split(".")) if (part !== "") expect(`${message} ${cause}`).not.toContain(part);
      return code;
    },
  );

let valid: string;
beforeAll(async () => {
  valid = await token();
});

it("recognizes a token by its form, which no key of this project has", () => {
  expect(reader.matches(valid)).toBe(true);
  for (const other of [
    "tg_0123456789",
    "eyJ",
    "eyJhbGciOiJIUzI1NiJ9",
    "eyJ.a",
    "a.b.c",
    `${valid}.x`,
    `Bearer ${valid}`,
  ])
    expect(reader.matches(other)).toBe(false);
});

it("reads the grant of a valid token", async () => {
  expect(await reader.read(valid, ofPage)).toEqual({
    id: "token-1",
    keyId: "key-1",
    expiresAt: expect.any(Date),
    scopes: ["inference"],
    session: undefined,
    models: undefined,
    endUser: undefined,
    spendCap: undefined,
  });
});

it("accepts a token that an older secret has signed, which is found by its key id", async () => {
  const [, older] = [...keys.byId.values()];
  expect(await codeOf(await token({ header: { kid: older?.id }, key: older?.bytes ?? keys.current.bytes }))).toBe(
    "accepted",
  );
  expect(await codeOf(await token({ key: older?.bytes ?? keys.current.bytes }))).toBe("invalid_api_key");
});

describe("answers 401 to a token", () => {
  const refused: Readonly<Record<string, () => Promise<string> | string>> = {
    "that is malformed": () => "eyJhbGciOiJIUzI1NiJ9.e30.e30",
    "whose header is no JSON": () => `eyJ${valid.slice(20)}`,
    "whose payload was changed": () => valid.replace(/\.[^.]+\./, `.${encode({ sub: "key-2", jti: "1", exp: 9e9 })}.`),
    "whose signature was cut": () => valid.slice(0, -1),
    "without a signature": () => valid.replace(/[^.]+$/, ""),
    "that another secret has signed": () => token({ key: new TextEncoder().encode("x".repeat(40)) }),
    "of another audience": () => token({ audience: "another-service" }),
    "of another type, which the host signs with the same secret": () => token({ header: { typ: "JWT" } }),
    "with an unknown key id": () => token({ header: { kid: "0123456789abcdef" } }),
    "without a key id": () => token({ header: { kid: undefined } }),
    "with a path as key id": () => token({ header: { kid: "../../../../dev/null" }, key: new Uint8Array(32) }),
    "with a statement as key id": () => token({ header: { kid: "' UNION SELECT 'secret" } }),
    "with a member of every object as key id": () => token({ header: { kid: "__proto__" } }),
    "with `alg: none` and no signature": () =>
      withHeader(valid, { alg: "none", typ: tokenType, kid: keys.current.id }).replace(/[^.]+$/, ""),
    "with `alg: none` and its signature": () =>
      withHeader(valid, { alg: "none", typ: tokenType, kid: keys.current.id }),
    "with another algorithm of HMAC": () => token({ header: { alg: "HS512" }, key: new Uint8Array(64) }),
    "with an algorithm of public keys": () => withHeader(valid, { alg: "RS256", typ: tokenType, kid: keys.current.id }),
    "with a key of its own": () =>
      withHeader(valid, { alg: "HS256", typ: tokenType, kid: keys.current.id, jwk: { kty: "oct", k: "AAAA" } }),
    "with critical headers that it does not know": () =>
      withHeader(valid, { alg: "HS256", typ: tokenType, kid: keys.current.id, crit: ["b64"], b64: false }),
    "without scopes": () => token({ claims: { scopes: undefined } }),
    "with an unknown scope": () => token({ claims: { scopes: ["admin"] } }),
    "of a session that it does not name": () => token({ claims: { scopes: ["session"] } }),
    "that names a session without the scope": () => token({ claims: { session: "a" } }),
    "with a spend cap that is no amount": () => token({ claims: { spend_cap: "a lot" } }),
  };

  it.each(Object.entries(refused))("%s", async (_, make) => {
    expect(await codeOf(await make())).toBe("invalid_api_key");
  });

  it("that has expired", async () => {
    expect(await codeOf(await token({ expires: Math.floor(Date.now() / 1_000) - 1 }))).toBe("expired_api_key");
  });
});

describe("the origin of a request", () => {
  const from = (headers: Readonly<Record<string, string>>) => ({ header: (name: string) => headers[name] });

  it.each([
    ["a listed one", { origin: page }, "accepted"],
    ["another listed one", { origin: "https://other.example" }, "accepted"],
    ["none, by a read of the same origin", { "sec-fetch-site": "same-origin" }, "accepted"],
    ["none", {}, "origin_not_allowed"],
    ["none, by another site", { "sec-fetch-site": "cross-site" }, "origin_not_allowed"],
    ["none, by another subdomain", { "sec-fetch-site": "same-site" }, "origin_not_allowed"],
    ["a foreign one", { origin: "https://evil.example" }, "origin_not_allowed"],
    [
      "a foreign one that claims to be the same",
      { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
      "origin_not_allowed",
    ],
    ["that of a sandbox", { origin: "null" }, "origin_not_allowed"],
    ["an empty one", { origin: "" }, "origin_not_allowed"],
    ["a listed one in other case", { origin: "https://APP.example" }, "origin_not_allowed"],
    ["a listed one with more", { origin: `${page}.evil.example` }, "origin_not_allowed"],
    ["two", { origin: `${page}, https://evil.example` }, "origin_not_allowed"],
  ])("%s", async (_, headers, expected) => {
    expect(await codeOf(valid, from(headers as Readonly<Record<string, string>>))).toBe(expected);
  });

  it("must be that of the token, if it has one", async () => {
    const bound = await token({ claims: { origin: page } });
    expect(await codeOf(bound, from({ origin: page }))).toBe("accepted");
    expect(await codeOf(bound, from({ origin: "https://other.example" }))).toBe("origin_not_allowed");
  });

  it("must be listed still, if the token has one", async () => {
    const bound = await token({ claims: { origin: "https://former.example" } });
    expect(await codeOf(bound, from({ origin: "https://former.example" }))).toBe("origin_not_allowed");
  });
});
