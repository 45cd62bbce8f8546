import type { NewKey } from "@tollgate/core/store";
import { createKey as issueKey } from "../../administration/change-keys.ts";
import { shownKey } from "../../administration/shown-key.ts";
import { administratorOf } from "../../administrator.ts";
import { noQuery } from "../../routes/read-query.ts";
import { defineRoute } from "../../routes/route.ts";
import { members } from "../../schemas/members.ts";
import { text } from "../../schemas/values.ts";
import { requireStore } from "../../stores.ts";
import { issuedKeyAnswer } from "./key-answer.ts";
import { newSettings, readSettings } from "./key-settings.ts";
import { requirePlan } from "./require-plan.ts";

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
    const { key, secret } = await issueKey(administratorOf(services, operator), keys, wanted);
    return { key: shownKey(key), secret };
  },
});
