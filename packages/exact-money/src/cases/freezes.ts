import {
  expectChargedTimes,
  expectFairCharges,
  openAccount,
  plenty,
  readBooks,
  type WithAccounts,
} from "../account.ts";
import { type Case, defineCase } from "../case.ts";
import { requireEqual } from "../check.ts";
import { models } from "../models.ts";
import { holdRequests } from "./held-requests.ts";
import { requireAnswered, requireRefused } from "./refusals.ts";

const group = "Accounts that are frozen in flight";
const needs = ["accounts", "freezing"] as const;

async function ask({ client, provider }: WithAccounts, secret: string, url?: string) {
  const played = provider.play();
  const asked = { secret, model: models.chat.id, prompt: played.prompt, ...(url === undefined ? {} : { url }) };
  return { answer: await client.ask(asked), played };
}

/** Whether a frozen account can spend, and whether it still pays what it owes. */
export const freezeCases: readonly Case[] = [
  defineCase(group, {
    id: "frozen-stream",
    says: "An account that is frozen while a stream runs pays for what the provider delivers.",
    needs,
    async run(context) {
      const account = await openAccount(context);
      const held = await holdRequests(context, account);
      await context.can.freezing.freeze(account.id);
      await held.end();
      await expectChargedTimes(1, context, account, models.chat, held.deliveries);
    },
  }),
  defineCase(group, {
    id: "frozen-keys",
    says: "A frozen account is refused with each of its keys, also with one that is made afterwards.",
    needs,
    async run(context) {
      const account = await openAccount(context);
      const second = await context.can.accounts.createKey({ account: account.id });
      await context.can.freezing.freeze(account.id);
      const third = await context.can.accounts.createKey({ account: account.id });
      for (const { secret } of [account.key, second, third]) {
        const { answer, played } = await ask(context, secret);
        requireRefused(answer, played, "a request of a frozen account");
      }
    },
  }),
  defineCase(group, {
    id: "frozen-in-another-process",
    says: "An account that one process freezes is refused at once by another one that has just served it.",
    needs: [...needs, "secondProcess"],
    async run(context) {
      const url = await context.can.secondProcess();
      const account = await openAccount(context);
      const first = await ask(context, account.key.secret, url);
      requireAnswered(first.answer, "the request before");
      await context.can.freezing.freeze(account.id);
      const { answer, played } = await ask(context, account.key.secret, url);
      requireRefused(answer, played, "a request of a frozen account");
      await expectFairCharges(context, account, models.chat, first.played.deliveries);
    },
  }),
  defineCase(group, {
    id: "frozen-credit",
    says: "A frozen account receives its credits, and can spend them once it is thawed.",
    needs,
    async run(context) {
      const account = await openAccount(context, { credit: 0n });
      await context.can.freezing.freeze(account.id);
      await context.can.accounts.credit({ account: account.id, amount: plenty, id: `frozen-${account.id}` });
      requireEqual((await readBooks(context.can.accounts, account.id)).posted, plenty, "the balance");
      await context.can.freezing.thaw(account.id);
      const { answer, played } = await ask(context, account.key.secret);
      requireAnswered(answer, "a request after the thaw");
      await expectFairCharges(context, account, models.chat, played.deliveries);
    },
  }),
];
