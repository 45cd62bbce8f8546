import * as v from "valibot";
import { audited } from "../administration/audited.ts";
import { administratorOf } from "../administrator.ts";
import { noQuery } from "../routes/read-query.ts";
import { defineRoute } from "../routes/route.ts";
import { timeText } from "../schemas/answers.ts";
import { members } from "../schemas/members.ts";
import { text } from "../schemas/values.ts";
import { askStore, requireStore } from "../stores.ts";
import { requirePlan } from "./keys/require-plan.ts";

const lifeMs = 300_000;

/** POST /playground/keys: creates a key of five minutes, with which the playground asks as a customer. */
export const createPlaygroundKey = defineRoute({
  name: "playground.keys.create",
  method: "POST",
  path: "/playground/keys",
  role: "operator",
  summary: "Creates a key for five minutes, with which to try models on the balance of an account",
  status: 201,
  query: noQuery,
  body: members("a playground key", { account: text, plan: text }),
  answer: v.strictObject({ secret: v.string(), expires_at: timeText }),
  async handle(services, { operator, body: { account, plan } }) {
    const keys = requireStore(services, "keys");
    requirePlan(services.gateway, plan);
    const expiresAt = new Date(Date.now() + lifeMs);
    const expires = expiresAt.toISOString();
    const wanted = { account, plan, name: `Playground of ${operator.actor}`, tags: ["playground"], expiresAt };
    const { secret } = await audited(
      administratorOf(services, operator),
      { action: "playground.key.create", subject: `account:${account}`, after: { plan, expires_at: expires } },
      () => askStore(services, () => keys.create(wanted)),
      ({ key: { id } }) => ({ action: "playground.key.created", subject: `key:${id}`, after: { expires_at: expires } }),
    );
    return { secret, expires_at: expires };
  },
});
