import { oneOf, wanted } from "@tollgate/core/internal";
import { dialects, features, type KeyChanges, type NewKey, presentMembers } from "@tollgate/core/store";
import * as v from "valibot";
import { limits, spend } from "../../schemas/limits.ts";
import { members } from "../../schemas/members.ts";
import { text, time } from "../../schemas/values.ts";

const maxTags = 16;
const maxTagLength = 64;
const maxModels = 200;

const tag = v.pipe(text, v.maxLength(maxTagLength, `must have at most ${maxTagLength} characters`));

const settings = {
  name: text,
  models: v.pipe(
    v.array(text, wanted("must be an array of model ids")),
    v.maxLength(maxModels, `must have at most ${maxModels} model ids`),
  ),
  features: v.array(oneOf(...features), wanted("must be an array of features")),
  dialects: v.array(oneOf(...dialects), wanted("must be an array of dialects")),
  limits,
  spend,
  tags: v.pipe(
    v.array(tag, wanted("must be an array of texts")),
    v.maxLength(maxTags, `must have at most ${maxTags} tags`),
  ),
  log_content: v.boolean(wanted("must be true or false")),
  expires_at: v.pipe(
    time,
    v.check((date) => date.getTime() > Date.now(), "must be in the future. To end a key now, revoke it"),
  ),
};

const newSettings = {
  name: v.exactOptional(settings.name),
  models: v.exactOptional(settings.models),
  features: v.exactOptional(settings.features),
  dialects: v.exactOptional(settings.dialects),
  limits: v.exactOptional(settings.limits),
  spend: v.exactOptional(settings.spend),
  tags: v.exactOptional(settings.tags),
  log_content: v.exactOptional(settings.log_content),
  expires_at: v.exactOptional(settings.expires_at),
};

const changedSettings = {
  name: v.exactOptional(v.nullable(settings.name)),
  models: v.exactOptional(v.nullable(settings.models)),
  features: v.exactOptional(v.nullable(settings.features)),
  dialects: v.exactOptional(v.nullable(settings.dialects)),
  limits: v.exactOptional(v.nullable(settings.limits)),
  spend: v.exactOptional(v.nullable(settings.spend)),
  tags: v.exactOptional(v.nullable(settings.tags)),
  log_content: v.exactOptional(v.nullable(settings.log_content)),
  expires_at: v.exactOptional(v.nullable(settings.expires_at)),
};

type ChangedSettings = v.InferOutput<v.StrictObjectSchema<typeof changedSettings, undefined>>;

const readChanges = ({ log_content, expires_at, ...others }: ChangedSettings): KeyChanges => ({
  ...others,
  ...(log_content === undefined ? {} : { logContent: log_content }),
  ...(expires_at === undefined ? {} : { expiresAt: expires_at }),
});

/** A new key in a body. */
export const newKey = v.pipe(
  members("a new key", { account: text, plan: text, ...newSettings }),
  v.transform(({ account, plan, ...members }): NewKey => ({ account, plan, ...presentMembers(readChanges(members)) })),
);

/** Changed settings of a key in a body. Null removes one. */
export const keyChanges = v.pipe(members("the changes of a key", changedSettings), v.transform(readChanges));
