import type { HoldReference } from "@tollgate/core/store";
import type { Call } from "./call.ts";

/** The real value of an amount of 1 in a script: 2^53 + 1, which a double cannot represent. */
const unit = 9_007_199_254_740_993n;

/** Returns the accounts of a run. */
export function accountsIn(run: number): readonly string[] {
  return ["a", "b"].map((name) => nameIn(run, name));
}

/**
 * Returns the unique name of a script's account or id in one run, since all runs share a database. A hold has a UUID.
 */
export function nameIn(run: number, name: string): string {
  if (!name.startsWith("h")) return `${name}-${run}`;
  return `00000000-0000-4000-8000-${run.toString(16).padStart(11, "0")}${name.slice(1)}`;
}

/** Returns a call of a script with the names and amounts of the run. */
export function callIn(run: number, call: Call): Call {
  const real = (name: string) => nameIn(run, name);
  const named = ({ id, account }: HoldReference) => ({ id: real(id), account: real(account) });
  switch (call.verb) {
    case "hold": {
      const { id, account, amount, flexible } = call.request;
      const amounts = {
        amount: amount * unit,
        flexible: flexible && { least: flexible.least * unit, floor: flexible.floor * unit },
      };
      return { ...call, request: { ...call.request, id: real(id), account: real(account), ...amounts } };
    }
    case "renew":
      return { ...call, renewals: call.renewals.map(({ used, ...hold }) => ({ ...named(hold), used: used * unit })) };
    case "settle":
      return { ...call, hold: named(call.hold), amount: call.amount * unit };
    case "release":
      return { ...call, hold: named(call.hold) };
    case "expire":
      return call;
    default: {
      const { id, account, amount } = call.posting;
      return { ...call, posting: { ...call.posting, id: real(id), account: real(account), amount: amount * unit } };
    }
  }
}
