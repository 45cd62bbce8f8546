import type { Awaitable } from "@tollgate/core/internal";
import type { AuditChange, AuditLog } from "@tollgate/core/store";

/** Who makes changes, and where they are recorded. */
export interface Administrator {
  /** The name in the audit log. */
  readonly actor: string;
  /** Undefined: changes are not recorded. */
  readonly audit: AuditLog | undefined;
  /** Calls a store, and rejects as the caller wants when the store fails. */
  ask<T>(call: () => Awaitable<T>): Promise<T>;
}

/** A change, without its actor. It must not contain a secret. */
export type Change = Omit<AuditChange, "actor">;

/**
 * Makes a change after it was appended to the audit log, so that no change is missing there. Rejects, and changes nothing,
 * while the log is unavailable. A second entry says what the first could not know: what `outcome` returns, such as the id of
 * a new object, or, with the suffix ".failed", that the change failed or that its store did not answer in time.
 */
export async function audited<T>(
  { actor, audit, ask }: Administrator,
  change: Change,
  make: () => Awaitable<T>,
  outcome: (result: T) => Change | undefined = () => undefined,
): Promise<T> {
  if (audit === undefined) return make();
  await ask(() => audit.append({ actor, ...change }));
  // The first entry names the change. A second one that cannot be written must not hide the result.
  const append = (entry: Change) => ask(() => audit.append({ actor, ...entry })).catch(() => undefined);
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
