import { expect } from "vitest";

/**
 * Passes when a cell of the matrix fails in one of three runs. On a busy machine, a fault can end before a heartbeat
 * occurs.
 */
export async function expectDetected(run: () => Promise<object>): Promise<void> {
  await expect(run().then(run).then(run)).rejects.toThrow();
}
