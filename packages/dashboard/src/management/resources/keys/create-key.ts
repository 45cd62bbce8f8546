import type { NewKey } from "@tollgate/core/store";
import { audited } from "../../audited.ts";
import { noQuery } from "../../routes/read-query.ts";
import { defineRoute } from "../../routes/route.ts";
import { members } from "../../schemas/members.ts";
import { text } from "../../schemas/values.ts";
import { askStore, requireStore } from "../../stores.ts";
import { newSettings, readSettings } from "./key-settings.ts";
import { requirePlan } from "./require-plan.ts";
import { issuedKeyAnswer, shownKey } from "./shown-key.ts";

/** POST /keys: creates a key. Its secret is answered once, and kept nowhere. */
export const createKey = defineRoute({
  name: "keys.create",
  method: "POST",
  path: "/keys",
  role: "operator",
  summary: "Creates a key and answers its secret, which cannot be read again",
  status: 201,
  query: noQuery,
  body: members("a new key", {
    account: text,
    plan: text,
    ...newSettings,
  }),
  answer: issuedKeyAnswer,
  async handle(services, { operator, body: { account, plan, ...settings } }) {
    const keys = requireStore(services, "keys");
    requirePlan(services.gateway, plan);
    const wanted: NewKey = { account, plan, ...readSettings(settings) };
    const change = { action: "key.create", subject: `account:${account}`, after: { plan } };
    const { key, secret } = await audited(
      services,
      operator,
      change,
      () => askStore(services, () => keys.create(wanted)),
      (issued) => ({ action: "key.created", subject: `key:${issued.key.id}`, after: shownKey(issued.key) }),
    );
    return { key: shownKey(key), secret };
  },
});
