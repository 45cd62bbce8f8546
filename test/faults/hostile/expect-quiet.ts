import { expect } from "vitest";
import type { AttackedProcess } from "./attacked-process.ts";
import type { HostReport } from "./host-report.ts";

/**
 * Waits until no request runs on a mount and no connection is open, and fails unless the ledger adds up and nothing has leaked.
 * Returns the last report.
 */
export async function expectQuiet(attacked: AttackedProcess, mount: string): Promise<HostReport> {
  let last: HostReport | undefined;
  const state = async () => {
    last = await attacked.report(mount);
    const { books, connections, sockets, polluted, warnings } = last;
    const { charges: _, ...rest } = books;
    return { ...rest, connections, sockets, polluted, warnings };
  };
  await expect.poll(state, { timeout: 15_000 }).toEqual(quiet);
  return last ?? expect.fail();
}

const quiet = {
  running: 0,
  holds: 0,
  held: "0",
  unexplained: "0",
  problems: [],
  connections: 0,
  sockets: 0,
  polluted: [],
  warnings: [],
};
