import { type ErrorCode, GatewayError } from "@tollgate/core";
import type { ClientRequest, TokenGrant, TokenReader } from "@tollgate/core/extension";
import { errors, type JWTPayload, jwtVerify } from "jose";
import { audience, readClaims, tokenType } from "./claims.ts";
import type { SigningKeys } from "./signing-keys.ts";

/** Three parts in base64url, of which the first is a JSON object (RFC 7515, section 7.1). The signature may be empty, as with "none". */
const compactForm = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;

/** Returns what reads the tokens that were signed with these keys, from pages of these origins. */
export function tokenReader(keys: SigningKeys, origins: readonly string[]): TokenReader {
  const listed: ReadonlySet<string> = new Set(origins);
  return {
    matches: (presented) => presented.startsWith("eyJ") && compactForm.test(presented),
    async read(presented, request) {
      const claims = readClaims(await verify(keys, presented));
      if (claims === undefined) throw invalid("its claims are not those of a browser token");
      requireOrigin(request, listed, claims.origin);
      return claims.grant satisfies TokenGrant;
    },
  };
}

/** Returns the claims of a token. Rejects with 401 for one that is not valid. */
async function verify({ byId }: SigningKeys, presented: string): Promise<JWTPayload> {
  try {
    const findKey = ({ kid }: { readonly kid?: string }): Uint8Array => {
      const key = kid === undefined ? undefined : byId.get(kid);
      if (key === undefined) throw invalid("it was signed with a secret that is not in use");
      return key.bytes;
    };
    const { payload } = await jwtVerify(presented, findKey, {
      algorithms: ["HS256"],
      audience,
      typ: tokenType,
      requiredClaims: ["exp", "jti", "sub"],
    });
    return payload;
  } catch (cause) {
    // An error of the library may have the claims, so it is no cause of the answer.
    throw GatewayError.is(cause) ? cause : refusalOf(cause);
  }
}

function refusalOf(cause: unknown): GatewayError {
  if (cause instanceof errors.JWTExpired) return refused("expired_api_key", "This token has expired.");
  if (cause instanceof errors.JWSSignatureVerificationFailed) return invalid("its signature does not match");
  if (cause instanceof errors.JOSEAlgNotAllowed) return invalid("its algorithm is not HS256");
  if (cause instanceof errors.JWTClaimValidationFailed)
    return invalid(`its \`${cause.claim}\` is not that of a browser token`);
  return invalid("it is malformed");
}

const invalid = (reason: string): GatewayError => refused("invalid_api_key", `This token is not valid: ${reason}.`);

const refused = (code: ErrorCode, sentence: string): GatewayError =>
  new GatewayError(code, `${sentence} Get a new token from the server that made this one.`);

/** Throws 403 for a request of a page of another origin. A page that reads from its own origin sends no `Origin`. */
function requireOrigin(
  request: Pick<ClientRequest, "header">,
  listed: ReadonlySet<string>,
  expected: string | undefined,
): void {
  const origin = request.header("origin");
  if (origin === undefined && request.header("sec-fetch-site") === "same-origin") return;
  if (origin !== undefined && listed.has(origin) && (expected === undefined || expected === origin)) return;
  throw new GatewayError(
    "origin_not_allowed",
    "This token may not be used from here. Send the request from a page whose origin the token was made for, or use an API key on a server.",
  );
}
