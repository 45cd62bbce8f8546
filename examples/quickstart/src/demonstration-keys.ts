import type { KeyAdmin } from "@tollgate/core/store";
import { type ByStory, forEachStory, type Story, stories } from "./stories.ts";

/** Makes the demonstration keys anew, and gives back their secrets. */
export function issueDemonstrationKeys(keys: KeyAdmin, accounts: ByStory<string>): Promise<ByStory<string>> {
  return forEachStory(async (story) => {
    const { plan, key }: Story = stories[story];
    const name = `demonstration: ${story} (process ${process.pid})`;
    const issued = await keys.create({ account: accounts[story], plan, name, ...key });
    if (story === "revoked") await keys.revoke(issued.key.id);
    return issued.secret;
  });
}

const demonstrationName = /^demonstration: \w+ \(process (\d+)\)$/;

/** Revokes the demonstration keys of earlier starts; those of a quickstart that still runs beside this one stay. */
export async function revokeStaleKeys(keys: KeyAdmin): Promise<void> {
  let after: string | undefined;
  do {
    const page = await keys.list({ limit: 500, ...(after === undefined ? {} : { after }) });
    for (const { id, name = "", revokedAt } of page.keys) {
      const [, owner] = demonstrationName.exec(name) ?? [];
      if (owner !== undefined && revokedAt === undefined && isGone(Number(owner))) await keys.revoke(id);
    }
    after = page.next;
  } while (after !== undefined);
}

/** In a container each start may have the same number, and this process has made no key yet. */
function isGone(processId: number): boolean {
  if (processId === process.pid) return true;
  try {
    process.kill(processId, 0);
    return false;
  } catch (fault) {
    return fault instanceof Error && "code" in fault && fault.code === "ESRCH";
  }
}
