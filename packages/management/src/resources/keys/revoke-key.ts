import { revokeKey as endKey } from "../../administration/change-keys.ts";
import { shownKey } from "../../administration/shown-key.ts";
import { administratorOf } from "../../administrator.ts";
import { noBody } from "../../routes/read-body.ts";
import { noQuery } from "../../routes/read-query.ts";
import { defineRoute } from "../../routes/route.ts";
import { requireStore } from "../../stores.ts";
import { findKey, unknownKey } from "./find-key.ts";
import { keyAnswer } from "./key-answer.ts";

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
    const revoked = await endKey(administratorOf(services, operator), keys, key);
    return shownKey(revoked ?? unknownKey());
  },
});
