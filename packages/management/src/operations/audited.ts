import type { Awaitable } from "@tollgate/core/internal";
import type { AuditChange } from "@tollgate/core/store";
import type { Operator } from "../authorization/authorize.ts";
import type { OperationContext } from "./context.ts";

/** A change, without its actor. It must not contain a secret. */
export type Change = Omit<AuditChange, "actor">;

/**
 * Makes a change after it was appended to the audit log, so that no change is missing there. Rejects, and changes nothing,
 * while the log is unavailable. A second entry says what the first could not know: what `outcome` returns, such as the id of
 * a new object, or, with the suffix ".failed", that the change failed or that its store did not answer in time.
 */
export type Audited = <T>(
  change: Omit<Change, "action">,
  make: () => Awaitable<T>,
  outcome?: (result: T) => Change | undefined,
) => Promise<T>;

/** Returns how an operator makes the changes of an action. Without an audit log, which only a command line may lack, they are not recorded. */
export function auditedAs(
  { stores: { audit }, ask }: Pick<OperationContext, "stores" | "ask">,
  { actor }: Pick<Operator, "actor">,
  action: string,
): Audited {
  return async (change, make, outcome = () => undefined) => {
    if (audit === undefined) return make();
    await ask(() => audit.append({ actor, action, ...change }));
    // The first entry names the change. A second one that cannot be written must not hide the result.
    const append = (entry: Change) => ask(() => audit.append({ actor, ...entry })).catch(() => undefined);
    try {
      const result = await make();
      const entry = outcome(result);
      if (entry !== undefined) await append(entry);
      return result;
    } catch (cause) {
      await append({ action: `${action}.failed`, subject: change.subject });
      throw cause;
    }
  };
}
