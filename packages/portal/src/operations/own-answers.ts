import {
  chargeAnswer,
  entryAnswer,
  keyAnswer,
  receiptAnswer,
  requestAnswer,
  usageAnswer,
} from "@tollgate/management/internal";
import * as v from "valibot";

// An object schema keeps the members that it has and leaves the others out. So a customer gets what is named here, and nothing
// of the host's upstreams, costs and notes, whatever the answers of operators come to have.

/** A key as its customer sees it. */
export const ownKey = v.object(
  v.pick(keyAnswer.schema, [
    "id",
    "plan",
    "name",
    "last_four",
    "models",
    "features",
    "dialects",
    "scopes",
    "limits",
    "spend",
    "created_at",
    "expires_at",
    "revoked_at",
    "rotated_from",
    "state",
  ]).entries,
);

/** A finished request as its customer sees it. */
export const ownRequest = v.object(
  v.pick(requestAnswer.schema, [
    "id",
    "at",
    "request_id",
    "answer_id",
    "key_id",
    "endpoint",
    "dialect",
    "model",
    "status",
    "error_code",
    "ending",
    "tokens",
    "estimated",
    "cost",
    "first_content_ms",
    "duration_ms",
    "session_id",
    "end_user",
  ]).entries,
);

const ownCharge = v.object(v.omit(chargeAnswer.schema, ["provider", "upstream_model"]).entries);

/** An entry of the ledger as its customer sees it. */
export const ownEntry = v.object({
  ...entryAnswer.schema.entries,
  receipt: v.nullable(v.object({ ...receiptAnswer.schema.entries, charge: v.nullable(ownCharge) })),
});

/** Sums of usage as their customer sees them. */
export const ownUsage = v.object(v.omit(usageAnswer.schema, ["upstream_cost", "margin"]).entries);
