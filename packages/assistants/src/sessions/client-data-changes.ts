import { GatewayError } from "@tollgate/core";
import { clientDataProblem, isJsonMembers } from "@tollgate/core/extension";
import type { Json } from "@tollgate/core/provider";
import type { ClientDataChanges } from "@tollgate/core/store";

/** Returns the changes in a client's `client_data`. Throws 400 for a value that is not valid client data. */
export function clientDataChanges(value: Json): ClientDataChanges {
  if (!isJsonMembers(value)) throw clientDataError('must be a JSON object. Send one, such as {"user_id": "42"}.');
  const changes = Object.entries(value);
  for (const [key, member] of changes) {
    const problem = clientDataProblem(key, member);
    if (problem !== undefined) throw clientDataError(problem);
  }
  return changes;
}

/** The 400 for invalid client data. `problem` continues a sentence that begins with "client_data". */
export const clientDataError = (problem: string): GatewayError =>
  new GatewayError("invalid_request", `\`client_data\` ${problem}`, { param: "client_data" });
