import { nextOf, requireKnown, type TextRow } from "@tollgate/core/internal";
import { checkedWholeNumber } from "@tollgate/core/store";
import type {
  ApplyResult,
  BeginResult,
  Checkout,
  DueTopUp,
  EventRules,
  NewPayment,
  NewTopUp,
  Payment,
  PaymentEvent,
  PaymentPage,
  PaymentQuery,
  PaymentStore,
  SavedMethod,
  TopUp,
  WaitingEvent,
} from "@tollgate/payments/store";
import {
  beginPayment,
  paymentColumns,
  readEvent,
  readPayment,
  readTopUp,
  type Subject,
  topUpColumns,
} from "@tollgate/payments/store";
import type { PostgresBalances } from "../balance-store.ts";
import { Database, type RunStatement } from "../database.ts";
import { requireLedgerSchema } from "../ledger-schema.ts";
import type { PostgresPool } from "../pool.ts";
import type { Statement } from "../schema.ts";
import { isStorableText } from "../storable-values.ts";
import { valuesOf } from "./columns.ts";
import { oldestEventsStatement } from "./event-statements.ts";
import { EventTransaction } from "./event-transaction.ts";
import {
  addPaymentStatement,
  findByReferenceStatement,
  findPaymentStatement,
  forgetPaymentsStatement,
  listPaymentsStatement,
  lockBeginningsStatement,
  lockPaymentStatement,
  newestWithMethodStatement,
  resolvePaymentStatement,
  unfinishedPaymentsStatement,
  writePaymentStatement,
} from "./payment-statements.ts";
import {
  dueTopUpsStatement,
  findTopUpStatement,
  removeTopUpStatement,
  writeTopUpStatement,
} from "./top-up-statements.ts";

/** The options of {@link postgresPaymentStore}. */
export interface PostgresPaymentStoreOptions {
  /** The balances that payments credit, in the same database and schema. */
  readonly balances: Pick<PostgresBalances, "inTransaction">;
  /** The schema of the tables. The default is "tollgate". */
  readonly schema?: string;
}

/**
 * A PaymentStore in PostgreSQL, on tables that `migratePostgres` creates. An event, what it posts in the balances, and what
 * becomes of its payment are one commit. Any number of processes can share it, through any pooler. In addition to the
 * permissions of the balances, its role needs DELETE on the tables `payment_event` and `top_up`.
 */
export function postgresPaymentStore(pool: PostgresPool, options: PostgresPaymentStoreOptions): PaymentStore {
  requireKnown("postgresPaymentStore", options, { balances: true, schema: true });
  const database = new Database(pool, options.schema);
  requireLedgerSchema("postgresPaymentStore", options.balances, database.tables.schema);
  return new PaymentsInPostgres(database, options.balances);
}

/** The PaymentStore on one database. */
class PaymentsInPostgres implements PaymentStore {
  readonly #database: Database;
  readonly #balances: Pick<PostgresBalances, "inTransaction">;

  constructor(database: Database, balances: Pick<PostgresBalances, "inTransaction">) {
    this.#database = database;
    this.#balances = balances;
  }

  async begin(payment: NewPayment, { maxOpen }: { readonly maxOpen: number }): Promise<BeginResult> {
    return this.#database.transaction((run) => begin(run, payment, maxOpen));
  }

  async open(id: string, checkout: Checkout): Promise<Payment | undefined> {
    if (!isStorableText(id)) return undefined;
    return this.#database.transaction((run) => open(run, id, checkout));
  }

  async apply(event: PaymentEvent, rules: EventRules): Promise<ApplyResult> {
    return this.#database.transaction((run, client) =>
      new EventTransaction(run, this.#balances.inTransaction(client)).apply(event, rules),
    );
  }

  async find(by: Subject): Promise<Payment | undefined> {
    if ("id" in by) return this.#first(findPaymentStatement, [by.id], readPayment);
    return this.#first(findByReferenceStatement, [by.provider, by.reference], readPayment);
  }

