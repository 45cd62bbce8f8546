import { GatewayError } from "@tollgate/core";
import { oneOf } from "@tollgate/core/internal";
import {
  type ApiKey,
  dialects,
  features,
  keyScopes,
  keyState,
  limitsIdOf,
  type SpendState,
} from "@tollgate/core/store";
import * as v from "valibot";
import { type OperationContext, requireStore } from "../../operations/context.ts";
import { defineList, textPosition } from "../../operations/lists.ts";
import { defineOperation } from "../../operations/operation.ts";
import { answerFrom, copied, orNull } from "../../schemas/answer.ts";
import { shownTime, timeText } from "../../schemas/answers.ts";
import { limitsAnswer, spendAnswer, spendingAnswer, spendingOf } from "../../schemas/limits.ts";
import { text } from "../../schemas/values.ts";

/** The states of a key. */
export const keyStates = ["active", "expired", "revoked"] as const;

/** A key in answers. */
export const keyAnswer = answerFrom<ApiKey>()({
  id: [v.string(), ({ id }) => id],
  account: [v.string(), ({ account }) => account],
  plan: [v.string(), ({ plan }) => plan],
  name: [v.nullable(v.string()), ({ name }) => name ?? null],
  last_four: [v.string(), ({ lastFour }) => lastFour],
  models: [v.nullable(v.array(v.string())), ({ models }) => orNull(models, copied)],
  features: [v.nullable(v.array(v.picklist(features))), ({ features: allowed }) => orNull(allowed, copied)],
  dialects: [v.nullable(v.array(v.picklist(dialects))), ({ dialects: allowed }) => orNull(allowed, copied)],
  scopes: [v.nullable(v.array(v.picklist(keyScopes))), ({ scopes }) => orNull(scopes, copied)],
  limits: [v.nullable(limitsAnswer.schema), ({ limits }) => orNull(limits, limitsAnswer.show)],
  spend: [v.nullable(spendAnswer.schema), ({ spend }) => orNull(spend, spendAnswer.show)],
  tags: [v.array(v.string()), ({ tags }) => [...(tags ?? [])]],
  log_content: [v.boolean(), ({ logContent }) => logContent ?? false],
  created_at: [timeText, ({ createdAt }) => createdAt.toISOString()],
  expires_at: [v.nullable(timeText), ({ expiresAt }) => shownTime(expiresAt)],
  revoked_at: [v.nullable(timeText), ({ revokedAt }) => shownTime(revokedAt)],
  rotated_from: [v.nullable(v.string()), ({ rotatedFrom }) => rotatedFrom ?? null],
  state: [v.picklist(keyStates), (key) => keyState(key)],
});

/** A key as operators see it. */
export type ShownKey = v.InferInput<typeof keyAnswer.schema>;

/** The keys of all accounts, oldest first. */
export const listKeys = defineList({
  name: "keys",
  path: "/keys",
  role: "viewer",
  summary: "The keys, oldest first",
  query: {
    account: v.exactOptional(text),
    state: v.exactOptional(oneOf(...keyStates)),
    /** A part of the name, the id or the last four characters. */
    q: v.exactOptional(text),
  },
  item: keyAnswer.schema,
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
    return { data: page.keys.map(keyAnswer.show), next: page.next };
  },
});

interface KeyDetail extends ApiKey {
  readonly spendState: SpendState | undefined;
  readonly lastUse: Date | undefined;
}

const keyDetail = answerFrom<KeyDetail>()({
  ...keyAnswer.members,
  spend_state: [
    v.nullable(spendingAnswer.schema),
    ({ spendState }) => orNull(spendState && spendingOf(spendState), spendingAnswer.show),
  ],
  last_used_at: [v.nullable(timeText), ({ lastUse }) => shownTime(lastUse)],
});

/** A key with what it has spent, and when it was last used. */
export const showKey = defineOperation({
  name: "keys.show",
  method: "GET",
  path: "/keys/:id",
  role: "viewer",
  summary: "A key with what it has spent of its limit, and its last use",
  answer: keyDetail.schema,
  async run(context, { id }) {
    const key = await findKey(context, id);
    const [spendState, lastUse] = await Promise.all([spendOf(context, key), lastUseOf(context, key)]);
    return keyDetail.show({ ...key, spendState, lastUse });
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

async function spendOf(context: OperationContext, key: ApiKey): Promise<SpendState | undefined> {
  const { spend } = key;
  const { accounts } = context.stores;
  if (accounts === undefined || spend === undefined) return undefined;
  const [state] = await context.ask(() => accounts.spendOf([{ scope: "key", id: limitsIdOf(key), limit: spend }]));
  return state;
}

/** Undefined also while the usage store is down, since the key is shown all the same. */
async function lastUseOf(context: OperationContext, { id }: ApiKey): Promise<Date | undefined> {
  const { usage } = context.stores;
  if (usage === undefined) return undefined;
  const page = await context.ask(() => usage.list({ filter: { key: id }, limit: 1 })).catch(() => undefined);
  return page?.rows[0]?.at;
}
