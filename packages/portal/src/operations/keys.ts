import { oneOf } from "@tollgate/core/internal";
import { type ApiKey, keyState } from "@tollgate/core/store";
import {
  defineChange,
  defineList,
  defineOperation,
  keyAnswer,
  requireStore,
  text,
  textPosition,
} from "@tollgate/management/internal";
import { keyStates, revokeKey, rotateKey, showKey, updateKey } from "@tollgate/management/operations";
import * as v from "valibot";
import type { PortalContext } from "../portal-options.ts";
import { keyChanges, newKey, rotation } from "./key-bodies.ts";
import { mostKeysReached, noNewKeys, tooManyRotations, unknownKey } from "./key-refusals.ts";
import { checkSpend, portalTag } from "./key-spend.ts";
import { ownKey } from "./own-answers.ts";

const show = (key: ApiKey) => v.parse(ownKey, keyAnswer.show(key));

/** The keys of the account, oldest first. */
export const listOwnKeys = defineList({
  name: "keys",
  path: "/keys",
  role: "viewer",
  summary: "The keys of the account, oldest first",
  query: { state: v.exactOptional(oneOf(...keyStates)), q: v.exactOptional(text) },
  item: ownKey,
  position: textPosition,
  exported: false,
  async page(context: PortalContext, { query: { q, ...filters }, limit, after }) {
    const query = {
      ...filters,
      account: context.customer.account,
      limit,
      ...(after === undefined ? {} : { after }),
      ...(q === undefined ? {} : { search: q }),
    };
    const page = await context.ask(() => requireStore(context, "keys").list(query));
    return { data: page.keys.map(show), next: page.next };
  },
});

const ownKeyDetail = v.object({
  ...ownKey.entries,
  ...v.pick(showKey.answer, ["spend_state", "last_used_at"]).entries,
});

/** A key of the account with what it has spent, and when it was last used. */
export const showOwnKey = defineOperation({
  name: "keys.show",
  method: "GET",
  path: "/keys/:id",
  role: "viewer",
  summary: "A key of the account with what it has spent of its limit, and its last use",
  answer: ownKeyDetail,
  async run(context: PortalContext, call) {
    await findOwnKey(context, call.id);
    return v.parse(ownKeyDetail, await showKey.run(context, call));
  },
});

/** A new key with its secret, which is shown this once. */
const issuedKey = v.object({ key: ownKey, secret: v.string() });

/** Creates a key in the plan that the host names, unless the account has as many as it may. */
export const createOwnKey = defineChange({
  name: "keys.create",
  method: "POST",
  path: "/keys",
  role: "viewer",
  summary: "Creates a key and answers its secret, which cannot be read again",
  status: 201,
  body: newKey,
  answer: issuedKey,
  action: "key.create",
  async run(context: PortalContext, { body }, audited) {
    const keys = requireStore(context, "keys");
    const { account } = context.customer;
    const { plan, most } = context.settings.keys ?? noNewKeys();
    await checkSpend(context, undefined, body.spend);
    const wanted = { account, plan, tags: [portalTag], ...body };
    const create = async () => (await context.ask(() => keys.createWithin(wanted, most))) ?? mostKeysReached(most);
    const issued = await audited({ subject: `account:${account}`, after: { plan } }, create, ({ key }) => ({
      action: "key.created",
      subject: `key:${key.id}`,
      after: keyAnswer.show(key),
    }));
    return { key: show(issued.key), secret: issued.secret };
  },
});

/** Changes the name or the spend limit of a key of the account. */
export const updateOwnKey = defineOperation({
  name: "keys.update",
  method: "PATCH",
  path: "/keys/:id",
  role: "viewer",
  summary: "Changes the name or the spend limit of a key; null removes one",
  body: keyChanges,
  answer: ownKey,
  action: "key.update",
  async run(context: PortalContext, call) {
    const key = await findOwnKey(context, call.id);
    await checkSpend(context, key, call.body.spend);
    return v.parse(ownKey, await updateKey.run(context, call));
  },
});

/** Replaces a key of the account with one of the same rights. */
export const rotateOwnKey = defineOperation({
  name: "keys.rotate",
  method: "POST",
  path: "/keys/:id/rotate",
  role: "viewer",
  summary: "Creates a key of the same rights, and ends the old one after a grace period",
  status: 201,
  body: rotation,
  answer: issuedKey,
  action: "key.rotate",
  async run(context: PortalContext, call) {
    await findOwnKey(context, call.id);
    await requireRoomToRotate(context);
    return v.parse(issuedKey, await rotateKey.run(context, call));
  },
});

/** Ends a key of the account at once. */
export const revokeOwnKey = defineOperation({
  name: "keys.revoke",
  method: "POST",
  path: "/keys/:id/revoke",
  role: "viewer",
  summary: "Ends a key at once",
  answer: ownKey,
  action: "key.revoke",
  async run(context: PortalContext, call) {
    await findOwnKey(context, call.id);
    return v.parse(ownKey, await revokeKey.run(context, call));
  },
});

/** Returns a key of the account. That of another account is as unknown as one that does not exist: 404. */
async function findOwnKey(context: PortalContext, id: string): Promise<ApiKey> {
  const keys = requireStore(context, "keys");
  const key = await context.ask(() => keys.get(id));
  return key?.account === context.customer.account ? key : unknownKey();
}

/** Rotated keys that still work are not counted when a key is created, so their number has a bound of its own. */
const mostRotating = 100;

async function requireRoomToRotate(context: PortalContext): Promise<void> {
  const keys = requireStore(context, "keys");
  const { account } = context.customer;
  const page = await context.ask(() => keys.list({ account, state: "active", limit: mostRotating + 1 }));
  const ending = page.keys.filter((key) => key.expiresAt !== undefined && keyState(key) === "active");
  if (ending.length >= mostRotating) tooManyRotations();
}
