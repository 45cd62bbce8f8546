import type { ClientData, CreateResult, MergeResult, Session } from "@tollgate/core/store";

/** A session in responses of the session endpoints. Dates are in ISO 8601. */
export interface SessionRecord {
  readonly id: string;
  readonly assistant_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly client_data: ClientData;
}

/** Converts a session to its record for clients. */
export function sessionRecord({ id, assistantId, createdAt, updatedAt, clientData }: Session): SessionRecord {
  return {
    id,
    assistant_id: assistantId,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    client_data: clientData,
  };
}

/** True for a valid session from a store. */
export const isSession = (value: Session | undefined): value is Session =>
  typeof value?.id === "string" && value.createdAt instanceof Date && value.updatedAt instanceof Date;

/** True for a valid result of `create`. */
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

/** True for a valid result of `merge`. */
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
