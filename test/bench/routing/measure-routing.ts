import { alternate, type Rounds } from "../rounds.ts";
import { measureRoutingCost, type RoutingCost } from "./call-overhead.ts";

/** What routing costs a request whose only target is well, in each round. */
export interface RoutingResults {
  readonly routing: Rounds<"JSON request", RoutingCost>;
}

/** Measures it in this process. */
export async function measureRouting(rounds: number, seconds: number): Promise<RoutingResults> {
  return { routing: await alternate(["JSON request"], rounds, () => measureRoutingCost(seconds)) };
}
