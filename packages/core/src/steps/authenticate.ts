import type { CheckedPlan } from "../catalogue/checked-plan.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { ApiKey } from "../ports/key-store.ts";
import type { Incoming, Room } from "../request/incoming.ts";
import type { Services } from "../request/services.ts";
import { type Awaitable, catchAwaitable, mapAwaitable } from "../runtime/awaitable.ts";
import { readBearer } from "../wire/authorization.ts";

/** A request whose key is known and alive. */
export interface Authenticated extends Incoming {
  readonly key: ApiKey;
  readonly plan: CheckedPlan;
}

/** Check 1: the bearer key. */
export function authenticate(services: Services, incoming: Incoming): Awaitable<Authenticated> {
  const refuse = (error: unknown) => services.failedKeys.refuse(error, incoming.request);
  const identify = (key: ApiKey) => {
    const { report } = incoming.trail;
    report.keyId = key.id;
    report.account = key.account;
    attachKey(incoming, key, services.planOf(key));
    return incoming;
  };
  return catchAwaitable(() => mapAwaitable(findKey(services, incoming), identify), refuse);
}

function attachKey(
  record: Room<Incoming, Authenticated>,
  key: ApiKey,
  plan: CheckedPlan,
): asserts record is Authenticated {
  record.key = key;
  record.plan = plan;
}

function findKey(services: Services, incoming: Incoming): Awaitable<ApiKey> {
  const bearer = readBearer(incoming.request.header("authorization"));
  if ("problem" in bearer) throw bearer.problem === "missing" ? missingKey() : invalidKey();
  return mapAwaitable(services.keys.find(bearer.key, incoming.request), requireAlive);
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
