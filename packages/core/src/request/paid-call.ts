import type { Slot } from "../access/limits/in-flight.ts";
import type { Bound, OutputBound } from "../money/cost.ts";
import type { TokenGrant } from "../ports/access-token.ts";
import type { HoldReference } from "../ports/balance-store.ts";
import type { ApiKey } from "../ports/key-store.ts";
import type { Reservation } from "../ports/limiter.ts";
import type { Model } from "../ports/model.ts";
import type { HoldSpend } from "../ports/spend-limit.ts";
import type { CheckedPlan } from "../routing/checked-plan.ts";
import type { Call } from "./call.ts";
import type { Exchange } from "./exchange.ts";

/** Who sends a request: a valid key and its plan. */
export interface Caller {
  /** With a token: its parent, with the rights of the token alone. */
  readonly key: ApiKey;
  readonly plan: CheckedPlan;
  /** Undefined: the client has presented the key itself. */
  readonly token: TokenGrant | undefined;
}

/** A request that was admitted: its key is valid, its terms are accepted, and it is counted as running. */
export interface Admission {
  readonly exchange: Exchange;
  readonly caller: Caller;
  /** Versions of which the account has accepted one; empty when none is in force. */
  readonly terms: readonly string[];
  readonly slot: Slot;
}

/** Returns the spend limits of the holds of a caller, besides that of its account in the store. */
export function spendOf({ key, plan, token }: Caller): HoldSpend {
  const limits = plan.spendOf(key);
  if (token?.spendCap === undefined) return limits;
  const { id, spendCap, expiresAt } = token;
  return { ...limits, token: { id, limit: spendCap, expiresAt } };
}

/** Upper bounds of the tokens of a call. */
export interface CallSize {
  readonly promptBound: number;
  readonly outputBound: OutputBound;
}

/** The maximum cost of a call, which is held. */
export interface Hold {
  /** Undefined on a plan that does not bill. */
  readonly reference: HoldReference | undefined;
  /** Nano-units. */
  readonly amount: bigint;
  /** The cap on output tokens per choice that is sent upstream; undefined: the maximum of the model. */
  readonly outputCap: number | undefined;
  /** True when the cap is lower than the client's, or than the model's maximum if the client gave none. */
  readonly capWasLowered: boolean;
}

/** A call of a model whose maximum cost is held. Its bill must be opened, and closed once. */
export interface PaidCall {
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly slot: Slot;
  readonly call: Call;
  readonly model: Model;
  readonly size: CallSize;
  /** Undefined if the key has no limits on tokens and concurrency. */
  readonly reservation: Reservation | undefined;
  readonly hold: Hold;
}

/** The money and the tokens that were reserved for a call. */
export const boundOf = ({ hold, size }: Pick<PaidCall, "hold" | "size">): Bound => ({
  amount: hold.amount,
  tokens: size.promptBound + size.outputBound.total,
});

/** The headers of every answer: request id, state of the rate limits, number of attempts and a lowered output cap. */
export function answerHeaders({ exchange, hold }: PaidCall, attempts: number): Record<string, string> {
  const { headers } = exchange;
  headers["x-router-attempts"] = String(attempts);
  if (hold.capWasLowered) headers["x-router-output-limit"] = String(hold.outputCap);
  return headers;
}
