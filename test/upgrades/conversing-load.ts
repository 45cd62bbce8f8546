import { randomInt } from "node:crypto";
import { plainCall, type SoakCall, type SoakRecord } from "../soak/load/soak-call.ts";

const maxLinks = 4;
const recent = 12;

/** Returns the next request: without faults, and half of those for responses continue one that was answered as stored lately. */
export function nextCall(records: readonly SoakRecord[]): SoakCall {
  const call = plainCall();
  if (call.dialect !== "responses") return call;
  const stored = records.filter(({ outcome }) => outcome.stored !== undefined).slice(-recent);
  const previous = stored[randomInt(2 * recent)];
  const link = (previous?.call.plan.link ?? maxLinks) + 1;
  const continues = previous?.outcome.stored;
  if (continues === undefined || link > maxLinks) return { ...call, plan: { ...call.plan, link: 0 } };
  return { ...call, plan: { ...call.plan, link }, continues };
}

/** A response that continues another one, and the processes that answered the two. */
export interface ContinuedResponse {
  readonly from: string;
  readonly to: string;
}

/** Returns the responses that continue another one. */
export function continuedIn(records: readonly SoakRecord[]): ContinuedResponse[] {
  const gateways = new Map(records.map(({ outcome, gateway }) => [outcome.stored, gateway]));
  return records.flatMap(({ call, gateway }) => {
    const from = gateways.get(call.continues);
    return call.continues === undefined || from === undefined ? [] : [{ from, to: gateway }];
  });
}
