import type { SessionOverview } from "@tollgate/core/store";
import { Failure } from "../failure.ts";
import type { Session } from "../session.ts";

/** Returns a session of any account. Throws a Failure if there is none. */
export async function findSession(session: Session, id: string): Promise<SessionOverview> {
  return (await session.call(() => session.sessions.findSession(id))) ?? noSuchSession();
}

/** Throws the failure for a session that does not exist. */
export function noSuchSession(): never {
  throw new Failure(
    "not_found",
    "There is no session with this id, or it has expired. Find it with `tollgate sessions list`.",
  );
}
