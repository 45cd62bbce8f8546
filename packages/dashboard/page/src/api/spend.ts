import type { Amount } from "./common.ts";

/** The period in which a spend limit counts. */
export type SpendWindow = "day" | "week" | "month" | "total";

/** The most that an account or key may spend in a window. */
export interface SpendLimit {
  readonly limit: Amount;
  readonly window: SpendWindow;
  readonly timezone?: string | null;
}

/** A spend limit with what was spent of it. */
export interface SpendState extends SpendLimit {
  readonly spent: Amount;
  readonly resets_at: string | null;
  /** Whether an account's limit is its own or that of its plan. */
  readonly source?: "own" | "plan";
}
