import type { Entry, UsageRow, UsageStore } from "@tollgate/core/store";
import type { PostgresStores } from "@tollgate/postgres";
import { readCharges } from "../../faults/dialects/read-charges.ts";
import type { SoakRecord } from "../load/soak-call.ts";
import { type Customer, opening } from "../scene.ts";
import type { SentAnswer } from "../upstream/counting-upstream.ts";
import { chargedIn, checkCharges, checkSums, type Evidence, type Sums, sumCharges } from "./check-charges.ts";
import { checkUsage } from "./check-usage.ts";

/** What clients, upstream and stores have recorded of the same requests. */
export interface Books {
  readonly stores: Pick<PostgresStores, "balances" | "usage">;
  readonly customers: readonly Customer[];
  readonly records: readonly SoakRecord[];
  readonly sent: ReadonlyMap<string, Readonly<SentAnswer>>;
  /** True if the process of a request was killed before it can have settled for certain. */
  readonly isUnsettled: (record: SoakRecord) => boolean;
  /** The names of the processes that may have lost usage rows. */
  readonly losing: ReadonlySet<string>;
}

/** What the comparison shows. */
export interface ComparedBooks {
  readonly violations: readonly string[];
  readonly evidence: readonly Evidence[];
  readonly sums: Sums;
  readonly rows: number;
}

/** Reads the stores and compares them with what the clients and the upstream recorded. */
export async function compareBooks(books: Books): Promise<ComparedBooks> {
  const { balances, usage } = books.stores;
  const evidence = await readEvidence(books);
  const accounts = new Set(books.customers.map(({ account }) => account));
  const rows = (await readRows(usage)).filter(({ account }) => accounts.has(account));
  const sums = sumCharges(evidence);
  const violations = [
    ...checkCharges(evidence),
    ...checkSums(sums),
    ...checkUsage(evidence, { rows, losing: books.losing }),
    ...(await checkAccounts(books, evidence)),
    ...(await checkSummary(usage, rows, accounts)),
    ...(await balances.verify()).map(({ problem }) => problem),
  ];
  return { violations, evidence, sums, rows: rows.length };
}

async function readEvidence({ stores, customers, records, sent, isUnsettled }: Books): Promise<Evidence[]> {
  const charges = new Map<string, readonly Entry[]>();
  for (const { account } of customers) {
    for (const [id, entries] of await readCharges(stores.balances, account)) charges.set(id, entries);
  }
  return records.map((record) => {
    const { id } = record.call.plan;
    return { record, sent: sent.get(id), entries: charges.get(id) ?? [], unsettled: isUnsettled(record) };
  });
}

/** Returns a violation for each account with a held amount, or with another balance than its requests have receipts for. */
async function checkAccounts({ stores, customers }: Books, evidence: readonly Evidence[]): Promise<string[]> {
  const violations: string[] = [];
  for (const { account } of customers) {
    const { posted, held } = await stores.balances.balance(account);
    const own = evidence.filter(({ record }) => record.account === account);
    const charged = own.reduce((sum, { entries }) => sum + chargedIn(entries), 0n);
    if (held !== 0n) violations.push(`${held} nano-units of ${account} are still held.`);
    if (opening - posted !== charged) {
      violations.push(`${account} paid ${opening - posted}, and its requests have receipts for ${charged}.`);
    }
  }
  return violations;
}

async function readRows(usage: UsageStore): Promise<UsageRow[]> {
  const rows: UsageRow[] = [];
  for (let page = await usage.list({ limit: 1_000 }); ; ) {
    rows.push(...page.rows);
    if (page.next === undefined) return rows;
    page = await usage.list({ limit: 1_000, before: page.next });
  }
}

/** Returns a violation if the totals by day differ from the rows. */
async function checkSummary(
  usage: UsageStore,
  rows: readonly UsageRow[],
  accounts: ReadonlySet<string>,
): Promise<string[]> {
  const dayMs = 86_400_000;
  const to = Math.ceil((Date.now() + dayMs) / dayMs) * dayMs;
  const range = { from: new Date(to - 4 * dayMs), to: new Date(to), bucket: "all" } as const;
  const summary = await usage.summary({ ...range, groupBy: "account" });
  const total = summary.filter(({ group }) => accounts.has(group ?? "")).reduce((sum, { cost }) => sum + cost, 0n);
  const cost = rows.reduce((sum, row) => sum + row.cost, 0n);
  return total === cost ? [] : [`The totals of usage have ${total}, and its rows ${cost}.`];
}
