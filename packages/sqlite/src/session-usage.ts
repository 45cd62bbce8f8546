import type { SessionLimits } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import { searchable } from "./parameters.ts";
import type { Query } from "./statement.ts";

interface Usage {
  readonly sessions: number;
  readonly bytes: number;
}

/** The rows of tollgate_session_account, which triggers maintain. */
export class SessionUsage {
  readonly #find: Query<Usage>;

  constructor(connection: Connection) {
    this.#find = connection.query("SELECT sessions, bytes FROM tollgate_session_account WHERE account = ?", (row) => ({
      sessions: Number(row.integer("sessions")),
      bytes: Number(row.integer("bytes")),
    }));
  }

  /** Returns by how many bytes the account exceeds the limit; 0 or less means that it does not. */
  bytesBeyond(account: string, limit = Number.POSITIVE_INFINITY): number {
    return this.#of(account).bytes - limit;
  }

  /** Returns the limit that the account would exceed with one more session of this size. */
  exceeded(account: string, bytes: number, limits: SessionLimits): keyof SessionLimits | undefined {
    const used = this.#of(account);
    if (used.sessions + 1 > (limits.sessions ?? Number.POSITIVE_INFINITY)) return "sessions";
    return used.bytes + bytes > (limits.bytes ?? Number.POSITIVE_INFINITY) ? "bytes" : undefined;
  }

  #of(account: string): Usage {
    return this.#find.first(searchable(account)) ?? { sessions: 0, bytes: 0 };
  }
}
