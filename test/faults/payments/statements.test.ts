import { randomInt } from "node:crypto";
import { describe, expect, it } from "vitest";
import { decide, dispute, pay, refund } from "../../support/stripe/actions.ts";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import { openPayments } from "../processes/open-payments.ts";
import { isAvailable, newStores } from "./new-stores.ts";
import type { PaymentHost } from "./payment-host.ts";
import { Shop } from "./shop.ts";

/** The short form kills before every twelfth statement, from another one in each run. */
const step = { long: 1, short: 12 }[form];

describe.each(["SQLite", "PostgreSQL"] as const)("a process that is killed before a statement in %s", (kind) => {
  it.skipIf(!isAvailable(kind))(
    "loses and repeats nothing, whichever statement it is",
    async () => {
      const address = await newStores[kind]();
      const { payments, balances, close } = openPayments(address);
      const shop = await Shop.open(address);
      const survivor = await shop.startHost();
      const posted: bigint[] = [];
      const first = 1 + randomInt(step);
      let next = shop.startHost(first);
      for (let killAt = first, isReached = true; isReached; killAt += step) {
        const host = await next;
        next = shop.startHost(killAt + step);
        const account = `customer-${killAt}`;
        await sell(shop, account, [host, survivor]);
        isReached = host.isKilled;
        await host.stop();
        posted.push((await balances.balance(account)).posted);
      }
      await (await next).stop();
      await survivor.stop();
      await shop.close();
      printFigures(`Kills between statements in ${kind}`, { first, step, kills: posted.length - 1 });
      expect(posted.length * step).toBeGreaterThan(50);
      // 110.00, less the half that was refunded. The dispute was won.
      expect(new Set(posted)).toEqual(new Set([55_000_000_000n]));
      expect(await payments.waitingEvents({ limit: 10 })).toEqual([]);
      expect(await balances.verify()).toEqual([]);
      await close();
    },
    240_000,
  );
});

/** Sells credit by the first process until it is killed, and from then on by the other one, until all events are delivered. */
async function sell(shop: Shop, account: string, [doomed, survivor]: readonly [PaymentHost, PaymentHost]) {
  const { account: stripe, webhooks } = shop.stripe;
  shop.hosts = [doomed];
  shop.onSilence = async () => {
    await doomed.ended;
    shop.hosts = [survivor];
  };
  const { id } = pay(stripe, await shop.buy(account, "bonus"));
  refund(stripe, id, 5_000);
  decide(stripe, dispute(stripe, id, { amount: 2_500 }).id, "won");
  // The last comes first, so that the others wait for their payment.
  const events = webhooks.waiting.toReversed();
  webhooks.drop();
  for (const event of events) webhooks.emit(event);
  const statuses = await webhooks.deliver();
  if (webhooks.waiting.length === 0) return;
  await shop.onSilence();
  const later = await webhooks.deliver();
  expect([...statuses, ...later].filter((status) => status !== 0 && status !== 200)).toEqual([]);
  expect(webhooks.waiting).toEqual([]);
}
