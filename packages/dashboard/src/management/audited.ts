import type { Awaitable } from "@tollgate/core/internal";
import type { AuditChange } from "@tollgate/core/store";
import type { Operator } from "./authorization/authorize.ts";
import { askStore, requireStore, type StoreCalls } from "./stores.ts";

/** A change, without its actor. It must not contain a secret. */
export type Change = Omit<AuditChange, "actor">;

/**
 * Makes a change after it was appended to the audit log, so that no change is missing there. Throws 503, and changes
 * nothing, while the log is unavailable. A second entry says what the first could not know: what `outcome` returns, such as
 * the id of a new object, or, with the suffix ".failed", that the change failed or that its store did not answer in time.
 */
export async function audited<T>(
  services: StoreCalls,
  { actor }: Operator,
  change: Change,
  make: () => Awaitable<T>,
  outcome: (result: T) => Change | undefined = () => undefined,
): Promise<T> {
  const audit = requireStore(services, "audit");
  await askStore(services, () => audit.append({ actor, ...change }));
  // The first entry names the change. A second one that cannot be written must not hide the result.
  const append = (entry: Change) => askStore(services, () => audit.append({ actor, ...entry })).catch(() => undefined);
  try {
    const result = await make();
    const entry = outcome(result);
    if (entry !== undefined) await append(entry);
    return result;
  } catch (cause) {
    const { action, subject } = change;
    await append({ action: `${action}.failed`, subject });
    throw cause;
  }
}
