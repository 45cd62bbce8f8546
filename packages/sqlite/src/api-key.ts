import type { ApiKey } from "@tollgate/core/store";
import { readStoredKey } from "@tollgate/core/store";
import type { Row } from "./row.ts";

/** Reads a row of tollgate_key with the `replaced_id`. A NULL column becomes an absent member. */
export const toApiKey = (row: Row): ApiKey =>
  readStoredKey({
    id: row.text("id"),
    account: row.text("account"),
    plan: row.text("plan"),
    lastFour: row.text("last_four"),
    createdAt: row.time("created_at"),
    name: row.optionalText("name"),
    models: row.optionalJson("models"),
    features: row.optionalJson("features"),
    dialects: row.optionalJson("dialects"),
    limits: row.optionalJson("limits"),
    spend: row.optionalJson("spend"),
    tags: row.optionalJson("tags"),
    logContent: row.optionalFlag("log_content"),
    expiresAt: row.optionalTime("expires_at"),
    revokedAt: row.optionalTime("revoked_at"),
    rotatedFrom: row.optionalText("rotated_from"),
    // Processes of older versions rotate keys without this id.
    limitsId: row.optionalText("limits_id") ?? row.optionalText("replaced_id"),
  });
