import type { Session as Conversation } from "@tollgate/core/store";

/** A session in the output of --json. */
export const toSessionShape = ({ id, account, assistantId, createdAt, updatedAt, clientData }: Conversation) => ({
  id,
  account,
  assistantId,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  clientData,
});
