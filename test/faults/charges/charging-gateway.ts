import { createGateway, type Gateway, openaiCompatible } from "@tollgate/core";
import type { OpenStores } from "../processes/open-stores.ts";

/** How long a hold lasts without its process. */
export const leaseMs = 1_000;

/** What each order costs, in nano-units. */
export const price = 1_000_000_000n;

/** The stages at which the orders of a killed process stop, in which its account pays for them. */
export const stages = ["held", "used", "settled", "released"] as const;

const provider = openaiCompatible({ baseURL: "http://upstream.test/v1", apiKey: "none" });

/** A gateway whose model is never called. */
export const chargingGateway = ({ keys, balances }: Pick<OpenStores, "keys" | "balances">): Gateway =>
  createGateway({
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: [{ id: "unused", maxOutputTokens: 1, price: "free", targets: [{ provider, model: "unused" }] }],
    money: { leaseMs },
    observer: () => undefined,
  });
