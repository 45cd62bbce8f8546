import { randomInt } from "node:crypto";
import { type Difference, reconcile } from "@tollgate/payments";
import { stripeProvider } from "@tollgate/stripe";
import { describe, expect, it } from "vitest";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import { openPayments } from "../processes/open-payments.ts";
import { Customers } from "./customers.ts";
import { expectedBalances } from "./expected-balances.ts";
import { isAvailable, newStores } from "./new-stores.ts";
import { signingSecret } from "./payment-host.ts";
import { Shop } from "./shop.ts";

const wanted = { long: { events: 10_000, kills: 50 }, short: { events: 300, kills: 4 } }[form];
const disorder = { random: Math.random, doubled: 0.2, lost: 0.1, atOnce: 8 };
const dayMs = 86_400_000;

describe.each(["SQLite", "PostgreSQL"] as const)("payments in %s", (kind) => {
  it.skipIf(!isAvailable(kind))(
    `agree with Stripe and the ledger after ${wanted.events} events and ${wanted.kills} kills`,
    async () => {
      const address = await newStores[kind]();
      const { payments, balances, close } = openPayments(address);
      const shop = await Shop.open(address);
      const from = new Date(Date.now() - dayMs);
      const customers = new Customers(shop, disorder.random);
      const keeper = new HostKeeper(shop, wanted.kills);
      await keeper.start(3);
      const { webhooks } = shop.stripe;
      const counts = () => ({ events: webhooks.statuses.length, kills: keeper.kills });
      for (let round = 0; counts().events < wanted.events || counts().kills < wanted.kills; round++) {
        const buying = Array.from({ length: 12 }, (_, place) => customers.buy(`customer-${(round % 20) * 12 + place}`));
        await Promise.all(buying);
        await webhooks.deliverInDisorder(disorder, 1_000);
      }
      const refused = webhooks.statuses.filter((status) => status !== 200 && status !== 503);
      expect(refused).toEqual([]);
      await keeper.stop();

      expect(await balances.verify()).toEqual([]);
      expect(await payments.waitingEvents({ limit: 10 })).toEqual([]);
      for (const [account, posted] of expectedBalances(shop.stripe.account, customers))
        expect((await balances.balance(account)).posted, account).toBe(posted);
      const differences: Difference[] = [];
      const provider = stripeProvider({
        ...{ stripe: shop.stripe.client, live: false, webhookSecrets: [signingSecret] },
        ...{ successUrl: "https://acme.example/paid", cancelUrl: "https://acme.example/billing" },
      });
      const to = new Date(Date.now() + dayMs);
      const onDifference = (difference: Difference) => differences.push(difference);
      const totals = await reconcile({ provider, store: payments, balances, from, to, onDifference });
      expect(differences).toEqual([]);
      expect(totals.payments).toBeGreaterThan(wanted.events / 20);
      printFigures(`Payments in ${kind}`, { ...counts(), deaths: keeper.deaths, ...totals });
      expect(keeper.deaths).toBe(0);
      await shop.close();
      await close();
    },
    form === "long" ? 3_000_000 : 240_000,
  );
});

/** Keeps processes of a shop running that kill themselves at some statement, until there were enough kills. */
class HostKeeper {
  kills = 0;
  /** Processes that ended in another way. */
  deaths = 0;
  #planned = 0;
  #isOver = false;
  readonly #running: Promise<void>[] = [];

  constructor(
    private readonly shop: Shop,
    private readonly enough: number,
  ) {}

  /** Starts the processes, and resolves when all are running. */
  async start(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, place) => this.#startIn(place)));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.shop.hosts.map((host) => host.stop()));
    await Promise.all(this.#running);
  }

  async #startIn(place: number): Promise<void> {
    const killAt = this.#planned++ < this.enough ? 20 + randomInt(250) : undefined;
    const host = await this.shop.startHost(killAt);
    this.shop.hosts[place] = host;
    this.#running.push(host.ended.then(() => this.#replace(place)));
  }

  async #replace(place: number): Promise<void> {
    if (this.#isOver) return;
    if (this.shop.hosts[place]?.isKilled) this.kills++;
    else this.deaths++;
    await this.#startIn(place);
  }
}
