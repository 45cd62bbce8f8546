import type { Awaitable } from "@tollgate/core/internal";
import type { EventRules } from "./change.ts";
import type { Checkout, NewPayment, Payment, PaymentState, SavedMethod } from "./payment.ts";
import type { PaymentEvent } from "./payment-event.ts";
import type { Subject } from "./subject.ts";
import type { DueTopUp, NewTopUp, TopUp } from "./top-up.ts";

/** The result of beginning a payment. `reused`: `payment` is in progress already. `too_many`: the account has as many open payments as it may. */
export type BeginResult =
  | { readonly outcome: "begun" | "reused"; readonly payment: Payment }
  | { readonly outcome: "too_many" };

/**
 * The result of an event. `repeated`: it, or a later one, had the same effect before. `waiting`: its payment is not known yet, or
 * not paid yet, so it is kept and applied when it is. `mismatch`: its mode or provider is not that of the payment; nothing was changed.
 */
export type ApplyResult =
  | { readonly outcome: "applied" | "repeated"; readonly payment: Payment }
  | { readonly outcome: "waiting" }
  | { readonly outcome: "mismatch" };

/** Which payments to list. */
export interface PaymentQuery {
  readonly account?: string;
  readonly state?: PaymentState;
  /** Present: only payments with a `problem`. */
  readonly problem?: true;
  /** Selects by `createdAt`, `to` excluded. */
  readonly from?: Date;
  readonly to?: Date;
  readonly limit: number;
  /** The `next` of a page. */
  readonly after?: string;
}

/** A page of payments, newest first; `next` is absent on the last. */
export interface PaymentPage {
  readonly payments: readonly Payment[];
  readonly next?: string;
}

/** An event whose payment is not known, or not paid. */
export interface WaitingEvent {
  readonly event: PaymentEvent;
  /** When it came first. */
  readonly since: Date;
}

/**
 * Port: the payments of customers, in the database of the ledger. Each method is one atomic step, safe to repeat, and durable
 * when it resolves. A refusal is a value, a throw is an outage. What a step changes in the ledger is committed with it.
 */
export interface PaymentStore {
  /**
   * Writes a payment before the provider is asked. In order: a known id is reused, whatever it was begun with. A top-up reuses
   * one of the account that is pending, open or processing. A checkout reuses one of the account that is pending with the same
   * provider, mode, product, price, credit, bonus and `savesMethod`, and is refused if `maxOpen` checkouts are open. A checkout
   * that is pending counts and is reused for `pendingMs` after `createdAt`, one that is open counts until it expires.
   */
  begin(payment: NewPayment, limits: { readonly maxOpen: number }): Awaitable<BeginResult>;
  /** Makes a pending payment open with the page on which the customer pays, and changes no other. Undefined: it is unknown. */
  open(id: string, checkout: Checkout): Awaitable<Payment | undefined>;
  /**
   * Applies an event by `applyEvent` with what it posts in the ledger, and after it the waiting events of the same payment,
   * oldest first by `at`. The payment of an event is found by its id, or by provider and reference. An event that waits is kept
   * once by provider and id.
   */
  apply(event: PaymentEvent, rules: EventRules): Awaitable<ApplyResult>;
  find(by: Subject): Awaitable<Payment | undefined>;
  /**
   * Removes the problem of a payment, after a person has dealt with it, and returns the payment as it was before; undefined if
   * it is unknown. A later event may bring a problem again.
   */
  resolve(id: string): Awaitable<Payment | undefined>;
  /** Returns payments, newest first by `createdAt`, and by id where it is the same. */
  list(query: PaymentQuery): Awaitable<PaymentPage>;
  /** Returns at most `limit` waiting events, by when they came, oldest first. */
  waitingEvents(query: { readonly limit: number }): Awaitable<readonly WaitingEvent[]>;
  /** Returns the method of the newest payment of the account that has one. */
  savedMethod(account: string): Awaitable<SavedMethod | undefined>;
  /** Sets the automatic top-up of an account, which is not stopped then. */
  setTopUp(topUp: NewTopUp): Awaitable<void>;
  /** Removes the automatic top-up of an account. */
  removeTopUp(account: string): Awaitable<void>;
  topUp(account: string): Awaitable<TopUp | undefined>;
  /**
   * Removes the automatic top-up of an account, and of its payments what {@link forgottenPayment} removes. A later event of a
   * payment is applied as usual, and may bring a part of it again. Returns how many top-ups and payments it changed.
   */
  forget(account: string): Awaitable<number>;
  /**
   * Returns at most `limit` top-ups that are due, in an order of accounts, and after the account `after`: not stopped, the posted
   * balance below `below`, no top-up payment of the account open or processing, and fewer than `maxPerDay` created since midnight
   * UTC that are not pending.
   */
  dueTopUps(query: { readonly limit: number; readonly after?: string }): Awaitable<readonly DueTopUp[]>;
}

/** How long a payment that the provider has not confirmed is tried again under its id, in milliseconds: half of what Stripe remembers a key. */
export const pendingMs = 12 * 3_600_000;
