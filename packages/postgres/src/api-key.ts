import type { ApiKey } from "@tollgate/core/store";
import { readStoredKey } from "@tollgate/core/store";
import type { Row } from "./row.ts";

/** Reads a key. A NULL column becomes an absent member. */
export const toApiKey = (row: Row): ApiKey =>
  readStoredKey({
    id: row.text("id"),
    account: row.text("account_id"),
    plan: row.text("plan"),
    lastFour: row.text("last_four"),
    createdAt: row.date("created_at"),
    name: row.optionalText("name"),
    models: row.optionalJson("models"),
    features: row.optionalJson("features"),
    dialects: row.optionalJson("dialects"),
    limits: row.optionalJson("limits"),
    spend: row.optionalJson("spend"),
    tags: row.optionalJson("tags"),
    logContent: row.optionalFlag("log_content"),
    expiresAt: row.optionalDate("expires_at"),
    revokedAt: row.optionalDate("revoked_at"),
    rotatedFrom: row.optionalText("rotated_from"),
    limitsId: row.optionalText("limits_id"),
  });
