import { writeExactJson } from "@tollgate/core/provider";
import type { ClientDataChanges, MergeResult, SessionLimits, SessionRef } from "@tollgate/core/store";
import { mergeClientData } from "@tollgate/core/store";
import type { Database } from "./database.ts";
import { SessionQueues } from "./session-queues.ts";
import { runForSession, toSession } from "./session-row.ts";
import { changeClientDataStatement, findSessionStatement } from "./statements/sessions.ts";

/**
 * Merges client data: reads it, and writes the result if its version is still the same, else begins again. No row is
 * locked from one statement to the next, so a process that stops in between, or whose network does, blocks nobody, and
 * each statement may go to another connection behind a pooler. The merges of one session queue up in this process;
 * whichever loses against another process does so because that one has merged.
 */
export class SessionMerges {
  readonly #database: Database;
  readonly #queues = new SessionQueues();

  constructor(database: Database) {
    this.#database = database;
  }

  async merge(
    ref: SessionRef,
    changes: ClientDataChanges,
    limits: Pick<SessionLimits, "bytes"> = {},
  ): Promise<MergeResult> {
    return this.#queues.run(ref.id, async () => {
      for (;;) {
        const result = await this.#tryOnce(ref, changes, limits);
        if (result !== undefined) return result;
      }
    });
  }

  /** Undefined when another merge came between. */
  async #tryOnce(
    ref: SessionRef,
    changes: ClientDataChanges,
    { bytes }: Pick<SessionLimits, "bytes">,
  ): Promise<MergeResult | undefined> {
    const [found] = await runForSession(this.#database, findSessionStatement, ref);
    if (found === undefined) return { outcome: "unknown" };
    const merged = mergeClientData(toSession(found).clientData, changes);
    if ("problem" in merged) return { outcome: "refused", problem: merged.problem };
    const values = [writeExactJson(merged.clientData), crypto.randomUUID(), found.text("version"), bytes ?? null];
    const [changed] = await runForSession(this.#database, changeClientDataStatement, ref, values);
    if (changed?.oneOf("outcome", ["merged", "full"]) === "full") return { outcome: "full" };
    return changed && { outcome: "merged", session: toSession(changed) };
  }
}
