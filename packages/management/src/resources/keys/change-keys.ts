import { GatewayError } from "@tollgate/core";
import { oneOf, wanted } from "@tollgate/core/internal";
import {
  changeKey,
  dialects,
  features,
  type IssuedKey,
  type KeyChanges,
  keyState,
  type NewKey,
  presentMembers,
} from "@tollgate/core/store";
import * as v from "valibot";
import { type OperationContext, requireStore } from "../../operations/context.ts";
import { defineChange } from "../../operations/operation.ts";
import { timeText } from "../../schemas/answers.ts";
import { limits, spend } from "../../schemas/limits.ts";
import { members, text, time, wholeNumber } from "../../schemas/values.ts";
import { findKey, keyAnswer, shownKey, unknownKey } from "./read-keys.ts";

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

const readChanges = ({
  log_content,
  expires_at,
  ...others
}: v.InferOutput<v.StrictObjectSchema<typeof changedSettings, undefined>>): KeyChanges => ({
  ...others,
  ...(log_content === undefined ? {} : { logContent: log_content }),
  ...(expires_at === undefined ? {} : { expiresAt: expires_at }),
});

const newKey = v.pipe(
  members("a new key", { account: text, plan: text, ...newSettings }),
  v.transform(({ account, plan, ...members }): NewKey => ({ account, plan, ...presentMembers(readChanges(members)) })),
);

/** Changed settings of a key in a body. Null removes one. */
const keyChanges = v.pipe(members("the changes of a key", changedSettings), v.transform(readChanges));

/** A new key with its secret, which is shown this once. */
const issuedKeyAnswer = v.strictObject({ key: keyAnswer, secret: v.string() });

/** Creates a key. Its secret is answered once, and kept nowhere. */
export const createKey = defineChange({
  name: "keys.create",
  method: "POST",
  path: "/keys",
  role: "operator",
  summary: "Creates a key and answers its secret, which cannot be read again",
  status: 201,
  body: newKey,
  answer: issuedKeyAnswer,
  action: "key.create",
  async run(context, { body: wanted }, audited) {
    const keys = requireStore(context, "keys");
    requirePlan(context, wanted.plan);
    const change = { subject: `account:${wanted.account}`, after: { plan: wanted.plan } };
    const { key, secret } = await audited(change, () => context.ask(() => keys.create(wanted)), created);
    return { key: shownKey(key), secret };
  },
});

/** Changes settings of a key. */
export const updateKey = defineChange({
  name: "keys.update",
  method: "PATCH",
  path: "/keys/:id",
  role: "operator",
  summary: "Changes settings of a key; null removes one",
  body: keyChanges,
  answer: keyAnswer,
  action: "key.update",
  async run(context, { id, body: changes }, audited) {
    const keys = requireStore(context, "keys");
    const key = await findKey(context, id);
    const change = { subject: `key:${id}`, before: shownKey(key), after: shownKey(changeKey(key, changes)) };
    const changed = await audited(change, () => context.ask(() => keys.update(id, changes)));
    return shownKey(changed ?? unknownKey());
  },
});

const maxGraceSeconds = 31_536_000;

/** Replaces a key with one of the same rights. */
export const rotateKey = defineChange({
  name: "keys.rotate",
  method: "POST",
  path: "/keys/:id/rotate",
  role: "operator",
  summary: "Creates a key of the same rights, and ends the old one after a grace period",
  status: 201,
  body: members("a rotation", { grace_seconds: wholeNumber(0, maxGraceSeconds) }),
  answer: issuedKeyAnswer,
  action: "key.rotate",
  async run(context, { id, body: { grace_seconds } }, audited) {
    const keys = requireStore(context, "keys");
    const old = await findKey(context, id);
    if (keyState(old) !== "active") throw ended();
    const graceMs = Math.round(grace_seconds * 1_000);
    const rotate = async () => {
      const issued = await context.ask(() => keys.rotate(id, { graceMs }));
      if (issued === undefined) throw ended();
      return issued;
    };
    const change = { subject: `key:${id}`, before: shownKey(old), after: { grace_seconds } };
    const { key, secret } = await audited(change, rotate, created);
    return { key: shownKey(key), secret };
  },
});

/** Ends a key at once. One that is revoked stays as it is. */
export const revokeKey = defineChange({
  name: "keys.revoke",
  method: "POST",
  path: "/keys/:id/revoke",
  role: "operator",
  summary: "Ends a key at once",
  answer: keyAnswer,
  action: "key.revoke",
  async run(context, { id }, audited) {
    const keys = requireStore(context, "keys");
    const key = await findKey(context, id);
    if (key.revokedAt !== undefined) return shownKey(key);
    const after = shownKey({ ...key, revokedAt: new Date() });
    const change = { subject: `key:${id}`, before: shownKey(key), after };
    const revoked = await audited(change, () => context.ask(() => keys.revoke(id)));
    return shownKey(revoked ?? unknownKey());
  },
});

const playgroundMs = 300_000;

/** Creates a key of five minutes, with which the playground asks as a customer. */
export const createPlaygroundKey = defineChange({
  name: "playground.keys.create",
  method: "POST",
  path: "/playground/keys",
  role: "operator",
  summary: "Creates a key for five minutes, with which to try models on the balance of an account",
  status: 201,
  body: members("a playground key", { account: text, plan: text }),
  answer: v.strictObject({ secret: v.string(), expires_at: timeText }),
  action: "playground.key.create",
  async run(context, { operator, body: { account, plan } }, audited) {
    const keys = requireStore(context, "keys");
    requirePlan(context, plan);
    const expiresAt = new Date(Date.now() + playgroundMs);
    const expires = expiresAt.toISOString();
    const wanted = { account, plan, name: `Playground of ${operator.actor}`, tags: ["playground"], expiresAt };
    const { secret } = await audited(
      { subject: `account:${account}`, after: { plan, expires_at: expires } },
      () => context.ask(() => keys.create(wanted)),
      ({ key: { id } }) => ({ action: "playground.key.created", subject: `key:${id}`, after: { expires_at: expires } }),
    );
    return { secret, expires_at: expires };
  },
});

/** Throws 400 for a plan that the host has not configured, with which every request of a key would fail. */
function requirePlan({ gateway }: OperationContext, id: string): void {
  const plans = gateway?.inspect().plans.map((plan) => plan.id);
  if (plans === undefined || plans.includes(id)) return;
  const message = `\`plan\` is not configured. The plans are ${plans.join(", ")}.`;
  throw new GatewayError("invalid_request", message, { param: "plan" });
}

const created = ({ key }: IssuedKey) => ({ action: "key.created", subject: `key:${key.id}`, after: shownKey(key) });

const ended = (): GatewayError =>
  new GatewayError("conflict", "This key has ended, so it cannot be rotated. Create a new key.");
