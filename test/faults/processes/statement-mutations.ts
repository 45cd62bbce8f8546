/** A mutation that can be seeded in a ledger, to check that it is detected. */
export type LedgerMutation =
  | "guard dropped"
  | "release without state check"
  | "heartbeat that renews nothing"
  | "settle twice"
  | "receipt forgotten";

/** The replacements of text in a store's statements. */
export type Rewrite = readonly (readonly [from: string, to: string])[];

const sqliteStates =
  "charged, state, request_id, model, dialect, description, metadata, account_spend, key_spend, token_spend, notices, asked FROM tollgate_hold WHERE id = ?";
const postgresPending = "WHEN state = 'pending' THEN 'ended'";

/** The replacements of each mutation in the statements of each store. */
export const rewrites: Readonly<Record<"sqlite" | "postgres", Readonly<Record<LedgerMutation, Rewrite>>>> = {
  sqlite: {
    "guard dropped": [["id, posted, held, spend_limit", "id, 9000000000000000 AS posted, 0 AS held, spend_limit"]],
    "release without state check": [[sqliteStates, seenAsPending(["released", "expired"])]],
    "heartbeat that renews nothing": [["SET expires_at = ?3,", "SET expires_at = coalesce(expires_at, ?3),"]],
    "settle twice": [[sqliteStates, seenAsPending(["settled"])]],
    "receipt forgotten": [["expires_at, request_id,", "expires_at, model,"]],
  },
  postgres: {
    "guard dropped": [
      [", posted::numeric - held) END", ") END"],
      ["posted::numeric - held >= $14::bigint", "$14::bigint IS NOT NULL"],
      [", left_over.rest) END", ") END"],
      ["left_over.rest >= queue.least_amount", "true"],
    ],
    "release without state check": [
      [postgresPending, `${postgresPending.replace("THEN", "OR end_state = 'released' THEN")}`],
    ],
    "heartbeat that renews nothing": [
      ["SET expires_at = clock_timestamp() + $4", "SET expires_at = hold.expires_at + 0 * $4"],
    ],
    "settle twice": [[postgresPending, "WHEN state IN ('pending', 'settled') THEN 'ended'"]],
    "receipt forgotten": [["charged, state, request_id,", "charged, state, NULL::text AS request_id,"]],
  },
};

function seenAsPending(states: readonly string[]): string {
  const list = states.map((state) => `'${state}'`).join(", ");
  return sqliteStates.replace("state,", `CASE WHEN state IN (${list}) THEN 'pending' ELSE state END AS state,`);
}

/** Applies a mutation to statements, and records whether all of its replacements were applied. */
export class StatementMutator {
  readonly #open: Set<Rewrite[number]>;

  constructor(private readonly rewrite: Rewrite) {
    this.#open = new Set(rewrite);
  }

  /** Throws when a replacement has not matched any statement. */
  requireApplied(): void {
    for (const [text] of this.#open) {
      throw new Error(`No statement has "${text}", so the mutation was not applied. Adapt it to the store.`);
    }
  }

  apply(statement: string): string {
    return this.rewrite.reduce((text, pair) => {
      if (!text.includes(pair[0])) return text;
      this.#open.delete(pair);
      return text.replaceAll(...pair);
    }, statement);
  }
}
