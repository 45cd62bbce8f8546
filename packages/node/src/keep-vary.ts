import type { ServerResponse } from "node:http";
import type { GatewayResponse } from "@tollgate/core/internal";

/** An answer whose `Vary` names also what the host has put there on the response, which it would otherwise replace. */
export function keepVary(answer: GatewayResponse, res: ServerResponse): GatewayResponse {
  const vary = answer.headers["vary"];
  const present = vary === undefined ? undefined : res.getHeader("vary");
  if (present === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, vary: [present, vary].flat().join(", ") } };
}
