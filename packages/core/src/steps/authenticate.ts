import { GatewayError } from "../errors/gateway-error.ts";
import type { ApiKey } from "../ports/key-store.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { Authenticated } from "../request/request-stages.ts";
import type { KeyServices } from "../request/services.ts";
import { type Awaitable, catchAwaitable, mapAwaitable } from "../runtime/awaitable.ts";
import { readBearer } from "../wire/authorization.ts";

/** Check 1: the bearer key. */
export function authenticate(services: KeyServices, context: RequestContext): Awaitable<Authenticated> {
  const refuse = (error: unknown) => services.failedKeys.refuse(error, context.request);
  const identify = (key: ApiKey): Authenticated => {
    const { report } = context.meta;
    report.keyId = key.id;
    report.account = key.account;
    return { ...context, key, plan: services.planOf(key) };
  };
  return catchAwaitable(() => mapAwaitable(findKey(services, context), identify), refuse);
}

function findKey(services: KeyServices, context: RequestContext): Awaitable<ApiKey> {
  const bearer = readBearer(context.request.header("authorization"));
  if ("problem" in bearer) throw bearer.problem === "missing" ? missingKey() : invalidKey();
  return mapAwaitable(services.keys.find(bearer.key, context.request), requireAlive);
}

function requireAlive(key: ApiKey | undefined): ApiKey {
  if (key === undefined) throw invalidKey();
  // Whatever its date: a database whose clock is ahead of ours dates a revocation into our future.
  if (key.revokedAt !== undefined) {
    throw new GatewayError("revoked_api_key", "This API key was revoked. Use another key.");
  }
  if (key.expiresAt !== undefined && key.expiresAt.getTime() <= Date.now()) {
    throw new GatewayError("expired_api_key", "This API key has expired. Use a newer key.");
  }
  return key;
}

const missingKey = (): GatewayError =>
  new GatewayError("missing_api_key", "No API key was given. Send it in the header `Authorization: Bearer <API_KEY>`.");

const invalidKey = (): GatewayError =>
  new GatewayError(
    "invalid_api_key",
    "This API key is not valid. Send exactly one header `Authorization: Bearer <API_KEY>` with a key of this service.",
  );
