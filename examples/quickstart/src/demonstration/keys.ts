import type { KeyAdmin } from "@tollgate/core/store";
import { type ByScenario, forEachScenario, type Scenario, scenarios } from "./scenarios.ts";

/** Creates new demo keys and returns their secrets. */
export function issueDemonstrationKeys(keys: KeyAdmin, accounts: ByScenario<string>): Promise<ByScenario<string>> {
  return forEachScenario(async (scenario) => {
    const { plan, key }: Scenario = scenarios[scenario];
    const name = `demonstration: ${scenario} (process ${process.pid})`;
    const issued = await keys.create({ account: accounts[scenario], plan, name, ...key });
    if (scenario === "revoked") await keys.revoke(issued.key.id);
    return issued.secret;
  });
}

const demonstrationName = /^demonstration: \w+ \(process (\d+)\)$/;

/** Revokes the demo keys of earlier starts, except those of quickstarts that are still running. */
export async function revokeStaleKeys(keys: KeyAdmin): Promise<void> {
  let after: string | undefined;
  do {
    const page = await keys.list({ limit: 500, ...(after === undefined ? {} : { after }) });
    for (const { id, name = "", revokedAt } of page.keys) {
      const [, owner] = demonstrationName.exec(name) ?? [];
      if (owner !== undefined && revokedAt === undefined && hasExited(Number(owner))) await keys.revoke(id);
    }
    after = page.next;
  } while (after !== undefined);
}

/** Returns true for the own process id as well: in a container each start may have the same id, and this process has no keys yet. */
function hasExited(processId: number): boolean {
  if (processId === process.pid) return true;
  try {
    process.kill(processId, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}
