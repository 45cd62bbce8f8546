import { GatewayError } from "../errors/gateway-error.ts";
import type { HoldRequest, HoldResult } from "../ports/balance-store.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { Reserved } from "../request/request-stages.ts";
import type { HoldServices } from "../request/services.ts";
import { type Awaitable, catchAwaitable, mapAwaitable } from "../runtime/awaitable.ts";
import { termsError } from "./require-terms.ts";

/** A hold that was made, or what is available instead, in nano-units. */
export type Placed =
  | { readonly outcome: "held"; readonly id: string }
  | { readonly outcome: "insufficient"; readonly available: bigint };

/** Asks the store for a hold with this id, a UUID. Throws for an outage, and for a key or terms that the store itself found to have ended. */
export function placeHold(services: HoldServices, reserved: Reserved, id: string, amount: bigint): Awaitable<Placed> {
  const { key, acceptableTerms } = reserved;
  const { leaseMs } = services.money;
  const request = { id, account: key.account, keyId: key.id, amount, leaseMs, terms: acceptableTerms };
  return mapAwaitable(ask(services, reserved, request), (result): Placed => {
    if (result.outcome === "held") return { outcome: "held", id };
    if (result.outcome === "insufficient") return { outcome: "insufficient", available: result.balance.available };
    throw refusal(services, reserved, result.outcome);
  });
}

function ask(
  services: HoldServices,
  { request: { waitUntil } }: Reserved,
  request: HoldRequest,
): Awaitable<HoldResult> {
  // When nobody knows whether the hold was made, it is given back behind the answer.
  const releaseHold = (outage: unknown): never => {
    void services.settlements.release(request.id);
    waitUntil?.(services.settlements.whenTaken(request.id));
    throw outage;
  };
  return catchAwaitable(
    () => callStoreWithTimeout(services.storeTimeoutMs, () => services.balances.hold(request), isHoldResult),
    releaseHold,
  );
}

const isHoldResult = (answer: HoldResult): boolean =>
  answer?.outcome === "insufficient"
    ? typeof answer.balance?.available === "bigint"
    : outcomes.includes(answer?.outcome);

const outcomes: readonly HoldResult["outcome"][] = ["held", "key_refused", "terms_refused", "conflict"];

type Refusal = Exclude<HoldResult["outcome"], "held" | "insufficient">;

function refusal(services: HoldServices, { key }: Reserved, outcome: Refusal): GatewayError {
  const required = services.terms.required();
  if (outcome === "terms_refused" && required !== undefined) return termsError(required.version);
  if (outcome === "key_refused") {
    const cause = new Error(
      `The balance store has no active key ${key.id} of account ${key.account}. If keys are kept elsewhere, use a balance store that does not check them.`,
    );
    return new GatewayError("revoked_api_key", "This API key is no longer valid. Use another key.", { cause });
  }
  return new GatewayError(
    "internal_error",
    "The balance for this request could not be reserved. Send the request again.",
  );
}
