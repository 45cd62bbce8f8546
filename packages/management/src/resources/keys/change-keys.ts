import { GatewayError } from "@tollgate/core";
import { oneOf, wanted } from "@tollgate/core/internal";
import {
  changeKey,
  dialects,
  features,
  type IssuedKey,
  type KeyChanges,
  keyScopes,
  keyState,
  type NewKey,
  presentMembers,
} from "@tollgate/core/store";
import * as v from "valibot";
import { type OperationContext, requireStore } from "../../operations/context.ts";
import { defineChange } from "../../operations/operation.ts";
import { answerFrom } from "../../schemas/answer.ts";
import { timeText } from "../../schemas/answers.ts";
import { limits, spend } from "../../schemas/limits.ts";
import { members, nullableEntries, optionalEntries, text, time, wholeNumber } from "../../schemas/values.ts";
import { findKey, keyAnswer, unknownKey } from "./read-keys.ts";

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
  scopes: v.array(oneOf(...keyScopes), wanted("must be an array of scopes")),
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

const changedSettings = optionalEntries(nullableEntries(settings));

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
  members("a new key", { account: text, plan: text, ...optionalEntries(settings) }),
  v.transform(({ account, plan, ...members }): NewKey => ({ account, plan, ...presentMembers(readChanges(members)) })),
);

/** Changed settings of a key in a body. Null removes one. */
const keyChanges = v.pipe(members("the changes of a key", changedSettings), v.transform(readChanges));

/** A new key with its secret, which is shown this once. */
const issuedKeyAnswer = answerFrom<IssuedKey>()({
  key: [keyAnswer.schema, ({ key }) => keyAnswer.show(key)],
  secret: [v.string(), ({ secret }) => secret],
});

/** Creates a key. Its secret is answered once, and kept nowhere. */
export const createKey = defineChange({
  name: "keys.create",
  method: "POST",
  path: "/keys",
  role: "operator",
  summary: "Creates a key and answers its secret, which cannot be read again",
  status: 201,
  body: newKey,
  answer: issuedKeyAnswer.schema,
  action: "key.create",
  async run(context, { body: wanted }, audited) {
    const keys = requireStore(context, "keys");
    requirePlan(context, wanted.plan);
    const change = { subject: `account:${wanted.account}`, after: { plan: wanted.plan } };
    return issuedKeyAnswer.show(await audited(change, () => context.ask(() => keys.create(wanted)), created));
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
  answer: keyAnswer.schema,
  action: "key.update",
  async run(context, { id, body: changes }, audited) {
    const keys = requireStore(context, "keys");
    const key = await findKey(context, id);
    const change = {
      subject: `key:${id}`,
      before: keyAnswer.show(key),
      after: keyAnswer.show(changeKey(key, changes)),
    };
    const changed = await audited(change, () => context.ask(() => keys.update(id, changes)));
    return keyAnswer.show(changed ?? unknownKey());
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
  answer: issuedKeyAnswer.schema,
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
    const change = { subject: `key:${id}`, before: keyAnswer.show(old), after: { grace_seconds } };
    return issuedKeyAnswer.show(await audited(change, rotate, created));
  },
});

/** Ends a key at once. One that is revoked stays as it is. */
export const revokeKey = defineChange({
  name: "keys.revoke",
  method: "POST",
  path: "/keys/:id/revoke",
  role: "operator",
  summary: "Ends a key at once",
  answer: keyAnswer.schema,
  action: "key.revoke",
  async run(context, { id }, audited) {
    const keys = requireStore(context, "keys");
    const key = await findKey(context, id);
    if (key.revokedAt !== undefined) return keyAnswer.show(key);
    const after = keyAnswer.show({ ...key, revokedAt: new Date() });
    const change = { subject: `key:${id}`, before: keyAnswer.show(key), after };
    const revoked = await audited(change, () => context.ask(() => keys.revoke(id)));
    return keyAnswer.show(revoked ?? unknownKey());
  },
});

const playgroundMs = 300_000;

const playgroundAnswer = answerFrom<IssuedKey & { readonly expiresAt: Date }>()({
  secret: [v.string(), ({ secret }) => secret],
  expires_at: [timeText, ({ expiresAt }) => expiresAt.toISOString()],
});

/** Creates a key of five minutes, with which the playground asks as a customer. */
export const createPlaygroundKey = defineChange({
  name: "playground.keys.create",
  method: "POST",
  path: "/playground/keys",
  role: "operator",
  summary: "Creates a key for five minutes, with which to try models on the balance of an account",
  status: 201,
  body: members("a playground key", { account: text, plan: text }),
  answer: playgroundAnswer.schema,
  action: "playground.key.create",
  async run(context, { operator, body: { account, plan } }, audited) {
    const keys = requireStore(context, "keys");
    requirePlan(context, plan);
    const expiresAt = new Date(Date.now() + playgroundMs);
    const expires = expiresAt.toISOString();
    const wanted = { account, plan, name: `Playground of ${operator.actor}`, tags: ["playground"], expiresAt };
    const issued = await audited(
      { subject: `account:${account}`, after: { plan, expires_at: expires } },
      () => context.ask(() => keys.create(wanted)),
      ({ key: { id } }) => ({ action: "playground.key.created", subject: `key:${id}`, after: { expires_at: expires } }),
    );
    return playgroundAnswer.show({ ...issued, expiresAt });
  },
});

/** Throws 400 for a plan that the host has not configured, with which every request of a key would fail. */
function requirePlan({ gateway }: OperationContext, id: string): void {
  const plans = gateway?.inspect().plans.map((plan) => plan.id);
  if (plans === undefined || plans.includes(id)) return;
  const message = `\`plan\` is not configured. The plans are ${plans.join(", ")}.`;
  throw new GatewayError("invalid_request", message, { param: "plan" });
}

const created = ({ key }: IssuedKey) => ({
  action: "key.created",
  subject: `key:${key.id}`,
  after: keyAnswer.show(key),
});

const ended = (): GatewayError =>
  new GatewayError("conflict", "This key has ended, so it cannot be rotated. Create a new key.");
