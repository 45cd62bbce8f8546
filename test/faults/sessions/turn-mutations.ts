import type { SessionStore } from "@tollgate/core/store";
import type { Rewrite } from "../processes/statement-mutations.ts";

/** A mutation that can be seeded in a session store, to check that it is detected. */
export type TurnMutation = "end without a check of the lock" | "messages one by one";

const freed = "updated_at = coalesce(?5, updated_at), expires_at = ?3 + ttl_ms";
const live = "id = ?1 AND account = ?2 AND expires_at > ?3";
const ended = "RETURNING session.id, session.turns, session.last_message";

/** The replacements of the statement mutation in each store. */
export const endRewrites: Readonly<Record<"sqlite" | "postgres", Rewrite>> = {
  sqlite: [[`${freed} WHERE ${live} AND turn_id = ?4`, `${freed} WHERE ${live} AND ?4 IS NOT NULL`]],
  postgres: [[`AND session.turn_id = $3\n  ${ended}`, `AND $3::text IS NOT NULL\n  ${ended}`]],
};

/** A store that ends a turn with a separate call for each message. */
export function writingOneByOne(sessions: SessionStore): SessionStore {
  const endTurn: SessionStore["endTurn"] = async (ref, { turnId, messages, images }) => {
    for (const message of messages.slice(0, -1)) {
      if (!(await sessions.endTurn(ref, { turnId, messages: [message], images: [] }))) return false;
      await sessions.beginTurn(ref, { turnId, leaseMs: 1_000, historyLimit: 0 });
    }
    return sessions.endTurn(ref, { turnId, messages: messages.slice(-1), images });
  };
  return new Proxy(sessions, {
    get(target, name) {
      if (name === "endTurn") return endTurn;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
