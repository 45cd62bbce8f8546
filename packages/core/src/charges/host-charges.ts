import { GatewayError } from "../errors/gateway-error.ts";
import { formatAmount } from "../options/decimal.ts";
import { requireArgument } from "../options/problems.ts";
import type { HoldReference, HoldRequest, HoldResult } from "../ports/balance-store.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { Caller } from "../request/paid-call.ts";
import type { Services } from "../request/services.ts";
import { requireActive, requireTerms } from "../steps/admit.ts";
import { isHoldResult, refusedHold, spendLimitReached } from "../steps/hold-refusals.ts";
import { hmac } from "../wire/hmac.ts";
import { type Charges, type CheckedCharge, chargeSchema, type HostHold, holdSchema } from "./host-charge.ts";
import { OpenCharge } from "./open-charge.ts";

/** Returns the charges that the host of a gateway makes itself. */
export const hostCharges = (services: Services): Charges => ({
  async hold(wanted) {
    const charge = await open(services, wanted);
    if (!(charge instanceof OpenCharge)) throw endedCharge(wanted);
    return {
      id: charge.hold.id,
      amount: charge.amount,
      settle: (cost) => charge.settle(cost),
      release: () => charge.release(),
      extend: (extension) => charge.extend(extension),
    };
  },
  async charge(wanted) {
    const checked = requireArgument(chargeSchema, wanted);
    const charge = await open(services, checked);
    const { hold, amount } = charge;
    if (charge instanceof OpenCharge) await charge.settle(amount);
    else if (charge.cost !== amount) throw endedCharge(checked);
    return { id: hold.id, amount };
  },
});

/** A charge that another call with its id has ended: what it was settled at, undefined if it was released. */
interface EndedCharge {
  readonly hold: HoldReference;
  readonly amount: bigint;
  readonly cost: bigint | undefined;
}

/** Holds the amount of a charge, which counts as running from the start. */
async function open(services: Services, wanted: HostHold): Promise<OpenCharge | EndedCharge> {
  const { keepMs, ...charge } = requireArgument(holdSchema, wanted);
  const { id, account, amount } = charge;
  const hold = { id: id === undefined ? crypto.randomUUID() : holdIdOf(account, id), account, amount, keepMs };
  const leave = services.inFlight.enterCharge();
  try {
    services.background.start();
    services.settlements.refuseWhenBehind();
    const ended = await place(services, charge, hold.id);
    if (ended === undefined) return new OpenCharge(services, hold, leave);
    leave();
    return { hold, amount, cost: ended.cost };
  } catch (error) {
    leave();
    throw error;
  }
}

/** A UUID (RFC 9562, version 8) from an id of the host, so that it never is that of a request or of another account. */
function holdIdOf(account: string, id: string): string {
  const digits = hmac("charge of the host", JSON.stringify([account, id]));
  const [first, second] = [digits.slice(0, 8), digits.slice(8, 12)];
  return `${first}-${second}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

/** Returns how the hold has ended if it has; undefined if it is held now. */
async function place(services: Services, charge: CheckedCharge, holdId: string): Promise<EndedHold | undefined> {
  const { account, keyId, amount, description, metadata } = charge;
  const terms = await requireTerms(services, account);
  const caller = keyId === undefined ? undefined : await callerOf(services, account, keyId);
  const result = await hold(services, charge, {
    id: holdId,
    account,
    keyId,
    amount,
    leaseMs: services.money.leaseMs,
    terms,
    receipt: { requestId: holdId, description, ...(metadata && { metadata }) },
    spend: caller?.plan.spendOf(caller.key) ?? {},
    notices: services.notices,
    allowance: caller?.plan.allowance,
  });
  if (result.outcome === "held") return undefined;
  if (result.outcome === "ended") return result;
  if (result.outcome === "insufficient") throw insufficient(amount, result.balance.available);
  if (result.outcome === "spend_limit") throw spendLimitReached(result, amount, undefined);
  if (result.outcome === "conflict") throw otherCharge(charge);
  throw refusedHold(services, { account, id: keyId }, result.outcome);
}

type EndedHold = Extract<HoldResult, { outcome: "ended" }>;

/** Returns the key that a charge names, with its plan. Throws 401 if the account has no such key, or the key has ended. */
async function callerOf(services: Services, account: string, keyId: string): Promise<Caller> {
  const key = await services.keys.get(keyId);
  if (key?.account !== account) {
    const message = `The account "${account}" has no key with the id "${keyId}". Pass the id of one of its keys, or no \`keyId\`.`;
    throw new GatewayError("invalid_api_key", message);
  }
  requireActive(key);
  return { key, plan: services.planOf(key), token: undefined };
}

/** Calls the store. A hold that may exist is released, but never one that another call with the same id may have placed. */
async function hold(services: Services, { id }: CheckedCharge, request: HoldRequest): Promise<HoldResult> {
  try {
    return await callStoreWithTimeout(services.storeTimeoutMs, () => services.balances.hold(request), isHoldResult);
  } catch (outage) {
    if (id === undefined) void services.settlements.release(request, undefined);
    throw outage;
  }
}

function insufficient(wanted: bigint, left: bigint): GatewayError {
  const [requested, available] = [formatAmount(wanted), formatAmount(left)];
  const message = `This request may cost up to ${requested}, but only ${available} is available. Top up the balance.`;
  return new GatewayError("insufficient_balance", message, { metadata: { requested, available } });
}

const endedCharge = ({ id, account }: Pick<HostHold, "id" | "account">): GatewayError =>
  new GatewayError(
    "conflict",
    `The charge of the account "${account}" with the id "${id}" has ended already. Look up in the ledger what was charged, or use another id for another charge.`,
  );

const otherCharge = ({ id, account }: CheckedCharge): GatewayError =>
  new GatewayError(
    "conflict",
    `The account "${account}" has a charge with the id "${id}" and another amount or key. Use another id for another charge.`,
  );
