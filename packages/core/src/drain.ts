import type { Services } from "./request/services.ts";
import { withinTime } from "./runtime/timers.ts";

/** Drains a gateway: see {@link Gateway.drain}. */
export async function drain(services: Services, timeoutMs: number): Promise<void> {
  const { inFlight, settlements, background, content, usage, storeTimeoutMs, observe } = services;
  const startedAt = Date.now();
  inFlight.close();
  if (!(await resolvesWithin(inFlight.whenIdle(), timeoutMs))) inFlight.abortAll();
  const idle = inFlight.whenIdle().then(() => settlements.whenIdle());
  // One timeout for a store that a running request waits for, and one for the settlement of that request.
  const graceMs = 2 * storeTimeoutMs;
  const flushed = idle.then(() => usage?.flush());
  if (!(await resolvesWithin(flushed, startedAt + timeoutMs + graceMs - Date.now()))) {
    const waiting = { settlements: settlements.waiting, usageRows: usage?.pending ?? 0 };
    observe({ type: "drain.incomplete", at: Date.now(), requests: inFlight.count, ...waiting });
  }
  await resolvesWithin(content?.flush() ?? Promise.resolve(), storeTimeoutMs);
  usage?.stop();
  background.stop();
}

function resolvesWithin(event: Promise<void>, milliseconds: number): Promise<boolean> {
  return withinTime(event, milliseconds).then(
    () => true,
    () => false,
  );
}
