import type { KeyHeaders, KeyRules, PresentedKey } from "../answering/dialect-codec.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { limitsIdOf } from "../keys/rotation.ts";
import { addRateLimitHeaders, isCount, limitError } from "../limits/limiter-results.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { ApiKey } from "../ports/key-store.ts";
import type { LimitState } from "../ports/limiter.ts";
import type { TermsVersion } from "../ports/terms-store.ts";
import type { Admitted, Authenticated, Consented, Entitled, RequestContext } from "../request/request-stages.ts";
import type { AdmissionServices, KeyServices, TermsServices } from "../request/services.ts";
import { type Awaitable, catchAwaitable, mapAwaitable } from "../runtime/awaitable.ts";
import type { Dialect } from "../wire/dialect.ts";
import { dialectError } from "./dialect-error.ts";

/** Checks 1 to 3, the same at every endpoint: the key, the terms, the dialect of the endpoint, and the limits on requests. */
export async function admit(
  services: KeyServices & TermsServices & AdmissionServices,
  context: RequestContext,
  { keyHeaders = bearer, dialect }: KeyRules = {},
): Promise<Admitted> {
  const authenticated = await authenticate(services, context, keyHeaders);
  const consented = await requireTerms(services, authenticated);
  return await admitRequest(services, checkDialect(consented, dialect));
}

/** Check 1: the key. */
function authenticate(
  services: KeyServices,
  context: RequestContext,
  keyHeaders: KeyHeaders,
): Awaitable<Authenticated> {
  const refuse = (error: unknown) => services.failedKeys.refuse(error, context.request);
  const identify = (key: ApiKey): Authenticated => {
    const { report } = context.meta;
    report.key = key;
    return { ...context, key, plan: services.planOf(key) };
  };
  return catchAwaitable(() => mapAwaitable(findKey(services, context, keyHeaders), identify), refuse);
}

function findKey(services: KeyServices, { request }: RequestContext, keyHeaders: KeyHeaders): Awaitable<ApiKey> {
  const given = keyHeaders.read(request);
  if ("problem" in given) throw given.problem === "missing" ? missingKey(keyHeaders) : invalidKey(keyHeaders);
  return mapAwaitable(services.keys.find(given.key, request), (key) => requireAlive(key, keyHeaders));
}

function requireAlive(key: ApiKey | undefined, keyHeaders: KeyHeaders): ApiKey {
  if (key === undefined) throw invalidKey(keyHeaders);
  // The date is not compared: a database whose clock is ahead of ours sets a revocation date in our future.
  if (key.revokedAt !== undefined) {
    throw new GatewayError("revoked_api_key", "This API key was revoked. Use another key.");
  }
  if (key.expiresAt !== undefined && key.expiresAt.getTime() <= Date.now()) {
    throw new GatewayError("expired_api_key", "This API key has expired. Use a newer key.");
  }
  return key;
}

const missingKey = (keyHeaders: KeyHeaders): GatewayError =>
  new GatewayError("missing_api_key", `The request has no API key. Send it in the header ${keyHeaders.names}.`);

const invalidKey = (keyHeaders: KeyHeaders): GatewayError =>
  new GatewayError(
    "invalid_api_key",
    `This API key is not valid. Send exactly one header ${keyHeaders.names} with a key of this service.`,
  );

/** Check 2: the terms in force. */
function requireTerms(services: TermsServices, authenticated: Authenticated): Awaitable<Consented> {
  const required = services.terms.required();
  if (required === undefined) return { ...authenticated, acceptableTerms: none };
  const { version, acceptable } = required;
  return mapAwaitable(services.terms.accepted(authenticated.key.account, acceptable), (accepted) => {
    if (!accepted) throw termsError(version);
    return { ...authenticated, acceptableTerms: acceptable };
  });
}

const none: readonly string[] = [];

/** The 428 response for terms that were not accepted. Clients read its members at the top level of the body. */
export function termsError(version: TermsVersion): GatewayError {
  const message = `The terms ${version.version} must be accepted before this API can be used. Accept them at ${version.acceptUrl} and send the request again.`;
  return new GatewayError("terms_acceptance_required", message, {
    body: {
      error: "terms_acceptance_required",
      versionId: version.id,
      version: version.version,
      ...(version.enforcementAt === undefined ? {} : { enforcementAt: version.enforcementAt.toISOString() }),
      acceptUrl: version.acceptUrl,
      message,
      code: "terms_acceptance_required",
    },
  });
}

/** The dialect of the endpoint, which key and plan must have. Undefined: every key may use the endpoint. */
function checkDialect(consented: Consented, dialect: Dialect | undefined): Entitled {
  if (dialect !== undefined && !consented.plan.allowsDialect(consented.key, dialect)) {
    throw dialectError(consented, dialect);
  }
  return { ...consented, dialectChecked: true };
}

/** Check 3: the concurrency of the key in this process, and the requests left in its window. Runs before any of the body is read. */
function admitRequest(services: AdmissionServices, entitled: Entitled): Awaitable<Admitted> {
  const { id, key, plan } = entitled;
  const run = services.inFlight.enter(id, key.id, plan.concurrencyOf(key));
  // Started here rather than with the first hold: holds of crashed processes may take up the whole balance of an account.
  services.background.start();
  const leave = (error: unknown): never => {
    run.end();
    throw error;
  };
  return catchAwaitable(() => {
    services.settlements.refuseWhenBehind();
    return mapAwaitable(countRequest(services, entitled), (state) => {
      if (state !== undefined) addRateLimitHeaders(entitled.meta.headers, state);
      entitled.meta.report.mark("admitted");
      return { ...entitled, run };
    });
  }, leave);
}

function countRequest(services: AdmissionServices, { plan, key }: Entitled): Awaitable<LimitState | undefined> {
  const window = plan.requestsOf(key);
  if (window === undefined) return undefined;
  const counted = callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.limiter.countRequest(limitsIdOf(key), window),
    isCount,
  );
  return mapAwaitable(counted, ({ granted, state }) => {
    if (!granted) throw limitError("requests", state, "Too many requests in this window.");
    return state;
  });
}

/** Matches a key in a header: 1 to 512 visible ASCII characters. */
export const token = /^[!-~]{1,512}$/;
const bearerToken = /^bearer +[!-~]{1,512}$/i;

/** Reads the key from a bearer token. Most endpoints accept it nowhere else. */
export const bearer: KeyHeaders = {
  names: "`Authorization: Bearer <API_KEY>`",
  read: (request) => readBearer(request.header("authorization")),
};

/**
 * Reads the value of an Authorization header: the scheme Bearer in any case, and one token of 1 to 512 visible ASCII
 * characters, which is more than RFC 6750 allows. Several headers, which fetch joins with a comma and a space, are malformed.
 */
export function readBearer(header: string | undefined): PresentedKey {
  if (header === undefined || header === "") return { problem: "missing" };
  return bearerToken.test(header) ? { key: header.slice("bearer ".length).trimStart() } : { problem: "malformed" };
}
