import type { Slot } from "../access/limits/in-flight.ts";
import { addRateLimitHeaders, isCount, limitError, settleReservation } from "../access/limits/limiter-results.ts";
import type { RequiredTerms, TermsGate } from "../access/terms-gate.ts";
import type { KeyHeaders, KeyRules, PresentedKey, TokenRules } from "../answering/model-api.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { formatAmount } from "../options/decimal.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import { type ApiKey, type KeyScope, keyScopes } from "../ports/key-store.ts";
import type { TermsVersion } from "../ports/terms-store.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Admission, Caller } from "../request/paid-call.ts";
import type { Services } from "../request/services.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import { type Dialect, dialectEndpoints, dialects } from "../wire/dialect.ts";
import { acceptToken } from "./accept-token.ts";
import { limitsSubjectOf } from "./limits-subject.ts";

/** The steps before the body is read, the same at every endpoint. The slot of the admission must be released. */
export async function admit(services: Services, exchange: Exchange, rules: KeyRules = {}): Promise<Admission> {
  const caller = await authenticate(services, exchange, rules.keyHeaders, rules.tokens);
  const terms = await requireTerms(services, caller.key.account);
  if (rules.scope !== "account:read") await requireThawed(services, caller);
  const slot = await enter(services, exchange, caller, rules.dialect, rules.scope);
  return { exchange, caller, terms, slot };
}

/**
 * Finds the key that a request presents, or accepts its token. Throws 401 for a key that is missing, unknown, revoked or
 * expired, and what {@link acceptToken} throws.
 */
export async function authenticate(
  services: Services,
  exchange: Exchange,
  keyHeaders: KeyHeaders = bearer,
  tokens?: TokenRules,
): Promise<Caller> {
  const { request, report } = exchange;
  try {
    const presented = keyHeaders.read(request);
    if ("problem" in presented) throw presented.problem === "missing" ? missingKey(keyHeaders) : invalidKey(keyHeaders);
    if (services.accessTokens.matches(presented.key))
      return await acceptToken(services, exchange, presented.key, tokens);
    if (presented.key.length > maxKeyLength) throw invalidKey(keyHeaders);
    const key = await services.keys.find(presented.key, request);
    if (key === undefined) throw invalidKey(keyHeaders);
    requireActive(key);
    report.key = key;
    return { key, plan: services.planOf(key), token: undefined };
  } catch (error) {
    return services.failedKeys.refuse(error, request);
  }
}

/** Throws 401 for a key that was revoked or has expired. */
export function requireActive(key: ApiKey): void {
  // The date is not compared: a database whose clock is ahead of ours sets a revocation date in our future.
  if (key.revokedAt !== undefined) {
    throw new GatewayError("revoked_api_key", "This API key was revoked. Use another key.");
  }
  if (key.expiresAt !== undefined && key.expiresAt.getTime() <= Date.now()) {
    throw new GatewayError("expired_api_key", "This API key has expired. Use a newer key.");
  }
}

const missingKey = (keyHeaders: KeyHeaders): GatewayError =>
  new GatewayError("missing_api_key", `The request has no API key. Send it in the header ${keyHeaders.names}.`);

const invalidKey = (keyHeaders: KeyHeaders): GatewayError =>
  new GatewayError(
    "invalid_api_key",
    `This API key is not valid. Send exactly one header ${keyHeaders.names} with a key of this service.`,
  );

