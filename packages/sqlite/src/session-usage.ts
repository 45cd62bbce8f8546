import { exceededLimit } from "@tollgate/core/internal";
import type { SessionLimits } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import { searchable } from "./parameters.ts";
import type { Query } from "./statement.ts";

/** The rows of tollgate_session_account, which triggers maintain. */
export class SessionUsage {
  readonly #find: Query<Required<SessionLimits>>;

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
    return exceededLimit(this.#of(account), bytes, limits);
  }

  #of(account: string): Required<SessionLimits> {
    return this.#find.first(searchable(account)) ?? { sessions: 0, bytes: 0 };
  }
}
