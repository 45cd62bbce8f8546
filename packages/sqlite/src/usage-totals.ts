import { kindName } from "@tollgate/core/internal";
import {
  accountTotalKinds,
  addRow,
  groupsOf,
  noUsage,
  prunedKinds,
  startOfBucket,
  type TotalKind,
  toStorableText,
  totalKinds,
  type UsageRow,
  type UsageSum,
} from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import { type Parameter, searchable } from "./parameters.ts";
import type { Command } from "./statement.ts";
import { latencyColumns, plainSums, plainValues, sums, sumValues } from "./usage-columns.ts";

/** Totals of a kind that one call of `prune` removes. */
const pruneLimit = 1_000;

interface Total {
  /** Undefined: a total of all accounts together. */
  readonly account: string | undefined;
  readonly kind: string;
  /** Milliseconds since the Unix epoch. */
  readonly start: number;
  /** "" for requests without a value. */
  readonly name: string;
  readonly sum: UsageSum;
}

/** The rows of tollgate_usage_total and tollgate_usage_account_total. */
export class UsageTotalRows {
  readonly #totals: TotalTable;
  readonly #totalsOfAccount: TotalTable;
  readonly #prune: Command;
  readonly #dropTags: Command;
  readonly #addUntagged: Command;

  constructor(connection: Connection) {
    this.#totals = new TotalTable(connection, "tollgate_usage_total", ["kind", "start", "name"]);
    const ofAccount = ["account", "kind", "start", "name"];
    this.#totalsOfAccount = new TotalTable(connection, "tollgate_usage_account_total", ofAccount);
    this.#prune = connection.command(
      `DELETE FROM tollgate_usage_total WHERE kind = ? AND (start, name) IN (
         SELECT start, name FROM tollgate_usage_total WHERE kind = ? AND start < ? ORDER BY start LIMIT ${pruneLimit})`,
    );
    this.#dropTags = connection.command(
      "DELETE FROM tollgate_usage_account_total WHERE account = ? AND kind = 'tag day'",
    );
    // Each request has one model, so these are the sums of all requests of a day.
    const columns = sums.map(({ column }) => column);
    this.#addUntagged = connection.command(
      `INSERT INTO tollgate_usage_account_total (${[...ofAccount, ...columns].join(", ")})
       SELECT account, 'tag day', start, '', ${columns.map((column) => `sum(${column})`).join(", ")}
         FROM tollgate_usage_account_total WHERE account = ? AND kind = 'model day' GROUP BY account, start`,
    );
  }

  /** Removes totals of hours that ended before a time, of the kinds that are not kept. Returns how many. */
  prune(before: Date): number {
    const hour = startOfBucket("hour", before.getTime());
    return prunedKinds.reduce((sum, kind) => sum + this.#prune.run(kindName(kind), kindName(kind), hour), 0);
  }

  /** Replaces the totals of an account by tag with those of requests without a tag. */
  forgetTags(account: string): void {
    this.#dropTags.run(searchable(account));
    this.#addUntagged.run(searchable(account));
  }

  /** Adds new rows to their totals. */
  add(rows: readonly UsageRow[]): void {
    for (const { account, kind, start, name, sum } of totalsOf(rows)) {
      if (account === undefined) this.#totals.add([kind, start, name], sum);
      else this.#totalsOfAccount.add([account, kind, start, name], sum);
    }
  }
}

/** The most statements for sums of one request. There are as many as pairs of latencies, few of which are frequent. */
const maxStatements = 32;

/** A table of totals. */
class TotalTable {
  readonly #connection: Connection;
  readonly #table: string;
  readonly #key: readonly string[];
  readonly #addMany: Command;
  /** By the places of its latencies in the histograms. */
  readonly #addOne = new Map<number, Command>();

  constructor(connection: Connection, table: string, key: readonly string[]) {
    this.#connection = connection;
    this.#table = table;
    this.#key = key;
    this.#addMany = connection.command(addSql(table, key, sums));
  }

  /** Adds sums to a total. One request changes only some of the sums, which takes half the time. */
  add(key: readonly Parameter[], sum: UsageSum): void {
    const one = sum.requests === 1 ? this.#commandOfOne(sum) : undefined;
    if (one === undefined) this.#addMany.run(...key, ...sumValues(sum));
    else one.run(...key, ...plainValues(sum));
  }

  #commandOfOne({ durations, firstContents }: UsageSum): Command | undefined {
    const [duration, firstContent] = [durations.indexOf(1), firstContents.indexOf(1)];
    const place = duration * (firstContents.length + 1) + firstContent;
    const known = this.#addOne.get(place);
    if (known !== undefined || this.#addOne.size === maxStatements) return known;
    const latencies = latencyColumns(duration, firstContent);
    const made = this.#connection.command(addSql(this.#table, this.#key, plainSums, latencies));
    this.#addOne.set(place, made);
    return made;
  }
}

/** The statement that adds values to sums, and 1 to others. */
function addSql(
  table: string,
  key: readonly string[],
  added: readonly { readonly column: string }[],
  incremented: readonly (string | undefined)[] = [],
): string {
  const given = added.map(({ column }) => column);
  const constant = sums.map(({ column }) => column).filter((column) => !given.includes(column));
  const values = [
    ...[...key, ...given].map(() => "?"),
    ...constant.map((column) => (incremented.includes(column) ? "1" : "0")),
  ];
  const changed = [...given, ...constant.filter((column) => incremented.includes(column))];
  return `INSERT INTO ${table} (${[...key, ...given, ...constant].join(", ")}) VALUES (${values.join(", ")})
    ON CONFLICT DO UPDATE SET ${changed.map((column) => `${column} = ${column} + excluded.${column}`).join(", ")}`;
}

/** Sums up rows, so that each total is changed once for many rows. */
function totalsOf(rows: readonly UsageRow[]): readonly Total[] {
  return [...summed(rows, totalKinds, () => undefined), ...summed(rows, accountTotalKinds, ({ account }) => account)];
}

function* summed(
  rows: readonly UsageRow[],
  kinds: readonly TotalKind[],
  accountOf: (row: UsageRow) => string | undefined,
): Generator<Total> {
  for (const kind of kinds) {
    const totals = new Map<string, Total>();
    const named = kindName(kind);
    for (const row of rows) {
      const start = startOfBucket(kind.grain, row.at.getTime());
      const account = accountOf(row);
      for (const group of groupsOf(row, kind.dimension)) {
        const id = account === undefined ? `${start} ${group}` : `${start} ${account}\0${group}`;
        let total = totals.get(id);
        if (total === undefined) {
          total = {
            account: account && toStorableText(account),
            kind: named,
            start,
            name: toStorableText(group),
            sum: noUsage(),
          };
          totals.set(id, total);
        }
        addRow(total.sum, row);
      }
    }
    yield* totals.values();
  }
}
