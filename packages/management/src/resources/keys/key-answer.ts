import { dialects, features } from "@tollgate/core/store";
import * as v from "valibot";
import { timeText } from "../../schemas/answers.ts";
import { limitsAnswer, spendAnswer } from "../../schemas/limits.ts";

/** The members of a key in answers. */
export const keyMembers = {
  id: v.string(),
  account: v.string(),
  plan: v.string(),
  name: v.nullable(v.string()),
  last_four: v.string(),
  models: v.nullable(v.array(v.string())),
  features: v.nullable(v.array(v.picklist(features))),
  dialects: v.nullable(v.array(v.picklist(dialects))),
  limits: v.nullable(limitsAnswer),
  spend: v.nullable(spendAnswer),
  tags: v.array(v.string()),
  log_content: v.boolean(),
  created_at: timeText,
  expires_at: v.nullable(timeText),
  revoked_at: v.nullable(timeText),
  rotated_from: v.nullable(v.string()),
  state: v.picklist(["active", "expired", "revoked"]),
};

/** A key in answers. */
export const keyAnswer = v.strictObject(keyMembers);

/** A new key with its secret, which is shown this once. */
export const issuedKeyAnswer = v.strictObject({ key: keyAnswer, secret: v.string() });
