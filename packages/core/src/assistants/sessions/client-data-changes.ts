import { GatewayError } from "../../errors/gateway-error.ts";
import { type ClientDataChanges, clientDataProblem } from "../../ports/client-data.ts";
import { isJsonMembers, type Json } from "../../wire/json.ts";

/** The changes that a client's `client_data` makes, or 400 for what cannot be client data. */
export function clientDataChanges(value: Json): ClientDataChanges {
  if (!isJsonMembers(value)) throw clientDataError('must be a JSON object. Send one, such as {"user_id": "42"}.');
  const changes = Object.entries(value);
  for (const [key, member] of changes) {
    const problem = clientDataProblem(key, member);
    if (problem !== undefined) throw clientDataError(problem);
  }
  return changes;
}

/** 400 for client data, with what is wrong in words that follow "client_data". */
export const clientDataError = (problem: string): GatewayError =>
  new GatewayError("invalid_request", `\`client_data\` ${problem}`, { param: "client_data" });