/** Returns the versions of the terms of which the account has accepted one; none if none is in force. Throws 428 if it has accepted none. */
export function requireTerms({ terms }: Services, account: string): Awaitable<readonly string[]> {
  const required = terms.required();
  if (required === undefined) return none;
  const { acceptable } = required;
  return terms.hasCached(account, acceptable) ? acceptable : requireAcceptance(terms, account, required);
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

/** Throws 403 if the account is frozen, which other processes see within 30 seconds. A prepaid call is refused by its hold at once. */
export async function requireThawed({ freezes }: Services, { key }: Caller): Promise<void> {
  if ((await freezes.find(key.account)) !== undefined) throw accountFrozen();
}

/** The 403 for a frozen account. The reason is for the operator. */
export const accountFrozen = (): GatewayError =>
  new GatewayError("account_frozen", "This account is frozen. Contact the operator of this service.");

/**
 * Takes a slot for a request, which must be released. Throws 403 for a scope or a dialect that the caller does not have, 429
 * for the concurrency of the key in this process and for its window of requests, and 503 when the process is full. Runs before
 * any of the body is read. Without a dialect, every key of the scope may use the endpoint.
 */
export async function enter(
  services: Services,
  { headers, report }: Exchange,
  caller: Caller,
  dialect: Dialect | undefined,
  scope: KeyScope = "inference",
): Promise<Slot> {
  const { key, plan } = caller;
  if (key.scopes?.includes(scope) === false) throw scopeError(key.scopes, scope);
  if (dialect !== undefined && !plan.allowsDialect(key, dialect)) throw dialectError(caller, dialect);
  const slot = takeSlot(services, caller, scope);
  // Started here rather than with the first hold: holds of crashed processes may take up the whole balance of an account.
  services.background.start();
  try {
    services.settlements.refuseWhenBehind();
    const window = plan.requestsOf(key);
    if (window !== undefined) {
      const { granted, state } = await callStoreWithTimeout(
        services.storeTimeoutMs,
        () => services.limiter.countRequest(limitsSubjectOf(caller), window),
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

/** A request that only reads the account does not count in the concurrency of the key, which is that of its model calls. */
function takeSlot({ inFlight }: Services, caller: Caller, scope: KeyScope): Slot {
  const subject = limitsSubjectOf(caller);
  if (scope === "inference") return inFlight.enter(subject, caller.plan.concurrencyOf(caller.key));
  const slot = inFlight.enter(subject);
  slot.leaveKey();
  return slot;
}

const permissions = {
  inference: "call models",
  "account:read": "read the balance and the usage of its account",
} as const satisfies Readonly<Record<KeyScope, string>>;

function scopeError(scopes: readonly KeyScope[], scope: KeyScope): GatewayError {
  const others = keyScopes.filter((each) => scopes.includes(each)).map((each) => permissions[each]);
  const may = others.length === 0 ? "" : ` It may ${others.join(" and ")}.`;
  return new GatewayError(
    "scope_not_allowed",
    `This key may not ${permissions[scope]}.${may} Use a key with the scope \`${scope}\`.`,
    { metadata: { required_scope: scope } },
  );
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

/** Of a key. Tokens are longer. */
const maxKeyLength = 512;
const token = /^[!-~]{1,4096}$/;
const bearerToken = /^bearer +[!-~]{1,4096}$/i;

/** Reads the key from a bearer token. Most endpoints accept it nowhere else. */
export const bearer: KeyHeaders = {
  names: "`Authorization: Bearer <API_KEY>`",
  read: (request) => readBearer(request.header("authorization")),
};

/**
 * Reads the value of an Authorization header: the scheme Bearer in any case, and one token of 1 to 4,096 visible ASCII
 * characters, which are more than RFC 6750 allows. Several headers, which fetch joins with a comma and a space, are malformed.
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

/** Refuses a prepaid account that is frozen, or has a posted balance of zero or less. Active holds do not count. */
export async function requireFunds(services: Services, { key, plan }: Caller): Promise<void> {
  if (plan.billing === "none") return;
  const { posted, frozen } = await callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.balances.balance(key.account, plan.allowance),
    (balance) => typeof balance?.posted === "bigint",
  );
  if (frozen !== undefined) throw accountFrozen();
  if (posted > 0n) return;
  throw new GatewayError("insufficient_balance", `The balance is ${formatAmount(posted)}. Top it up to use this API.`, {
    metadata: { available: formatAmount(posted) },
  });
}
