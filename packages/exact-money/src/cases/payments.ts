import { openAccount, readBooks, type WithAccounts } from "../account.ts";
import { type AbleContext, type Case, defineCase } from "../case.ts";
import { requireEqual, requireTrue } from "../check.ts";
import { models } from "../models.ts";
import {
  type Forgery,
  forgeries,
  type Notification,
  type PaymentNews,
  type Payments,
  type Purchase,
} from "../payments.ts";
import { requireRefused } from "./refusals.ts";

const group = "Payments replayed, reordered and forged";
const needs = ["accounts", "payments"] as const;

type WithPayments = AbleContext<(typeof needs)[number]>;

/** Opens an account that has bought something, and paid nothing. */
async function buy(context: WithPayments): Promise<Purchase> {
  const { id } = await openAccount(context, { credit: 0n });
  return context.can.payments.buy(id);
}

const isAccepted = (status: number): boolean => status >= 200 && status < 300;

async function deliver(payments: Payments, ...notifications: readonly Notification[]): Promise<void> {
  for (const notification of notifications) {
    const status = await payments.deliver(notification);
    requireTrue(isAccepted(status), `A notification was answered with ${status}.`);
  }
}

const expectPosted = ({ can, eventually }: WithAccounts, { account }: Purchase, posted: bigint, what: string) =>
  eventually(async () => requireEqual((await readBooks(can.accounts, account)).posted, posted, what));

/** A purchase whose news arrive in an order, and the share of its credit that is left then, in halves. */
interface Story {
  readonly id: string;
  readonly says: string;
  readonly news: readonly PaymentNews[];
  /** The positions of the news in the order of arrival. Default: as they happen. */
  readonly arrive?: readonly number[];
  readonly halves: 0n | 1n | 2n;
}

const stories: readonly Story[] = [
  { id: "paid", says: "A payment is credited once.", news: ["paid"], halves: 2n },
  { id: "unpaid", says: "An order that is not paid yet is not credited.", news: ["unpaid"], halves: 0n },
  {
    id: "paid-later",
    says: "A payment that takes days is credited once, when it has come.",
    news: ["unpaid", "paid"],
    halves: 2n,
  },
  {
    id: "paid-replayed",
    says: "A notification that comes five times credits once.",
    news: ["paid"],
    arrive: [0, 0, 0, 0, 0],
    halves: 2n,
  },
  {
    id: "half-refunded",
    says: "Half a refund that is told twice takes half of the credit back.",
    news: ["paid", "half refunded"],
    arrive: [0, 1, 1],
    halves: 1n,
  },
  {
    id: "refund-first",
    says: "A refund that is told before its payment leaves no credit.",
    news: ["paid", "refunded"],
    arrive: [1, 0],
    halves: 0n,
  },
  {
    id: "refund-told-late",
    says: "A payment that is told again after its refund is not credited again.",
    news: ["paid", "refunded"],
    arrive: [0, 1, 0],
    halves: 0n,
  },
  {
    id: "dispute-won",
    says: "A dispute takes the credit, and gives it back once when it is won, however often both are told.",
    news: ["paid", "disputed", "won"],
    arrive: [0, 1, 1, 2, 2],
    halves: 2n,
  },
  {
    id: "dispute-reordered",
    says: "A dispute whose end is told before its beginning takes nothing when it was won.",
    news: ["paid", "disputed", "won"],
    arrive: [0, 2, 1],
    halves: 2n,
  },
];

const told = stories.map(({ id, says, news, arrive = news.map((_, at) => at), halves }) =>
  defineCase(group, {
    id: `payment-${id}`,
    says,
    needs,
    async run(context) {
      const { payments } = context.can;
      const purchase = await buy(context);
      const notifications = news.map((each) => payments.tell(purchase, each));
      await deliver(payments, ...arrive.flatMap((at) => notifications[at] ?? []));
      await expectPosted(context, purchase, (purchase.credit * halves) / 2n, "the balance");
    },
  }),
);

const isForgery = (name: string): name is Forgery => name in forgeries;

