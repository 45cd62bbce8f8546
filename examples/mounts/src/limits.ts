import type { Plan } from "@tollgate/core";
import { keys } from "./stores-in-sqlite.ts";

export const plans: readonly Plan[] = [
  {
    id: "prepaid",
    billing: "prepaid",
    limits: { requests: { limit: 600 }, tokens: { limit: 200_000, windowSeconds: 60 }, concurrency: 20 },
  },
  { id: "subscription", billing: "none", models: ["acme-small"], limits: { requests: { limit: 60 } } },
];

/** A key whose request limit replaces that of its plan; the plan's other limits still apply. */
export const issued = await keys.create({
  account: "customer-18",
  plan: "prepaid",
  features: ["tools"],
  limits: { requests: { limit: 10, windowSeconds: 1 } },
  expiresAt: new Date(Date.now() + 30 * 86_400_000),
});
