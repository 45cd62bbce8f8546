import type { Plan } from "@tollgate/core";
import type { IssuedKey } from "@tollgate/core/store";
import { keys } from "../../shop/src/gateway.ts";

export const plans: readonly Plan[] = [
  {
    id: "prepaid",
    billing: "prepaid",
    limits: { requests: { limit: 600 }, tokens: { limit: 200_000, windowSeconds: 60 }, concurrency: 20 },
  },
  { id: "subscription", billing: "none", models: ["acme-small"], limits: { requests: { limit: 60 } } },
];

/** Creates a key whose request limit replaces that of its plan; the plan's other limits still apply. */
export async function createTrialKey(account: string): Promise<IssuedKey> {
  return keys.create({
    account,
    plan: "prepaid",
    features: ["tools"],
    limits: { requests: { limit: 10, windowSeconds: 1 } },
    expiresAt: new Date(Date.now() + 30 * 86_400_000),
  });
}
