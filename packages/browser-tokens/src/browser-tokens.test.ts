import { createGateway, memoryBalanceStore, memoryKeyStore } from "@tollgate/core";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import type { BrowserTokenOptions } from "./browser-token-options.ts";
import { browserTokens } from "./browser-tokens.ts";

const secret = "a-secret-of-the-tests-".repeat(2);
const page = "https://app.example";

/** Creates a gateway with tokens whose options a host in JavaScript may pass. */
function createWith(given: object = {}) {
  const keys = memoryKeyStore();
  const options: BrowserTokenOptions = { secret, origins: [page] };
  const gateway = createGateway({
    keys,
    balances: memoryBalanceStore(),
    plans: [
      { id: "prepaid", billing: "prepaid" },
      { id: "subscription", billing: "none" },
    ],
    models: [],
    extensions: [browserTokens({ ...options, ...given })],
  });
  return { keys, gateway };
}

describe("the options", () => {
  it.each([
    ["no secret", { secret: undefined }, "`browserTokens.secret` is missing."],
    [
      "a short secret",
      { secret: "changeme" },
      "`browserTokens.secret` must be a random text of at least 32 characters.",
    ],
    ["an empty list of secrets", { secret: [] }, "`browserTokens.secret` is empty."],
    ["a list with a short secret", { secret: [secret, "old"] }, "`browserTokens.secret[1]` must be a random text"],
    ["no origins", { origins: undefined }, "`browserTokens.origins` is missing."],
    ["an empty list of origins", { origins: [] }, "`browserTokens.origins` is empty."],
    [
      "a wildcard",
      { origins: "*" },
      '`browserTokens.origins` must be a list of origins, such as ["https://app.example"].',
    ],
    ["a wildcard in the list", { origins: ["*"] }, "`browserTokens.origins[0]` must be an origin"],
    ["a wildcard of subdomains", { origins: ["https://*.example"] }, "`browserTokens.origins[0]` must be an origin"],
    ["the origin of sandboxes", { origins: ["null"] }, "`browserTokens.origins[0]` must be an origin"],
    ["an origin with a path", { origins: [`${page}/`] }, "`browserTokens.origins[0]` must be an origin"],
    ["an unknown option", { orgins: [] }, "Did you mean origins?"],
  ])("refuse %s", (_, given, problem) => {
    let message = "";
    expect(() => createWith(given)).toThrow(problem);
    try {
      createWith(given);
    } catch (error) {
      message = String(error);
    }
    expect(message).not.toContain("changeme");
  });

  it("refuse a second extension that accepts tokens", () => {
    const keys = memoryKeyStore();
    const extension = browserTokens({ secret, origins: [page] });
    const create = () =>
      createGateway({
        keys,
        balances: memoryBalanceStore(),
        plans: [{ id: "prepaid", billing: "prepaid" }],
        models: [],
        extensions: [extension, browserTokens({ secret, origins: [page] })],
      });
    expect(create).toThrow("Two extensions accept tokens");
  });
});

describe("create", () => {
  it("makes a JWT of 15 minutes that names its parent, and nothing of the secret", async () => {
    const { keys, gateway } = createWith();
    const { key } = await keys.create({ account: "acme", plan: "prepaid" });
    const { token, id, expiresAt } = await gateway.browserTokens.create({ keyId: key.id });
    expect(decodeProtectedHeader(token)).toEqual({
      alg: "HS256",
      typ: "tollgate-browser+jwt",
      kid: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    const { iat = 0, exp, ...claims } = decodeJwt(token);
    expect(claims).toEqual({ aud: "tollgate-browser", sub: key.id, jti: id, scopes: ["inference"] });
    expect(exp).toBe(iat + 900);
    expect(expiresAt.getTime()).toBe((iat + 900) * 1_000);
  });

  it("signs with the first secret of a list", async () => {
    const kidOf = async (given: string | readonly string[]) => {
      const { keys, gateway } = createWith({ secret: given });
      const { key } = await keys.create({ account: "acme", plan: "prepaid" });
      return decodeProtectedHeader((await gateway.browserTokens.create({ keyId: key.id })).token).kid;
    };
    const newer = "another-secret-of-the-tests-".repeat(2);
    expect(await kidOf([secret, newer])).toBe(await kidOf(secret));
    expect(await kidOf([newer, secret])).toBe(await kidOf(newer));
    expect(await kidOf(newer)).not.toBe(await kidOf(secret));
  });

  const session = "3f6c1d9e-0b51-4d35-9a43-2f9c2a4f9f10";

  it.each([
    ["no key", { keyId: undefined }, "`token.keyId` is missing."],
    [
      "a life of more than a day",
      { expiresInSeconds: 86_401 },
      "`token.expiresInSeconds` must be a whole number from 1 to 86400",
    ],
    ["no life", { expiresInSeconds: 0 }, "`token.expiresInSeconds` must be a whole number"],
    ["an unknown scope", { scopes: ["admin"] }, '`token.scopes[0]` must be "inference" or "account:read"'],
    ["no scope", { scopes: [] }, "`token.scopes` is empty."],
    ["scopes beside a session", { scopes: ["inference"], session }, "has both `scopes` and `session`."],
    ["a session that is no UUID", { session: "mine" }, "`token.session` must be the id of a session"],
    ["no models", { models: [] }, "`token.models` is empty."],
    [
      "an origin that is not listed",
      { origin: "https://other.example" },
      "`token.origin` is not one of the option `origins`: https://app.example.",
    ],
    ["a number as cap", { spendCap: 0.5 }, "`token.spendCap` must be a decimal string"],
    ["an empty end user", { endUser: "" }, "`token.endUser` must be a string of 1 to 256 characters"],
    ["an unknown member", { ttl: 5 }, "`token.ttl` is not a member of a browser token."],
    [
      "more than fits into a header",
      { models: Array.from({ length: 300 }, (_, at) => `model-${at}`) },
      "Name fewer models",
    ],
  ])("refuses %s", async (_, given, problem) => {
    const { keys, gateway } = createWith();
    const { key } = await keys.create({ account: "acme", plan: "prepaid" });
    const made = Reflect.apply(gateway.browserTokens.create, undefined, [{ keyId: key.id, ...given }]);
    await expect(made).rejects.toThrow(problem);
    await expect(made).rejects.toThrow(RangeError);
  });

  it("refuses a key that does not exist or has ended, and a cap on a plan whose requests cost nothing", async () => {
    const { keys, gateway } = createWith();
    const { create } = gateway.browserTokens;
    await expect(create({ keyId: "nobody" })).rejects.toThrow("does not exist");
    const { key: revoked } = await keys.create({ account: "acme", plan: "prepaid" });
    await keys.revoke(revoked.id);
    await expect(create({ keyId: revoked.id })).rejects.toThrow("has ended");
    const { key: expired } = await keys.create({ account: "acme", plan: "prepaid", expiresAt: new Date(1) });
    await expect(create({ keyId: expired.id })).rejects.toThrow("has ended");
    const { key: free } = await keys.create({ account: "acme", plan: "subscription" });
    await expect(create({ keyId: free.id, spendCap: "1" })).rejects.toThrow("would have no effect");
  });
});
