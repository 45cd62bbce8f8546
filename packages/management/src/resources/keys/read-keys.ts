import { GatewayError } from "@tollgate/core";
import { oneOf } from "@tollgate/core/internal";
import { type ApiKey, dialects, features, keyState, limitsIdOf } from "@tollgate/core/store";
import * as v from "valibot";
import { type OperationContext, requireStore } from "../../operations/context.ts";
import { defineList, textPosition } from "../../operations/lists.ts";
import { defineOperation } from "../../operations/operation.ts";
import { shownTime, timeText } from "../../schemas/answers.ts";
import {
  limitsAnswer,
  shownLimits,
  shownSpend,
  shownSpendState,
  spendAnswer,
  spendStateAnswer,
} from "../../schemas/limits.ts";
import { text } from "../../schemas/values.ts";

const keyMembers = {
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

/** A key as operators see it. */
export type ShownKey = v.InferInput<typeof keyAnswer>;

/** The keys of all accounts, oldest first. */
export const listKeys = defineList({
  name: "keys",
  path: "/keys",
  role: "viewer",
  summary: "The keys, oldest first",
  query: {
    account: v.exactOptional(text),
    state: v.exactOptional(oneOf("active", "expired", "revoked")),
    /** A part of the name, the id or the last four characters. */
    q: v.exactOptional(text),
  },
  item: keyAnswer,
  position: textPosition,
  exported: true,
  async page(context, { query: { q, ...filters }, limit, after }) {
    const keys = requireStore(context, "keys");
    const query = {
      ...filters,
      limit,
      ...(after === undefined ? {} : { after }),
      ...(q === undefined ? {} : { search: q }),
    };
    const page = await context.ask(() => keys.list(query));
    return { data: page.keys.map(shownKey), next: page.next };
  },
});

/** A key with what it has spent, and when it was last used. */
export const showKey = defineOperation({
  name: "keys.show",
  method: "GET",
  path: "/keys/:id",
  role: "viewer",
  summary: "A key with what it has spent of its limit, and its last use",
  answer: v.strictObject({
    ...keyMembers,
    spend_state: v.nullable(spendStateAnswer),
    last_used_at: v.nullable(timeText),
  }),
  async run(context, { id }) {
    const key = await findKey(context, id);
    const [spendState, lastUse] = await Promise.all([spendOf(context, key), lastUseOf(context, key)]);
    return { ...shownKey(key), spend_state: spendState, last_used_at: shownTime(lastUse) };
  },
});

/** Returns a key. Throws 404 for an unknown id. */
export async function findKey(context: OperationContext, id: string): Promise<ApiKey> {
  const keys = requireStore(context, "keys");
  return (await context.ask(() => keys.get(id))) ?? unknownKey();
}

/** Throws the 404 for an unknown key. */
export function unknownKey(): never {
  throw new GatewayError("resource_not_found", "There is no key with this id. Use an id of GET /keys.");
}

async function spendOf(context: OperationContext, key: ApiKey) {
  const { spend } = key;
  const { accounts } = context.stores;
  if (accounts === undefined || spend === undefined) return null;
  const [state] = await context.ask(() => accounts.spendOf([{ scope: "key", id: limitsIdOf(key), limit: spend }]));
  return state === undefined ? null : shownSpendState(state);
}

/** Undefined also while the usage store is down, since the key is shown all the same. */
async function lastUseOf(context: OperationContext, { id }: ApiKey): Promise<Date | undefined> {
  const { usage } = context.stores;
  if (usage === undefined) return undefined;
  const page = await context.ask(() => usage.list({ filter: { key: id }, limit: 1 })).catch(() => undefined);
  return page?.rows[0]?.at;
}

/** Shows a key. Members are copied one by one, since a store of the host may return others. */
export const shownKey = (key: ApiKey): ShownKey => ({
  id: key.id,
  account: key.account,
  plan: key.plan,
  name: key.name ?? null,
  last_four: key.lastFour,
  models: key.models === undefined ? null : [...key.models],
  features: key.features === undefined ? null : [...key.features],
  dialects: key.dialects === undefined ? null : [...key.dialects],
  limits: key.limits === undefined ? null : shownLimits(key.limits),
  spend: key.spend === undefined ? null : shownSpend(key.spend),
  tags: [...(key.tags ?? [])],
  log_content: key.logContent ?? false,
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
  rotated_from: key.rotatedFrom ?? null,
  state: keyState(key),
});
