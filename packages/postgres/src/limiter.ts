import { createHash } from "node:crypto";
import { requireKnown, type TextRow } from "@tollgate/core/internal";
import {
  checkedWholeNumber,
  checkedWindowSeconds,
  type Limiter,
  type Reservation,
  type ReservationResult,
  tokensToTake,
  type Window,
} from "@tollgate/core/store";
import { Database } from "./database.ts";
import type { PostgresPool } from "./pool.ts";
import {
  countRequestStatement,
  removeExpiredLimitsStatement,
  renewLimitsStatement,
  reserveLimitsStatement,
  settleLimitsStatement,
} from "./statements/limits.ts";

/**
 * A Limiter in PostgreSQL, on tables that {@link migratePostgres} creates in the schema ("tollgate" by default). It is exact
 * across all processes that share the database, and uses its clock. While the database is unavailable, a call rejects, so
 * that requests get 503. The tables are not logged: a crash of the server, and a failover to a standby, empties them, and all
 * limits start again. It removes expired rows in the background, while it is used.
 */
export function postgresLimiter(pool: PostgresPool, options: { readonly schema?: string } = {}): Limiter {
  requireKnown("postgresLimiter", options, { schema: true });
  return new LimiterInPostgres(new Database(pool, options.schema));
}

/** The Limiter on one database. Each call is one statement, which locks only the row of its subject. */
export class LimiterInPostgres implements Limiter {
  readonly #database: Database;
  readonly #expired: ExpiredLimits;

  constructor(database: Database) {
    this.#database = database;
    this.#expired = new ExpiredLimits(database);
  }

  /** A request whose answer was lost with its connection may count twice. */
  async countRequest(subject: string, window: Window): Promise<Awaited<ReturnType<Limiter["countRequest"]>>> {
    const { limit, windowSeconds } = checkedWindow(window);
    const row = await this.#database.runForOne(countRequestStatement, [storedSubject(subject), windowSeconds, limit]);
    this.#expired.removeIfDue();
    const requests = Number(row.text("requests"));
    return { granted: requests <= limit, state: { limit, remaining: Math.max(0, limit - requests), ...timesOf(row) } };
  }

  async reserve(reservation: Reservation): Promise<ReservationResult> {
    const { id, subject, leaseMs, concurrency, tokens } = reservation;
    if (tokens === undefined && concurrency === undefined) return { granted: true };
    const { limit, windowSeconds } = tokens === undefined ? noWindow : checkedWindow(tokens.window);
    const wanted = tokens && tokensToTake(tokens);
    const values = [storedSubject(subject), id, leaseMs, concurrency, wanted, limit, windowSeconds];
    const row = await this.#database.runForOne(reserveLimitsStatement, values);
    this.#expired.removeIfDue();
    if (row.optionalText("refused_by") === undefined) return { granted: true };
    const refusedBy = row.oneOf("refused_by", ["tokens", "concurrency"]);
    const remaining = Number(row.text("remaining"));
    return {
      granted: false,
      refusedBy,
      state: { limit: (refusedBy === "tokens" ? limit : concurrency) ?? 0, remaining, ...timesOf(row) },
    };
  }

  async settle({ id, subject, tokens }: Reservation, tokensUsed: number): Promise<void> {
    const { limit, windowSeconds } = tokens?.window ?? noWindow;
    const values = [storedSubject(subject), id, tokensUsed >= 0 ? tokensUsed : null, limit, windowSeconds];
    await this.#database.run(settleLimitsStatement, values);
  }

  async renew(reservations: readonly Reservation[]): Promise<void> {
    const running = reservations.filter(({ concurrency }) => concurrency !== undefined);
    if (running.length === 0) return;
    const subjects = running.map(({ subject }) => storedSubject(subject));
    const ids = running.map(({ id }) => id);
    const leases = running.map(({ leaseMs }) => leaseMs);
    await this.#database.run(renewLimitsStatement, [subjects, ids, leases]);
  }
}

/** A UUID for a subject. It has a fixed size and accepts every name, and keeps the addresses of clients out of the table. */
const storedSubject = (subject: string): string =>
  createHash("sha256").update(subject, "utf16le").digest("hex").slice(0, 32);

const noWindow = { limit: null, windowSeconds: null };

function checkedWindow({ limit, windowSeconds }: Window): Window {
  return {
    limit: checkedWholeNumber("The limit of a window", limit, 0),
    windowSeconds: checkedWindowSeconds(windowSeconds),
  };
}

const timesOf = (row: TextRow): { readonly resetAt: number; readonly now: number } => ({
  resetAt: Number(row.text("resets_at")),
  now: Number(row.text("now")),
});

const batchSize = 1_000;
const intervalMs = 60_000;

/** Removes expired rows of the limiter once a minute, in the background of calls, so that an idle process needs no timer. */
class ExpiredLimits {
  readonly #database: Database;
  #nextAt = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Removes one batch unless another was removed a moment ago. After a full batch, the next call removes another. */
  removeIfDue(): void {
    const now = performance.now();
    if (now < this.#nextAt) return;
    this.#nextAt = now + intervalMs;
    void this.#remove();
  }

  async #remove(): Promise<void> {
    try {
      const row = await this.#database.runForOne(removeExpiredLimitsStatement, [batchSize]);
      if (Number(row.text("removed")) === batchSize) this.#nextAt = 0;
    } catch {
      // Expired rows do not count, so they can wait for the next time.
    }
  }
}
