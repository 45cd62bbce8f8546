import { hasEnded } from "../access/rotation.ts";
import type { TokenRules } from "../answering/model-api.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { TokenGrant } from "../ports/access-token.ts";
import type { ApiKey } from "../ports/key-store.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Caller } from "../request/paid-call.ts";
import type { Services } from "../request/services.ts";

/**
 * Returns the caller of a request that presents a token: its parent key with the rights of the token. Throws 401 for an invalid
 * token and for a parent that has ended, 403 for a request from elsewhere, and 404 for a place that the token may not reach.
 */
export async function acceptToken(
  services: Services,
  { request, report }: Exchange,
  presented: string,
  rules: TokenRules | undefined,
): Promise<Caller> {
  const token = await services.accessTokens.read(presented, request);
  requireReach(token, rules);
  const key = narrow(requireParent(await services.accessTokens.parent(token.keyId)), token);
  report.key = key;
  report.tokenEndUser = token.endUser;
  return { key, plan: services.planOf(key), token };
}

/** Throws unless a token may use an endpoint. What a token of a session may not use is the same 404, whether or not it exists. */
function requireReach({ session }: TokenGrant, rules: TokenRules | undefined): void {
  if (rules !== undefined && session === undefined) {
    throw new GatewayError(
      "scope_not_allowed",
      "This token may not use sessions. Use a token that was made for a session, or an API key on a server.",
      { metadata: { required_scope: "session" } },
    );
  }
  if (rules?.session?.toLowerCase() === session) return;
  throw new GatewayError(
    "resource_not_found",
    "This token is for one session. It may send messages to that session and read them, and nothing else.",
  );
}

function requireParent(key: ApiKey | undefined): ApiKey {
  if (key !== undefined && !hasEnded(key)) return key;
  throw new GatewayError(
    "revoked_api_key",
    "The API key of this token is no longer valid. Get a new token from the server that made this one.",
  );
}

/** Returns the parent with what the token may do of it. The id stays, so that limits, spend and the hold are those of the parent. */
function narrow(parent: ApiKey, { scopes, models, expiresAt }: TokenGrant): ApiKey {
  const { scopes: allowed, models: offered, expiresAt: ends = expiresAt } = parent;
  return {
    ...parent,
    scopes: allowed === undefined ? scopes : scopes.filter((scope) => allowed.includes(scope)),
    ...(models !== undefined && {
      models: offered === undefined ? models : models.filter((model) => offered.includes(model)),
    }),
    expiresAt: ends < expiresAt ? ends : expiresAt,
  };
}
