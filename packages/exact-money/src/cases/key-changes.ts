import {
  type Account,
  expectChargedTimes,
  expectFairCharges,
  openAccount,
  plenty,
  readBooks,
  type WithAccounts,
} from "../account.ts";
import { type Case, defineCase } from "../case.ts";
import { requireEqual, requireTrue } from "../check.ts";
import { type Api, costOf, models } from "../models.ts";
import { defaultTokens } from "../provider/script.ts";
import { holdRequests } from "./held-requests.ts";
import { requireAnswered, requireRefused } from "./refusals.ts";

const group = "Keys that end in flight";
const needs = ["accounts", "keyChanges"] as const;
const usual = costOf(models.chat, defaultTokens);

/** Asks with a key, and requires that it is refused before the provider is asked. */
async function expectKeyRefused(
  context: WithAccounts,
  secret: string,
  { api = "chat", url }: { api?: Api; url?: string } = {},
) {
  const played = context.provider.play();
  const asked = { api, secret, model: models[api].id, prompt: played.prompt, ...(url === undefined ? {} : { url }) };
  requireRefused(await context.client.ask(asked), played, `a request in ${api}`);
}

async function ask({ client, provider }: WithAccounts, secret: string) {
  const { prompt, deliveries } = provider.play();
  return { answer: await client.ask({ secret, model: models.chat.id, prompt }), deliveries };
}

const refused = (["chat", "messages", "responses", "embeddings"] as const).map((api) =>
  defineCase(group, {
    id: `revoked-${api}`,
    says: `From the moment at which it is revoked, a key is refused in the API ${api}, also right after it was used.`,
    needs: [...needs, ...(api === "chat" ? [] : [api])],
    async run(context) {
      const account = await openAccount(context);
      const used = context.provider.play();
      const asked = { api, secret: account.key.secret, model: models[api].id, prompt: used.prompt };
      requireAnswered(await context.client.ask(asked), "the request before");
      await context.can.keyChanges.revoke(account.key.id);
      await expectKeyRefused(context, account.key.secret, { api });
      await expectFairCharges(context, account, models[api], used.deliveries);
    },
  }),
);

const inFlight = [true, false].map((stream) =>
  defineCase(group, {
    id: stream ? "revoked-stream" : "revoked-json",
    says: `A key that is revoked while ${stream ? "a stream" : "a request"} runs pays for what the provider delivers.`,
    needs,
    async run(context) {
      const account = await openAccount(context);
      const held = await holdRequests(context, account, { ask: { stream } });
      await context.can.keyChanges.revoke(account.key.id);
      await held.end();
      await expectChargedTimes(1, context, account, models.chat, held.deliveries);
    },
  }),
);

/** Sends one request after another until a key is refused, and returns how many were answered. */
async function askUntilRefused({ client }: WithAccounts, { key }: Account, prompt: string): Promise<number> {
  for (let answered = 0; ; answered++) {
    const { status } = await client.ask({ secret: key.secret, model: models.chat.id, prompt });
    if (status !== 200) return answered;
  }
}

/** Whether a key that is revoked or rotated can spend, or takes a charge away with it. */
export const keyChangeCases: readonly Case[] = [
  ...refused,
  ...inFlight,
  defineCase(group, {
    id: "revoked-under-load",
    says: "When a key is revoked while ten clients use it, each answer of the provider is charged and none comes after it.",
    needs,
    async run(context) {
      const account = await openAccount(context);
      const { prompt, deliveries } = context.provider.play();
      const clients = Array.from({ length: 10 }, () => askUntilRefused(context, account, prompt));
      while (deliveries.length < 20) await new Promise((resolve) => setTimeout(resolve, 2));
      await context.can.keyChanges.revoke(account.key.id);
      await expectKeyRefused(context, account.key.secret);
      const answered = (await Promise.all(clients)).reduce((sum, each) => sum + each, 0);
      requireEqual(deliveries.length, answered, "requests to the provider");
      await expectFairCharges(context, account, models.chat, deliveries);
    },
  }),
  defineCase(group, {
    id: "revoked-in-another-process",
    says: "A key that one process revokes is refused at once by another one that has just served it.",
    needs: [...needs, "secondProcess"],
    async run(context) {
      const url = await context.can.secondProcess();
      const account = await openAccount(context);
      const used = context.provider.play();
      const asked = { secret: account.key.secret, model: models.chat.id, prompt: used.prompt, url };
      requireAnswered(await context.client.ask(asked), "the request before");
      await context.can.keyChanges.revoke(account.key.id);
      await expectKeyRefused(context, account.key.secret, { url });
      await expectFairCharges(context, account, models.chat, used.deliveries);
    },
  }),
  defineCase(group, {
    id: "rotated-in-flight",
    says: "A key that is rotated while its stream runs pays for the stream and for nothing else, and the new key for its own.",
    needs,
    async run(context) {
      const account = await openAccount(context);
      const held = await holdRequests(context, account);
      const next = await context.can.keyChanges.rotate(account.key.id);
      const { answer, deliveries } = await ask(context, next.secret);
      requireAnswered(answer, "a request with the new key");
      await expectKeyRefused(context, account.key.secret);
      await held.end();
      await expectFairCharges(context, account, models.chat, [...held.deliveries, ...deliveries]);
    },
  }),
  defineCase(group, {
    id: "rotated-limit",
    says: "Rotating a key again and again does not refill its spend limit.",
    needs: [...needs, "keyLimits"],
    async run(context) {
      const limit = 1_700_000n;
      const account = await openAccount(context, { spend: limit });
      const body = { max_tokens: defaultTokens.output };
      const statuses: number[] = [];
      for (let { key } = account; statuses.length < 6; key = await context.can.keyChanges.rotate(key.id)) {
        const { prompt } = context.provider.play();
        statuses.push((await context.client.ask({ secret: key.secret, model: models.chat.id, prompt, body })).status);
      }
      const { charges } = await readBooks(context.can.accounts, account.id);
      const spent = charges.reduce((sum, each) => sum + each, 0n);
      requireTrue(spent > 0n && spent <= limit, `${spent} of ${limit} nano-units were spent (statuses ${statuses})`);
    },
  }),
  defineCase(group, {
    id: "rotated-at-once",
    says: "Of keys that are made by rotations at the same time, none is free and none pays from another account.",
    needs,
    async run(context) {
      const account = await openAccount(context);
      const rotations = await Promise.allSettled([1, 2, 3].map(() => context.can.keyChanges.rotate(account.key.id)));
      const keys = rotations.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
      requireTrue(keys.length > 0, "No rotation succeeded.");
      await expectKeyRefused(context, account.key.secret);
      const asked = await Promise.all(keys.map(({ secret }) => ask(context, secret)));
      const books = await expectFairCharges(
        context,
        account,
        models.chat,
        asked.flatMap(({ deliveries }) => deliveries),
      );
      const answered = asked.filter(({ answer }) => answer.status === 200).length;
      requireEqual(books.posted, plenty - BigInt(answered) * usual, "the balance");
    },
  }),
];
