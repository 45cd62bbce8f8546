import { GatewayError } from "@tollgate/core";
import { arrayOf, digestKey, filledText, optionMembers, requireOptions } from "@tollgate/core/internal";
import * as v from "valibot";
import { type Authorize, type Operator, roleOption } from "./authorize.ts";

/** A bearer token of an operator: the token itself, or the SHA-256 of it in hex, so that the host need not keep it. */
export type ManagementToken = Operator & ({ readonly token: string } | { readonly sha256: string });

const minLength = 16;

const tokenSchema = optionMembers("a token", {
  token: v.exactOptional(
    v.custom<string>(
      (value) => typeof value === "string" && value.length >= minLength,
      `must be a random string of at least ${minLength} characters`,
    ),
  ),
  sha256: v.exactOptional(
    v.custom<string>(
      (value) => typeof value === "string" && /^[0-9a-f]{64}$/i.test(value),
      "must be a SHA-256 of 64 hex digits",
    ),
  ),
  actor: filledText,
  role: roleOption,
});

const tokensSchema = v.pipe(
  v.custom<readonly unknown[]>(Array.isArray, "must be an array of tokens"),
  arrayOf(
    "tokens",
    v.pipe(
      tokenSchema,
      v.check(
        ({ token, sha256 }) => (token === undefined) !== (sha256 === undefined),
        "needs `token` or `sha256`, not both",
      ),
    ),
  ),
  v.minLength(1, "must have at least one token"),
);

/**
 * Returns an `authorize` for bearer tokens. It compares digests, in constant time. Throws a TypeError for a token that is
 * shorter than 16 characters.
 *
 * @example
 * management({ gateway, stores, authorize: managementTokens([{ token: process.env.ADMIN_TOKEN, actor: "ann", role: "admin" }]) });
 */
export function managementTokens(tokens: readonly ManagementToken[]): Authorize {
  const known = requireOptions("managementTokens", tokensSchema, tokens).map(
    async ({ token, sha256, actor, role }) => ({
      digest: sha256?.toLowerCase() ?? (await digestKey(token ?? "")),
      operator: { actor, role },
    }),
  );
  return async ({ headers }) => {
    const [, presented] = /^bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
    const operator =
      presented === undefined ? undefined : findOperator(await Promise.all(known), await digestKey(presented));
    if (operator !== undefined) return operator;
    const problem =
      presented === undefined ? "This needs a token of an operator" : "This token of an operator is unknown";
    throw new GatewayError("authorization_required", `${problem}. Send \`Authorization: Bearer <token>\`.`);
  };
}

/** Compares all tokens, so that the time does not depend on which one matches. */
function findOperator(
  known: readonly { readonly digest: string; readonly operator: Operator }[],
  digest: string,
): Operator | undefined {
  let found: Operator | undefined;
  for (const each of known) if (areEqual(each.digest, digest)) found = each.operator;
  return found;
}

/** Compares two texts of one length in constant time. */
export function areEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < b.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}
