import { GatewayError } from "@tollgate/core";
import { audited } from "../../audited.ts";
import { noQuery } from "../../routes/read-query.ts";
import { defineRoute } from "../../routes/route.ts";
import { members } from "../../schemas/members.ts";
import { wholeNumber } from "../../schemas/values.ts";
import { askStore, requireStore } from "../../stores.ts";
import { findKey } from "./find-key.ts";
import { issuedKeyAnswer, shownKey } from "./shown-key.ts";

const maxGraceSeconds = 31_536_000;

/** POST /keys/{id}/rotate: replaces a key with one of the same rights. */
export const rotateKey = defineRoute({
  name: "keys.rotate",
  method: "POST",
  path: "/keys/:id/rotate",
  role: "operator",
  summary: "Creates a key of the same rights, and ends the old one after a grace period",
  status: 201,
  query: noQuery,
  body: members("a rotation", { grace_seconds: wholeNumber(0, maxGraceSeconds) }),
  answer: issuedKeyAnswer,
  async handle(services, { operator, id, body: { grace_seconds } }) {
    const keys = requireStore(services, "keys");
    const before = shownKey(await findKey(services, id));
    if (before.state !== "active") throw ended();
    const change = { action: "key.rotate", subject: `key:${id}`, before, after: { grace_seconds } };
    const { key, secret } = await audited(
      services,
      operator,
      change,
      async () =>
        (await askStore(services, () => keys.rotate(id, { graceMs: grace_seconds * 1_000 }))) ?? endedMeanwhile(),
      (issued) => ({ action: "key.created", subject: `key:${issued.key.id}`, after: shownKey(issued.key) }),
    );
    return { key: shownKey(key), secret };
  },
});

const ended = (): GatewayError =>
  new GatewayError("conflict", "This key has ended, so it cannot be rotated. Create a new key.");

function endedMeanwhile(): never {
  throw ended();
}
