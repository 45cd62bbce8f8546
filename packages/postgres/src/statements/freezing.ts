import type { Tables } from "../schema.ts";

/** Freezes account $1 for the reason $2. A frozen account keeps its first date. */
export function freezeStatement({ account }: Tables): string {
  return `
INSERT INTO ${account} AS account (id, frozen_at, frozen_reason) VALUES ($1, date_trunc('milliseconds', clock_timestamp()), $2)
    ON CONFLICT (id) DO UPDATE
   SET frozen_at = coalesce(account.frozen_at, excluded.frozen_at), frozen_reason = excluded.frozen_reason`;
}

/** Thaws account $1. */
export function thawStatement({ account }: Tables): string {
  return `UPDATE ${account} SET frozen_at = NULL, frozen_reason = NULL WHERE id = $1 AND frozen_at IS NOT NULL`;
}