const forged = Object.entries(forgeries).map(([name, words]) =>
  defineCase(group, {
    id: `payment-forged-${name.replaceAll(" ", "-")}`,
    says: `A notification ${words} credits nothing, and does not keep the true one from being credited.`,
    needs,
    async run(context) {
      if (!isForgery(name)) throw new Error(`There is no forgery "${name}".`);
      const { payments } = context.can;
      const purchase = await buy(context);
      await payments.deliver(payments.forge(purchase, name));
      requireEqual(
        (await readBooks(context.can.accounts, purchase.account)).posted,
        0n,
        "the balance after the forgery",
      );
      if (name === "wrong amount" || name === "wrong currency") return;
      await deliver(payments, payments.tell(purchase, "paid"));
      await expectPosted(context, purchase, purchase.credit, "the balance after the payment");
    },
  }),
);

const atOnce = (urls: readonly (string | undefined)[]) => async (context: WithPayments) => {
  const { payments } = context.can;
  const purchase = await buy(context);
  const paid = payments.tell(purchase, "paid");
  const times = Array.from({ length: 20 }, (_, at) => payments.deliver(paid, urls[at % urls.length]));
  requireTrue((await Promise.all(times)).some(isAccepted), "No notification was accepted.");
  // What was answered with an error is told again.
  await deliver(payments, paid);
  await expectPosted(context, purchase, purchase.credit, "the balance");
};

/** Whether a payment is credited once, and only if it was made. */
export const paymentCases: readonly Case[] = [
  ...told,
  ...forged,
  defineCase(group, {
    id: "payment-at-once",
    says: "A notification that comes twenty times at once credits once.",
    needs,
    run: atOnce([undefined]),
  }),
  defineCase(group, {
    id: "payment-in-two-processes",
    says: "A notification that comes to two processes at once credits once.",
    needs: [...needs, "secondProcess"],
    run: async (context) => atOnce([undefined, await context.can.secondProcess()])(context),
  }),
  defineCase(group, {
    id: "payment-refunded-cannot-be-spent",
    says: "An account whose only payment was refunded is refused.",
    needs,
    async run(context) {
      const { payments } = context.can;
      const { id, key } = await openAccount(context, { credit: 0n });
      const purchase = await payments.buy(id);
      await deliver(payments, payments.tell(purchase, "paid"), payments.tell(purchase, "refunded"));
      await expectPosted(context, purchase, 0n, "the balance");
      const played = context.provider.play();
      const asked = { secret: key.secret, model: models.chat.id, prompt: played.prompt };
      requireRefused(await context.client.ask(asked), played, "a request");
    },
  }),
  defineCase(group, {
    id: "payment-killed",
    says: "A notification during which the process is killed credits once after it has come again.",
    needs: [...needs, "killAndRestart"],
    async run(context) {
      const { payments } = context.can;
      const purchases = await Promise.all(Array.from({ length: 10 }, () => buy(context)));
      const notifications = purchases.map((purchase) => payments.tell(purchase, "paid"));
      const sent = notifications.map((each) => payments.deliver(each).catch(() => 0));
      await Promise.race(sent);
      await context.can.killAndRestart();
      await Promise.all(sent);
      await deliver(payments, ...notifications);
      for (const purchase of purchases) await expectPosted(context, purchase, purchase.credit, "the balance");
    },
  }),
  defineCase(group, {
    id: "payment-during-outage",
    says: "A notification that comes while the store is down is not accepted, and credits once when it comes again.",
    needs: [...needs, "storeOutage"],
    async run(context) {
      const { payments, storeOutage } = context.can;
      const purchase = await buy(context);
      const paid = payments.tell(purchase, "paid");
      await storeOutage.begin();
      const status = await payments.deliver(paid).catch(() => 0);
      await storeOutage.end();
      requireTrue(!isAccepted(status), `It was answered with ${status} while the store was down.`);
      await context.eventually(() => deliver(payments, payments.resign(paid)));
      await expectPosted(context, purchase, purchase.credit, "the balance");
    },
  }),
  defineCase(group, {
    id: "payment-clock",
    says: "A notification with a signature of ten minutes ago, by a clock that jumped, credits once when it comes again.",
    needs: [...needs, "stepClock"],
    async run(context) {
      const { payments } = context.can;
      const purchase = await buy(context);
      const paid = payments.tell(purchase, "paid");
      await context.can.stepClock(600_000);
      await payments.deliver(paid);
      await context.can.stepClock(-600_000);
      await deliver(payments, payments.resign(paid));
      await expectPosted(context, purchase, purchase.credit, "the balance");
    },
  }),
];
