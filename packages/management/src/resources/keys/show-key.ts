import { type ApiKey, limitsIdOf } from "@tollgate/core/store";
import * as v from "valibot";
import { shownKey } from "../../administration/shown-key.ts";
import { noBody } from "../../routes/read-body.ts";
import { noQuery } from "../../routes/read-query.ts";
import { defineRoute } from "../../routes/route.ts";
import { shownTime, timeText } from "../../schemas/answers.ts";
import { shownSpendState, spendStateAnswer } from "../../schemas/spend-state.ts";
import { askStore, type StoreCalls } from "../../stores.ts";
import { findKey } from "./find-key.ts";
import { keyMembers } from "./key-answer.ts";

/** GET /keys/{id}: a key with what it has spent, and when it was last used. */
export const showKey = defineRoute({
  name: "keys.show",
  method: "GET",
  path: "/keys/:id",
  role: "viewer",
  summary: "A key with what it has spent of its limit, and its last use",
  query: noQuery,
  body: noBody,
  answer: v.strictObject({
    ...keyMembers,
    spend_state: v.nullable(spendStateAnswer),
    last_used_at: v.nullable(timeText),
  }),
  async handle(services, { id }) {
    const key = await findKey(services, id);
    const [spendState, lastUse] = await Promise.all([spendOf(services, key), lastUseOf(services, key)]);
    return { ...shownKey(key), spend_state: spendState, last_used_at: shownTime(lastUse) };
  },
});

async function spendOf(services: StoreCalls, key: ApiKey) {
  const { spend } = key;
  const { accounts } = services.stores;
  if (accounts === undefined || spend === undefined) return null;
  const [state] = await askStore(services, () =>
    accounts.spendOf([{ scope: "key", id: limitsIdOf(key), limit: spend }]),
  );
  return state === undefined ? null : shownSpendState(state);
}

/** Undefined also while the usage store is down, since the key is shown all the same. */
async function lastUseOf(services: StoreCalls, { id }: ApiKey): Promise<Date | undefined> {
  const { usage } = services.stores;
  if (usage === undefined) return undefined;
  const page = await askStore(services, () => usage.list({ filter: { key: id }, limit: 1 })).catch(() => undefined);
  return page?.rows[0]?.at;
}
