import { updateKey as changeSettings } from "../../administration/change-keys.ts";
import { shownKey } from "../../administration/shown-key.ts";
import { administratorOf } from "../../administrator.ts";
import { noQuery } from "../../routes/read-query.ts";
import { defineRoute } from "../../routes/route.ts";
import { members } from "../../schemas/members.ts";
import { requireStore } from "../../stores.ts";
import { findKey, unknownKey } from "./find-key.ts";
import { keyAnswer } from "./key-answer.ts";
import { changedSettings, readChanges } from "./key-settings.ts";

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
    const changed = await changeSettings(administratorOf(services, operator), keys, key, changes);
    return shownKey(changed ?? unknownKey());
  },
});
