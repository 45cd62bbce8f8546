import { requireKnown } from "@tollgate/core/internal";
import { checkedWholeNumber } from "@tollgate/core/store";
import type {
  ApplyResult,
  BeginResult,
  Checkout,
  DueTopUp,
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
import { beginPayment } from "@tollgate/payments/store";
import type { HostPostings, SqliteBalanceStore } from "../balance-store.ts";
import { Connection } from "../connection.ts";
import type { SqliteDatabase } from "../database.ts";
import { requireLedgerDatabase } from "../ledger-database.ts";
import { EventSteps } from "./event-steps.ts";
import { PaymentRows } from "./payment-rows.ts";
import { TopUps } from "./top-ups.ts";
import { WaitingEvents } from "./waiting-events.ts";

/** The options of {@link sqlitePaymentStore}. */
export interface SqlitePaymentStoreOptions {
  /** The balances that payments credit, on the same database object. */
  readonly balances: Pick<SqliteBalanceStore, "inTransaction">;
}

/**
 * A PaymentStore in SQLite, on a database that the host opens. An event, what it posts in the balances, and what becomes of its
 * payment are one commit. Throws for balances on another connection, whose postings would be another commit.
 */
export function sqlitePaymentStore(database: SqliteDatabase, options: SqlitePaymentStoreOptions): PaymentStore {
  requireKnown("sqlitePaymentStore", options, { balances: true });
  const { balances } = options;
  requireLedgerDatabase("sqlitePaymentStore", balances, database);
  return new PaymentsInSqlite(new Connection(database), balances.inTransaction);
}

/** The PaymentStore on an open connection. */
class PaymentsInSqlite implements PaymentStore {
  readonly #connection: Connection;
  readonly #events: EventSteps;
  readonly #payments: PaymentRows;
  readonly #topUps: TopUps;
  readonly #waiting: WaitingEvents;

  constructor(connection: Connection, postings: HostPostings) {
    this.#connection = connection;
    this.#payments = new PaymentRows(connection);
    this.#topUps = new TopUps(connection);
    this.#waiting = new WaitingEvents(connection);
    this.#events = new EventSteps({ payments: this.#payments, topUps: this.#topUps, waiting: this.#waiting, postings });
  }

  begin(payment: NewPayment, { maxOpen }: { readonly maxOpen: number }): Promise<BeginResult> {
    return this.#connection.write(() => {
      const known = this.#payments.find(payment.id);
      if (known !== undefined) return { outcome: "reused", payment: known };
      const unfinished = this.#payments.unfinished(payment.account);
      const result = beginPayment(payment, unfinished, { maxOpen, now: new Date() });
      if (result.outcome === "begun") this.#payments.write(result.payment);
      return result;
    });
  }

  open(id: string, checkout: Checkout): Promise<Payment | undefined> {
    return this.#connection.write(() => {
      const payment = this.#payments.find(id);
      if (payment?.state !== "pending") return payment;
      const opened: Payment = { ...payment, state: "open", checkout };
      this.#payments.write(opened);
      return opened;
    });
  }

  apply(event: PaymentEvent, rules: Parameters<PaymentStore["apply"]>[1]): Promise<ApplyResult> {
    return this.#connection.write(() => this.#events.apply(event, rules));
  }

  async find(by: Parameters<PaymentStore["find"]>[0]): Promise<Payment | undefined> {
    return this.#connection.read(() => this.#payments.findBy(by));
  }

  resolve(id: string): Promise<Payment | undefined> {
    return this.#connection.write(() => {
      const before = this.#payments.find(id);
      if (before?.problem !== undefined) this.#payments.resolve(id);
      return before;
    });
  }

  async list(query: PaymentQuery): Promise<PaymentPage> {
    checkedWholeNumber("limit", query.limit, 1);
    return this.#connection.read(() => this.#payments.page(query));
  }

  async waitingEvents({ limit }: { readonly limit: number }): Promise<readonly WaitingEvent[]> {
    checkedWholeNumber("limit", limit, 1);
    return this.#connection.read(() => this.#waiting.oldest(limit));
  }

  async savedMethod(account: string): Promise<SavedMethod | undefined> {
    return this.#connection.read(() => this.#payments.newestWithMethod(account)?.method);
  }

  setTopUp(topUp: NewTopUp): Promise<void> {
    return this.#connection.write(() => this.#topUps.set(topUp));
  }

  removeTopUp(account: string): Promise<void> {
    return this.#connection.write(() => void this.#topUps.remove(account));
  }

  async topUp(account: string): Promise<TopUp | undefined> {
    return this.#connection.read(() => this.#topUps.find(account));
  }

  forget(account: string): Promise<number> {
    return this.#connection.write(() => this.#payments.forget(account) + this.#topUps.remove(account));
  }

  async dueTopUps({ limit, after = "" }: Parameters<PaymentStore["dueTopUps"]>[0]): Promise<readonly DueTopUp[]> {
    checkedWholeNumber("limit", limit, 1);
    return this.#connection.read(() => this.#topUps.due(new Date(), limit, after));
  }
}