  async resolve(id: string): Promise<Payment | undefined> {
    if (!isStorableText(id)) return undefined;
    return this.#database.transaction(async (run) => {
      const [row] = await run(lockPaymentStatement, [id]);
      if (row === undefined) return undefined;
      await run(resolvePaymentStatement, [id]);
      return readPayment(row);
    });
  }

  async list(query: PaymentQuery): Promise<PaymentPage> {
    const limit = checkedWholeNumber("limit", query.limit, 1);
    if (![query.account, query.after].every((text = "") => isStorableText(text))) return { payments: [] };
    const { text, values } = listPaymentsStatement(this.#database.tables, query, limit + 1);
    const rows = await this.#database.runOnce(text, values);
    const payments = rows.slice(0, limit).map(readPayment);
    return { payments, ...nextOf(payments, rows.length, ({ id }) => id) };
  }

  async waitingEvents({ limit }: { readonly limit: number }): Promise<readonly WaitingEvent[]> {
    const rows = await this.#database.run(oldestEventsStatement, [checkedWholeNumber("limit", limit, 1)]);
    return rows.map((row) => ({ event: readEvent(row.text("event")), since: row.time("since") }));
  }

  async savedMethod(account: string): Promise<SavedMethod | undefined> {
    return (await this.#first(newestWithMethodStatement, [account], readPayment))?.method;
  }

  async setTopUp(topUp: NewTopUp): Promise<void> {
    await this.#database.run(writeTopUpStatement, valuesOf(topUpColumns, topUp));
  }

  async removeTopUp(account: string): Promise<void> {
    if (isStorableText(account)) await this.#database.run(removeTopUpStatement, [account]);
  }

  async topUp(account: string): Promise<TopUp | undefined> {
    return this.#first(findTopUpStatement, [account], readTopUp);
  }

  async forget(account: string): Promise<number> {
    if (!isStorableText(account)) return 0;
    // The payments first, as an event does that stops a top-up, so that transactions wait for each other in one order.
    return this.#database.transaction(async (run) => {
      const payments = await run(forgetPaymentsStatement, [account]);
      return payments.length + (await run(removeTopUpStatement, [account])).length;
    });
  }

  async dueTopUps({ limit, after = "" }: Parameters<PaymentStore["dueTopUps"]>[0]): Promise<readonly DueTopUp[]> {
    const rows = await this.#database.run(dueTopUpsStatement, [checkedWholeNumber("limit", limit, 1), after]);
    return rows.map(toDueTopUp);
  }

  /** Reads the row that has these texts, if there is one. No row has text that PostgreSQL cannot store. */
  async #first<Result>(
    statement: Statement,
    texts: readonly string[],
    read: (row: TextRow) => Result,
  ): Promise<Result | undefined> {
    if (!texts.every(isStorableText)) return undefined;
    const [row] = await this.#database.run(statement, [...texts]);
    return row && read(row);
  }
}

async function begin(run: RunStatement, payment: NewPayment, maxOpen: number): Promise<BeginResult> {
  const [locked] = await run(lockBeginningsStatement, [payment.account]);
  const [known] = await run(findPaymentStatement, [payment.id]);
  if (known !== undefined) return { outcome: "reused", payment: readPayment(known) };
  const unfinished = (await run(unfinishedPaymentsStatement, [payment.account])).map(readPayment);
  const result = beginPayment(payment, unfinished, { maxOpen, now: locked?.time("now") ?? new Date() });
  if (result.outcome === "begun") await run(addPaymentStatement, valuesOf(paymentColumns, result.payment));
  return result;
}

async function open(run: RunStatement, id: string, checkout: Checkout): Promise<Payment | undefined> {
  const [row] = await run(lockPaymentStatement, [id]);
  const payment = row && readPayment(row);
  if (payment?.state !== "pending") return payment;
  const opened: Payment = { ...payment, state: "open", checkout };
  await run(writePaymentStatement, valuesOf(paymentColumns, opened));
  return opened;
}

function toDueTopUp(row: TextRow): DueTopUp {
  const last = row.optionalText("last");
  return { ...readTopUp(row), ...(last === undefined ? {} : { last }) };
}
