import type { ModelTarget, Price } from "../ports/model.ts";
import type { ChargeReceipt, UnitPrices } from "../ports/receipt.ts";
import type { Usage } from "../wire/usage.ts";
import { countByClass } from "./count-by-class.ts";

/** A charge to explain. `startedAt` is in milliseconds since the Unix epoch. */
export interface Charged {
  readonly target: Pick<ModelTarget, "provider" | "upstreamModel" | "price">;
  readonly usage: Usage;
  readonly basis: ChargeReceipt["basis"];
  readonly startedAt: number;
  readonly status: string;
}

/** Returns the receipt of a charge that is made now, by the prices of its target. */
export function chargeReceipt({ target, usage, basis, startedAt, status }: Charged): ChargeReceipt {
  return {
    provider: target.provider.name,
    upstreamModel: target.upstreamModel,
    tokens: countByClass(usage),
    basis,
    prices: unitPrices(target.price),
    // The clock of the host can be set back.
    durationMs: Math.max(0, Date.now() - startedAt),
    status,
  };
}

/** The usage of a request that consumed nothing. */
export const noUsage: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

function unitPrices({ input, cachedInput, cacheWrite, cacheWrite1h, output, request }: Price): UnitPrices {
  return { input, cachedInput, cacheWrite5m: cacheWrite, cacheWrite1h, output, request };
}
