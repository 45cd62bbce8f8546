import type { Services } from "./request/services.ts";
import { withinTime } from "./runtime/timers.ts";

/** Ends the work of a gateway: see {@link Gateway.drain}. */
export async function drain(services: Services, timeoutMs: number): Promise<void> {
  const { inFlight, settlements, heartbeat, storeTimeoutMs, observe } = services;
  const startedAt = Date.now();
  inFlight.close();
  if (!(await comesTrue(inFlight.whenIdle(), timeoutMs))) inFlight.abortAll();
  const idle = inFlight.whenIdle().then(() => settlements.whenIdle());
  // For the answer of a store that a request still waits for, and then for its settlement.
  const graceMs = 2 * storeTimeoutMs;
  if (!(await comesTrue(idle, startedAt + timeoutMs + graceMs - Date.now()))) {
    observe({ type: "drain.incomplete", at: Date.now(), requests: inFlight.count, settlements: settlements.waiting });
  }
  heartbeat.stop();
}

function comesTrue(event: Promise<void>, milliseconds: number): Promise<boolean> {
  return withinTime(event, milliseconds).then(
    () => true,
    () => false,
  );
}
