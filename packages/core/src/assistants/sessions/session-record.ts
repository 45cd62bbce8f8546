import type { ClientData } from "../../ports/client-data.ts";
import type { CreateResult, MergeResult, Session } from "../../ports/session-store.ts";

/** A session as the session endpoints show it; dates in ISO 8601. */
export interface SessionRecord {
  readonly id: string;
  readonly assistant_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly client_data: ClientData;
}

/** A session in the form in which clients get it. */
export function sessionRecord({ id, assistantId, createdAt, updatedAt, clientData }: Session): SessionRecord {
  return {
    id,
    assistant_id: assistantId,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    client_data: clientData,
  };
}

/** True for what a store may give as a session. */
export const isSession = (value: Session | undefined): value is Session =>
  typeof value?.id === "string" && value.createdAt instanceof Date && value.updatedAt instanceof Date;

/** True for what a store may give as the result of a creation. */
export function isCreateResult(result: CreateResult): boolean {
  switch (result?.outcome) {
    case "created":
      return isSession(result.session);
    case "full":
      return result.limit === "sessions" || result.limit === "bytes";
    default:
      return false;
  }
}

/** True for what a store may give as the result of a merge. */
export function isMergeResult(result: MergeResult): boolean {
  switch (result?.outcome) {
    case "merged":
      return isSession(result.session);
    case "refused":
      return typeof result.problem === "string";
    case "full":
    case "unknown":
      return true;
    default:
      return false;
  }
}
