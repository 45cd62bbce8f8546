import type { LedgerViolation } from "../ports/balance-store.ts";

const sources = { posted: "entries", credited: "entries", used: "entries", held: "pending holds" } as const;

/** Returns the violation of an account whose stated amount is not the sum of its entries or pending holds. Amounts are in nano-units. */
export function sumViolation(
  account: string,
  what: keyof typeof sources,
  stated: bigint,
  found: bigint,
): LedgerViolation {
  const problem = `Account ${account} has ${stated} ${what}, but its ${sources[what]} sum to ${found}.`;
  return { account, problem };
}

/** Returns the violation of a lot that has not what its entries leave of it. Amounts are in nano-units. */
export function lotViolation(account: string, lot: string, stated: bigint, found: bigint): LedgerViolation {
  return { account, problem: `Lot ${lot} of account ${account} has ${stated} left, but its entries leave ${found}.` };
}

/** Returns the violation of an account whose lots have more than it has. Amounts are in nano-units. */
export function lotSumViolation(account: string, left: bigint, posted: bigint): LedgerViolation {
  return { account, problem: `The lots of account ${account} have ${left} left, but it has ${posted} posted.` };
}

/** Returns the violation of a key whose usage is not the sum of its entries. Amounts are in nano-units. */
export function keyViolation(account: string, key: string, stated: bigint, found: bigint): LedgerViolation {
  return { account, problem: `Key ${key} has ${stated} used, but its entries sum to ${found}.` };
}
