import type { Slot } from "../access/limits/in-flight.ts";
import { addRateLimitHeaders, isCount, limitError, settleReservation } from "../access/limits/limiter-results.ts";
import { limitsIdOf } from "../access/rotation.ts";
import type { RequiredTerms, TermsGate } from "../access/terms-gate.ts";
import type { KeyHeaders, KeyRules, PresentedKey } from "../answering/model-api.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { formatAmount } from "../options/decimal.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { ApiKey } from "../ports/key-store.ts";
import type { TermsVersion } from "../ports/terms-store.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Admission, Caller } from "../request/paid-call.ts";
import type { Services } from "../request/services.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import { type Dialect, dialectEndpoints, dialects } from "../wire/dialect.ts";

/** The steps before the body is read, the same at every endpoint. The slot of the admission must be released. */
export async function admit(services: Services, exchange: Exchange, rules: KeyRules = {}): Promise<Admission> {
  const caller = await authenticate(services, exchange, rules.keyHeaders);
  const terms = await requireTerms(services, caller);
  const slot = await enter(services, exchange, caller, rules.dialect);
  return { exchange, caller, terms, slot };
}

/** Finds the key that a request presents. Throws 401 for one that is missing, unknown, revoked or expired. */
export async function authenticate(
  services: Services,
  { request, report }: Exchange,
  keyHeaders: KeyHeaders = bearer,
): Promise<Caller> {
  try {
    const presented = keyHeaders.read(request);
    if ("problem" in presented) throw presented.problem === "missing" ? missingKey(keyHeaders) : invalidKey(keyHeaders);
    const key = requireActive(await services.keys.find(presented.key, request), keyHeaders);
    report.key = key;
    return { key, plan: services.planOf(key) };
  } catch (error) {
    return services.failedKeys.refuse(error, request);
  }
}

function requireActive(key: ApiKey | undefined, keyHeaders: KeyHeaders): ApiKey {
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

/** Returns the versions of the terms of which the account has accepted one; none if none is in force. Throws 428 if it has accepted none. */
export function requireTerms({ terms }: Services, { key }: Caller): Awaitable<readonly string[]> {
  const required = terms.required();
  if (required === undefined) return none;
  const { acceptable } = required;
  return terms.hasCached(key.account, acceptable) ? acceptable : requireAcceptance(terms, key.account, required);
}

async function requireAcceptance(
  terms: TermsGate,
  account: string,
  { version, acceptable }: RequiredTerms,
): Promise<readonly string[]> {
  if (!(await terms.accepted(account, acceptable))) throw termsError(version);
  return acceptable;
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

/**
 * Takes a slot for a request, which must be released. Throws 403 for a dialect that the caller does not have, 429 for the
 * concurrency of the key in this process and for its window of requests, and 503 when the process is full. Runs before any of
 * the body is read. Without a dialect, every key may use the endpoint.
 */
export async function enter(
  services: Services,
  { headers, report }: Exchange,
  caller: Caller,
  dialect: Dialect | undefined,
): Promise<Slot> {
  const { key, plan } = caller;
  if (dialect !== undefined && !plan.allowsDialect(key, dialect)) throw dialectError(caller, dialect);
  const slot = services.inFlight.enter(key.id, plan.concurrencyOf(key));
  // Started here rather than with the first hold: holds of crashed processes may take up the whole balance of an account.
  services.background.start();
  try {
    services.settlements.refuseWhenBehind();
    const window = plan.requestsOf(key);
    if (window !== undefined) {
      const { granted, state } = await callStoreWithTimeout(
        services.storeTimeoutMs,
        () => services.limiter.countRequest(limitsIdOf(key), window),
        isCount,
      );
      if (!granted) throw limitError("requests", state, "Too many requests in this window.");
      addRateLimitHeaders(headers, state);
    }
    report.mark("admitted");
    return slot;
  } catch (error) {
    slot.release();
    throw error;
  }
}

/** The 403 for a dialect that the key or its plan does not have. It lists what the key may call. */
function dialectError({ key, plan }: Caller, dialect: Dialect): GatewayError {
  const scope = key.dialects?.includes(dialect) === false ? "key" : "plan";
  const usable = dialects.filter((each) => plan.allowsDialect(key, each)).map(endpointOf);
  const others = usable.length === 0 ? "" : ` This key may call ${usable.join(" or ")}.`;
  return new GatewayError(
    "feature_not_available",
    `The dialect \`${dialect}\` (${endpointOf(dialect)}) is not available on this ${scope}. Use a key that has it.${others}`,
    { metadata: { scope, dialect } },
  );
}

const endpointOf = (dialect: Dialect): string => `POST ${dialectEndpoints[dialect].path}`;

/** Releases what the steps from an admission to a paid call have reserved, and the slot, because one of them refused. */
export function releaseAdmission({ limiter }: Services, { exchange, slot }: Admission): void {
  settleReservation(limiter, exchange.request, slot.pending, 0);
  slot.pending = undefined;
  slot.release();
}

/** Runs the steps from an admission to what ends its slot. If one of them refuses, releases what they have reserved, and the slot. */
export async function guard<Paid>(services: Services, admission: Admission, steps: () => Promise<Paid>): Promise<Paid> {
  try {
    return await steps();
  } catch (error) {
    releaseAdmission(services, admission);
    throw error;
  }
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

/** Reads the key from a bearer token or from `x-api-key`, where Anthropic's clients send it. Two different keys are malformed. */
export const bearerOrApiKey: KeyHeaders = {
  names: `${bearer.names} or \`x-api-key: <API_KEY>\``,
  read(request) {
    const authorization = bearer.read(request);
    const apiKey = request.header("x-api-key");
    if (apiKey === undefined || apiKey === "") return authorization;
    const isSame = "problem" in authorization ? authorization.problem === "missing" : authorization.key === apiKey;
    return isSame && token.test(apiKey) ? { key: apiKey } : { problem: "malformed" };
  },
};

/** Refuses a prepaid account with a posted balance of zero or less. Active holds do not count. */
export async function requireFunds(services: Services, { key, plan }: Caller): Promise<void> {
  if (plan.billing === "none") return;
  const { posted } = await callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.balances.balance(key.account),
    (balance) => typeof balance?.posted === "bigint",
  );
  if (posted > 0n) return;
  throw new GatewayError("insufficient_balance", `The balance is ${formatAmount(posted)}. Top it up to use this API.`, {
    metadata: { available: formatAmount(posted) },
  });
}
