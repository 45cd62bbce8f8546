import { decide, dispute, expire, pay, payLater, refund } from "../../support/stripe/actions.ts";
import type { Dispute } from "../../support/stripe/objects.ts";
import type { Purchases } from "./expected-balances.ts";
import { products, type Shop } from "./shop.ts";

/** Customers who buy, change their minds, and dispute, each one thing at a time. */
export class Customers implements Purchases {
  readonly accounts = new Map<string, string>();
  readonly disputes: Dispute[] = [];
  readonly #shop: Shop;
  readonly #random: () => number;

  constructor(shop: Shop, random: () => number) {
    this.#shop = shop;
    this.#random = random;
  }

  /** A customer buys something. What Stripe tells of it waits to be delivered. */
  async buy(account: string): Promise<void> {
    const product = this.#random() < 0.5 ? products[0] : products[1];
    const session = await this.#shop.buy(account, product?.id ?? "");
    this.accounts.set(session, account);
    const { account: stripe } = this.#shop.stripe;
    const luck = this.#random();
    if (luck < 0.1) return void expire(stripe, session);
    const tax = this.#random() < 0.3 ? 475 : 0;
    const isLater = luck < 0.2;
    const { id, amount } = pay(stripe, session, { tax, later: isLater });
    if (isLater) payLater(stripe, session, luck < 0.17);
    if (isLater && luck >= 0.17) return;
    this.#regret(id, amount);
  }

  #regret(intent: string, amount: number): void {
    const { account: stripe } = this.#shop.stripe;
    const part = () => Math.max(1, Math.floor(amount * this.#random() * 0.5));
    if (this.#random() < 0.3) refund(stripe, intent, part());
    if (this.#random() < 0.25) this.#dispute(intent, part());
    if (this.#random() < 0.2) refund(stripe, intent, part());
  }

  #dispute(intent: string, amount: number): void {
    const { account: stripe } = this.#shop.stripe;
    const opened = dispute(stripe, intent, { amount });
    this.disputes.push(opened);
    const luck = this.#random();
    if (luck < 0.7) decide(stripe, opened.id, luck < 0.4 ? "won" : "lost");
  }
}
