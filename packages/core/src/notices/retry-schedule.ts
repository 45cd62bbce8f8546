const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The pauses after each failed delivery. Standard Webhooks recommends these up to three days. */
const pauses = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 20 * hour];

/** The age at which a notice is given up: three days. */
export const longestDeliveryMs = 72 * hour;

/** Returns the pause before the next delivery, in milliseconds, with up to a tenth of jitter. */
export function pauseAfter(attempts: number): number {
  const pause = pauses[Math.min(attempts, pauses.length - 1)] ?? 20 * hour;
  return pause * (1 + 0.1 * Math.random());
}
