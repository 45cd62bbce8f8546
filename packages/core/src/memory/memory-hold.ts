import type { FlexibleAmount, HoldRequest } from "../ports/balance-store.ts";
import type { HoldReceipt } from "../ports/receipt.ts";
import type { MemoryAccount } from "./memory-accounts.ts";
import type { Limited, SpendCounter } from "./memory-spend.ts";

/** A pending or ended hold. Amounts are in nano-units. */
export interface Hold {
  readonly id: string;
  readonly account: MemoryAccount;
  readonly keyId: string;
  /** What is held, which may be less than the request asked for. */
  readonly held: bigint;
  /** What the request asked for, by which a repeated call is recognized. */
  readonly amount: bigint;
  readonly flexible: FlexibleAmount | undefined;
  readonly receipt: HoldReceipt;
  /** Milliseconds since the Unix epoch. */
  expiresAt: number;
  used: bigint;
  state: "pending" | EndState;
  /** The amount that its end has posted. */
  charged: bigint;
  /** The windows that its cost belongs to. */
  readonly counters: readonly SpendCounter[];
  readonly limits: readonly Limited[];
  readonly rules: HoldRequest["notices"];
}

/** How a hold ended. */
export type EndState = "settled" | "released" | "expired";
