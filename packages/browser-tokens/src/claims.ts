import { formatAmount } from "@tollgate/core";
import { amount, filledText, oneOf, type TokenGrant } from "@tollgate/core/extension";
import type { JWTPayload } from "jose";
import * as v from "valibot";
import type { CheckedToken } from "./new-browser-token.ts";

/** The audience and the type of every token, so that no other JWT that is signed with the same secret is taken for one. */
export const audience = "tollgate-browser";
/** The value of the header `typ`. */
export const tokenType = "tollgate-browser+jwt";

/** Returns the claims of a token besides those of RFC 7519, which name its parent as the subject. */
export function claimsOf({ scopes = ["inference"], session, models, endUser, origin, spendCap }: CheckedToken) {
  return {
    ...(session === undefined ? { scopes } : { scopes: ["session"], session }),
    ...(models !== undefined && { models }),
    ...(endUser !== undefined && { end_user: endUser }),
    ...(origin !== undefined && { origin }),
    ...(spendCap !== undefined && { spend_cap: formatAmount(spendCap) }),
  };
}

const claims = v.object({
  jti: filledText,
  sub: filledText,
  exp: v.number(),
  scopes: v.array(oneOf("inference", "account:read", "session")),
  session: v.exactOptional(filledText),
  models: v.exactOptional(v.array(filledText)),
  end_user: v.exactOptional(filledText),
  origin: v.exactOptional(filledText),
  spend_cap: v.exactOptional(amount(0n)),
});

/** Returns what the verified claims of a token grant, and the origin of its pages. Undefined for claims of another form. */
export function readClaims(payload: JWTPayload): { grant: TokenGrant; origin: string | undefined } | undefined {
  const reading = v.safeParse(claims, payload);
  if (!reading.success) return undefined;
  const { jti, sub, exp, scopes, session, models, end_user: endUser, origin, spend_cap: spendCap } = reading.output;
  const isOfSession = scopes.includes("session");
  if (isOfSession !== (session !== undefined)) return undefined;
  const grant = {
    id: jti,
    keyId: sub,
    expiresAt: new Date(exp * 1_000),
    // A turn calls models, which its parent must be allowed to do.
    scopes: isOfSession ? (["inference"] as const) : scopes.filter((scope) => scope !== "session"),
    session,
    models,
    endUser,
    spendCap,
  };
  return { grant, origin };
}
