import { writeLosslessJson } from "@tollgate/core/provider";
import {
  type ClientDataChanges,
  type MergeResult,
  mergeClientData,
  type SessionLimits,
  type SessionRef,
} from "@tollgate/core/store";
import type { Database } from "./database.ts";
import { toSession } from "./session-pages.ts";
import { changeClientDataStatement, findSessionStatement } from "./statements/sessions.ts";

/**
 * Merges client data by optimistic locking: reads it, writes the result if its version is unchanged, and otherwise
 * starts again. No row stays locked between statements, so a process that stops between them blocks no other, and a
 * transaction pooler can be used. Merges of one session queue in this process. A merge is retried only after another
 * process has merged, so there is always progress.
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

  /** Returns undefined when another process has merged in the meantime. */
  async #tryOnce(
    ref: SessionRef,
    changes: ClientDataChanges,
    { bytes }: Pick<SessionLimits, "bytes">,
  ): Promise<MergeResult | undefined> {
    const [found] = await this.#database.runFor(findSessionStatement, ref);
    if (found === undefined) return { outcome: "unknown" };
    const merged = mergeClientData(toSession(found).clientData, changes);
    if ("problem" in merged) return { outcome: "refused", problem: merged.problem };
    const values = [writeLosslessJson(merged.clientData), crypto.randomUUID(), found.text("version"), bytes ?? null];
    const [changed] = await this.#database.runFor(changeClientDataStatement, ref, values);
    if (changed?.oneOf("outcome", ["merged", "full"]) === "full") return { outcome: "full" };
    return changed && { outcome: "merged", session: toSession(changed) };
  }
}

/** Runs the tasks of one session in sequence within this process, whether or not earlier tasks failed. */
export class SessionQueues {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(sessionId: string, task: () => Promise<Result>): Promise<Result> {
    const previous = this.#last.get(sessionId) ?? Promise.resolve();
    const current = previous.then(task, task);
    this.#last.set(sessionId, current);
    try {
      return await current;
    } finally {
      if (this.#last.get(sessionId) === current) this.#last.delete(sessionId);
    }
  }
}
