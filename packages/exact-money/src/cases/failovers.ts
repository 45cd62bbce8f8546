import { expectChargedTimes, expectFairCharges, openAccount, plenty, readBooks } from "../account.ts";
import { type Case, defineCase } from "../case.ts";
import { requireEqual } from "../check.ts";
import { models } from "../models.ts";
import { holdRequests } from "./held-requests.ts";
import { requireAnswered } from "./refusals.ts";

const group = "Failover of the database";
const needs = ["accounts", "failover"] as const;

/** Whether a failover to the standby loses or doubles what was acknowledged. */
export const failoverCases: readonly Case[] = [
  defineCase(group, {
    id: "failover-acknowledged",
    says: "Credits, keys and charges that were acknowledged before a failover are there after it, each once.",
    needs,
    async run(context) {
      const account = await openAccount(context);
      const { prompt, deliveries } = context.provider.play();
      const asked = { secret: account.key.secret, model: models.chat.id, prompt, body: { max_tokens: 100 } };
      const ask = () => context.client.ask(asked);
      const answers = await Promise.all(Array.from({ length: 20 }, ask));
      for (const answer of answers) requireAnswered(answer, "a request before");
      await context.can.failover();
      await context.eventually(async () => requireAnswered(await ask(), "a request afterwards"));
      await context.eventually(() =>
        context.can.accounts.credit({ account: account.id, amount: plenty, id: `first-${account.id}` }),
      );
      const { credited } = await expectFairCharges(context, account, models.chat, deliveries);
      requireEqual(credited, plenty, "credits");
    },
  }),
  defineCase(group, {
    id: "failover-streams",
    says: "Streams that run during a failover are answered, and each is charged exactly once.",
    needs,
    async run(context) {
      const account = await openAccount(context);
      const held = await holdRequests(context, account, { count: 20 });
      await context.can.failover();
      for (const answer of await held.end()) requireAnswered(answer, "a stream");
      await expectChargedTimes(20, context, account, models.chat, held.deliveries);
    },
  }),
  defineCase(group, {
    id: "failover-credits",
    says: "Credits that are sent during a failover are each there once after they were repeated with their ids.",
    needs,
    async run(context) {
      const { id } = await openAccount(context, { credit: 0n });
      const credits = Array.from({ length: 30 }, (_, at) => ({
        account: id,
        amount: BigInt(at + 1),
        id: `${at}-${id}`,
      }));
      const sent = credits.map((credit) => context.can.accounts.credit(credit).catch(() => undefined));
      await context.can.failover();
      await Promise.all(sent);
      for (const credit of credits) await context.eventually(() => context.can.accounts.credit(credit));
      requireEqual((await readBooks(context.can.accounts, id)).posted, 465n, "the balance");
    },
  }),
];
