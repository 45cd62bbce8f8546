import { setTimeout as sleep } from "node:timers/promises";
import { type StripeServer, startStripe } from "../../support/stripe/stripe-server.ts";
import type { StoreAddress } from "../processes/open-store.ts";
import { PaymentHost, signingSecret } from "./payment-host.ts";

/** What the shop sells. */
export const products = [
  { id: "plain", cents: 2_500, credit: "25.00", bonus: "0" },
  { id: "bonus", cents: 10_000, credit: "100.00", bonus: "10.00" },
];

const apiKey = "sk_test_of_the_stand_in";

/** A Stripe, and processes that sell credit with it, of which some kill themselves. */
export class Shop {
  /** Those to which requests go, by turns. */
  hosts: PaymentHost[] = [];
  /** Called after a request that no process has answered. */
  onSilence: () => Promise<void> = () => sleep(10);
  #turn = 0;

  private constructor(
    readonly stripe: StripeServer,
    private readonly store: StoreAddress,
  ) {
    const nextUrl = () => this.#url("/webhook");
    stripe.webhooks.endpoints.push({
      get url() {
        return nextUrl();
      },
      secrets: [signingSecret],
    });
  }

  static async open(store: StoreAddress): Promise<Shop> {
    return new Shop(await startStripe(), store);
  }

  /** Starts a process, to which no request goes yet. With `killAt`, it kills itself before that statement of its own. */
  startHost(killAt?: number): Promise<PaymentHost> {
    const stripe = { port: this.stripe.port, apiKey, signingSecret };
    return PaymentHost.start({ store: this.store, stripe, products, ...(killAt === undefined ? {} : { killAt }) });
  }

  /** Opens a page for a product, and returns the id of its session at Stripe. Asks again until a process answers. */
  async buy(account: string, product: string): Promise<string> {
    for (let tries = 0; tries < 500; tries++) {
      const answer = await this.#order(account, product);
      if (typeof answer === "string") return answer;
      if (answer !== 0 && answer !== 503) throw new Error(`The checkout was answered with ${answer}.`);
      await this.onSilence();
    }
    throw new Error("No process answered a checkout.");
  }

  async close(): Promise<void> {
    await this.stripe.close();
  }

  /** Returns the id of the session, or the status of the answer; 0 for none. */
  async #order(account: string, product: string): Promise<string | number> {
    const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin", "x-account": account };
    try {
      const body = JSON.stringify({ product });
      const response = await fetch(this.#url("/checkout"), { method: "POST", headers, body });
      const answer: unknown = await response.json();
      return response.ok ? (String(Object(answer).url).split("/").at(-1) ?? "") : response.status;
    } catch {
      return 0;
    }
  }

  #url(path: string): string {
    this.#turn += 1;
    const host = this.hosts[this.#turn % this.hosts.length];
    return `${host?.url}${path}`;
  }
}
