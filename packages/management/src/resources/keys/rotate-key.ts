import { GatewayError } from "@tollgate/core";
import { keyState } from "@tollgate/core/store";
import { rotateKey as replaceKey } from "../../administration/change-keys.ts";
import { shownKey } from "../../administration/shown-key.ts";
import { administratorOf } from "../../administrator.ts";
import { noQuery } from "../../routes/read-query.ts";
import { defineRoute } from "../../routes/route.ts";
import { members } from "../../schemas/members.ts";
import { wholeNumber } from "../../schemas/values.ts";
import { requireStore } from "../../stores.ts";
import { findKey } from "./find-key.ts";
import { issuedKeyAnswer } from "./key-answer.ts";

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
    const old = await findKey(services, id);
    if (keyState(old) !== "active") throw ended();
    const admin = administratorOf(services, operator);
    const { key, secret } = await replaceKey(admin, keys, old, grace_seconds * 1_000, ended);
    return { key: shownKey(key), secret };
  },
});

const ended = (): GatewayError =>
  new GatewayError("conflict", "This key has ended, so it cannot be rotated. Create a new key.");
