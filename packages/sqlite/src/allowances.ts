import { balanceOf } from "@tollgate/core/internal";
import { type Allowance, type Balance, type Grant, grantAt, grantReason } from "@tollgate/core/store";
import type { AccountRow } from "./accounts.ts";
import type { Ledger } from "./ledger.ts";

/** An allowance that the account was not granted yet in the present window. */
export interface DueAllowance extends Grant {
  /** Nano-units. */
  readonly amount: bigint;
  /** The length and the time zone of the window. */
  readonly window: string;
}

/** Returns the allowance to grant, or undefined if the account has it already. */
export function dueAllowance(
  { lots }: Ledger,
  account: string,
  row: AccountRow | undefined,
  allowance: Allowance | undefined,
): DueAllowance | undefined {
  if (allowance === undefined) return undefined;
  const { amount, timezone = "UTC" } = allowance;
  const grant = grantAt(allowance, Date.now());
  const window = `${allowance.window} ${timezone}`;
  if (row?.allowance.window === window && row.allowance.until === BigInt(grant.expiresAt)) return undefined;
  // The keys of an account can have plans with different windows.
  if (row !== undefined && lots.find(account, grant.lot) !== undefined) return undefined;
  return { ...grant, amount, window };
}

/** Returns the balance as it is once the allowance is granted. */
export const withAllowance = (balance: Balance, allowance: DueAllowance | undefined): Balance =>
  allowance === undefined ? balance : balanceOf({ posted: balance.posted + allowance.amount, held: balance.held });

/** Grants an allowance. */
export function grantAllowance(ledger: Ledger, account: string, allowance: DueAllowance): void {
  const { amount, lot: reference, expiresAt, window } = allowance;
  const lot = { lot: reference, kind: "granted" as const, expiresAt: new Date(expiresAt) };
  ledger.accounts.open(account);
  ledger.post({ account, kind: "credit", amount, released: 0n, reference, reason: grantReason, lot });
  ledger.accounts.allow(account, window, expiresAt);
}
