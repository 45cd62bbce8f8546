import { readOptions, type TokenParents } from "@tollgate/core/extension";
import { SignJWT } from "jose";
import { audience, claimsOf, tokenType } from "./claims.ts";
import { type CheckedToken, type NewBrowserToken, newTokenSchema } from "./new-browser-token.ts";
import type { SigningKeys } from "./signing-keys.ts";

/** A token for a page, which sends it where a server would send an API key. */
export interface BrowserToken {
  readonly token: string;
  /** A UUID. Its spend cap is counted by it. */
  readonly id: string;
  readonly expiresAt: Date;
}

/** What makes tokens for browsers. */
export interface BrowserTokens {
  /**
   * Makes a token of a key for one of the host's visitors. Rejects with a RangeError for invalid members and for a key that does
   * not exist or has ended, and with a GatewayError if the key store is unavailable.
   *
   * @example
   * const { token, expiresAt } = await gateway.browserTokens.create({ keyId: key.id, endUser: user.id, spendCap: "0.50" });
   */
  create(token: NewBrowserToken): Promise<BrowserToken>;
}

/** Returns what makes tokens that pages of these origins may use. */
export function tokenMaker(keys: SigningKeys, parents: TokenParents, origins: readonly string[]): BrowserTokens {
  const schema = newTokenSchema(origins);
  return {
    async create(token) {
      const reading = readOptions(schema, token, "token");
      if ("problems" in reading) throw new RangeError(reading.problems.join(" "));
      await requireParent(parents, reading.output);
      return sign(keys, reading.output);
    },
  };
}

async function requireParent(parents: TokenParents, { keyId, spendCap }: CheckedToken): Promise<void> {
  const parent = await parents.find(keyId);
  if (parent === undefined) {
    throw new RangeError(`\`token.keyId\` names the key ${keyId}, which does not exist. Give the id of a key.`);
  }
  const { key, billing } = parent;
  if (key.revokedAt !== undefined || (key.expiresAt !== undefined && key.expiresAt.getTime() <= Date.now())) {
    throw new RangeError(`\`token.keyId\` names the key ${keyId}, which has ended. Give the id of a valid key.`);
  }
  if (spendCap !== undefined && billing === "none") {
    throw new RangeError(
      `\`token.spendCap\` would have no effect, since requests of the plan ${key.plan} cost nothing. Leave it out.`,
    );
  }
}

async function sign({ current }: SigningKeys, token: CheckedToken): Promise<BrowserToken> {
  const id = crypto.randomUUID();
  const issuedAt = Math.floor(Date.now() / 1_000);
  const expiresAt = issuedAt + token.expiresInSeconds;
  const text = await new SignJWT(claimsOf(token))
    .setProtectedHeader({ alg: "HS256", typ: tokenType, kid: current.id })
    .setAudience(audience)
    .setSubject(token.keyId)
    .setJti(id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(current.bytes);
  if (text.length > longestToken) {
    throw new RangeError(
      `The token has ${text.length} characters, and servers accept ${longestToken}. Name fewer models, or shorter ids.`,
    );
  }
  return { token: text, id, expiresAt: new Date(expiresAt * 1_000) };
}

/** What the gateway accepts in a header. */
const longestToken = 4_096;
