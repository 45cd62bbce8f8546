import { expect } from "vitest";

/** Passes when a cell of the matrix fails, in one of three runs: on a busy machine the fault may be lifted before a heartbeat has met it. */
export async function expectNoticed(run: () => Promise<object>): Promise<void> {
  await expect(run().then(run).then(run)).rejects.toThrow();
}
