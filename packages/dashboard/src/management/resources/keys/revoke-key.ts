import { audited } from "../../audited.ts";
import { noBody } from "../../routes/read-body.ts";
import { noQuery } from "../../routes/read-query.ts";
import { defineRoute } from "../../routes/route.ts";
import { askStore, requireStore } from "../../stores.ts";
import { findKey, unknownKey } from "./find-key.ts";
import { keyAnswer, shownKey } from "./shown-key.ts";

/** POST /keys/{id}/revoke: ends a key at once. */
export const revokeKey = defineRoute({
  name: "keys.revoke",
  method: "POST",
  path: "/keys/:id/revoke",
  role: "operator",
  summary: "Ends a key at once",
  query: noQuery,
  body: noBody,
  answer: keyAnswer,
  async handle(services, { operator, id }) {
    const keys = requireStore(services, "keys");
    const key = await findKey(services, id);
    if (key.revokedAt !== undefined) return shownKey(key);
    const before = shownKey(key);
    const after = shownKey({ ...key, revokedAt: new Date() });
    const change = { action: "key.revoke", subject: `key:${id}`, before, after };
    const revoked = await audited(services, operator, change, () => askStore(services, () => keys.revoke(id)));
    return shownKey(revoked ?? unknownKey());
  },
});
