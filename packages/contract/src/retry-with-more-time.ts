/**
 * Runs a check that depends on time, and retries it with more time when it fails, since the machine may be slow. A
 * wrong store fails every attempt.
 */
export async function retryWithMoreTime(check: (unitMs: number) => Promise<void>): Promise<void> {
  for (const unitMs of [50, 200]) {
    try {
      return await check(unitMs);
    } catch {
      // Retried with more time.
    }
  }
  await check(800);
}
