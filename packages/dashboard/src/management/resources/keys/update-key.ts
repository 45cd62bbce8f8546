import { changeKey } from "@tollgate/core/store";
import { audited } from "../../audited.ts";
import { noQuery } from "../../routes/read-query.ts";
import { defineRoute } from "../../routes/route.ts";
import { members } from "../../schemas/members.ts";
import { askStore, requireStore } from "../../stores.ts";
import { findKey, unknownKey } from "./find-key.ts";
import { changedSettings, readChanges } from "./key-settings.ts";
import { keyAnswer, shownKey } from "./shown-key.ts";

/** PATCH /keys/{id}: changes settings of a key. */
export const updateKey = defineRoute({
  name: "keys.update",
  method: "PATCH",
  path: "/keys/:id",
  role: "operator",
  summary: "Changes settings of a key; null removes one",
  query: noQuery,
  body: members("the changes of a key", changedSettings),
  answer: keyAnswer,
  async handle(services, { operator, id, body }) {
    const keys = requireStore(services, "keys");
    const changes = readChanges(body);
    const key = await findKey(services, id);
    const change = {
      action: "key.update",
      subject: `key:${id}`,
      before: shownKey(key),
      after: shownKey(changeKey(key, changes)),
    };
    const changed = await audited(services, operator, change, () => askStore(services, () => keys.update(id, changes)));
    return shownKey(changed ?? unknownKey());
  },
});
