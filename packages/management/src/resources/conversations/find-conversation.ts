import { GatewayError } from "@tollgate/core";
import type { SessionOverview } from "@tollgate/core/store";
import { askStore, requireStore, type StoreCalls } from "../../stores.ts";

/** Returns a conversation. Throws 404 for one that is unknown or has expired. */
export async function findConversation(services: StoreCalls, id: string): Promise<SessionOverview> {
  const sessions = requireStore(services, "sessions");
  return (await askStore(services, () => sessions.findSession(id))) ?? unknownConversation();
}

/** Throws the 404 for a conversation that is unknown or has expired. */
export function unknownConversation(): never {
  throw new GatewayError(
    "resource_not_found",
    "There is no conversation with this id, or it has expired. Use an id of GET /conversations.",
  );
}
