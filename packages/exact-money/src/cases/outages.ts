import { type Account, expectChargedTimes, expectFairCharges, openAccount, plenty, readBooks } from "../account.ts";
import { type AbleContext, type Case, defineCase } from "../case.ts";
import { requireEqual, requireTrue } from "../check.ts";
import { models } from "../models.ts";
import { expectRecovered, holdRequests, openStream } from "./held-requests.ts";
import { requireAnswered } from "./refusals.ts";

const group = "A store that is down";
const needs = ["accounts", "storeOutage"] as const;

type WithOutage = AbleContext<(typeof needs)[number]>;

/** Asks during an outage, and requires that no request reaches the provider, since nobody could pay for it. */
async function expectUnavailable({ client, provider }: WithOutage, { key }: Account, api: "chat" | "responses") {
  const { prompt, deliveries } = provider.play();
  const asked = { api, secret: key.secret, model: models[api].id, prompt };
  const answers = await Promise.all(Array.from({ length: 10 }, () => client.ask(asked)));
  requireEqual(deliveries.length, 0, "requests to the provider");
  requireTrue(
    answers.every(({ status }) => status >= 500),
    `statuses ${answers.map(({ status }) => status)}`,
  );
}

/** Serves a request, so that the gateway has what it keeps of the key. */
async function serveOne(context: WithOutage, account: Account) {
  const { prompt, deliveries } = context.provider.play();
  const answer = await context.client.ask({ secret: account.key.secret, model: models.chat.id, prompt });
  requireAnswered(answer, "a request");
  return deliveries;
}

const atHold = (["chat", "responses"] as const).map((api) =>
  defineCase(group, {
    id: `down-at-hold-${api}`,
    says: `While the store is down, requests in ${api} fail before the provider is asked, and afterwards they are served.`,
    needs: [...needs, ...(api === "chat" ? [] : [api])],
    async run(context) {
      const account = await openAccount(context);
      const before = await serveOne(context, account);
      await context.can.storeOutage.begin();
      await expectUnavailable(context, account, api);
      await context.can.storeOutage.end();
      const after = await context.eventually(() => serveOne(context, account));
      await expectFairCharges(context, account, models.chat, [...before, ...after]);
    },
  }),
);

const atSettle = [true, false].map((stream) =>
  defineCase(group, {
    id: stream ? "down-at-settle-stream" : "down-at-settle-json",
    says: `${stream ? "A stream" : "An answer"} that ends while the store is down is charged exactly, once the store is back.`,
    needs,
    async run(context) {
      const account = await openAccount(context);
      const held = await holdRequests(context, account, { ask: { stream } });
      await context.can.storeOutage.begin();
      const [answer] = await held.end();
      await context.can.storeOutage.end();
      if (answer !== undefined) requireAnswered(answer, "the answer");
      await expectChargedTimes(1, context, account, models.chat, held.deliveries);
    },
  }),
);

/** Whether an outage of the store lets requests through for nothing, or loses what they cost. */
export const outageCases: readonly Case[] = [
  ...atHold,
  ...atSettle,
  defineCase(group, {
    id: "down-many",
    says: "Ten streams that end while the store is down are each charged exactly once.",
    needs,
    async run(context) {
      const account = await openAccount(context);
      const held = await holdRequests(context, account, { count: 10 });
      await context.can.storeOutage.begin();
      await held.end();
      await context.can.storeOutage.end();
      await expectChargedTimes(10, context, account, models.chat, held.deliveries);
    },
  }),
  defineCase(group, {
    id: "down-longer-than-lease",
    says: "A stream during whose outage its reservation ends is charged exactly once in the end.",
    needs,
    async run(context) {
      const account = await openAccount(context);
      const held = await holdRequests(context, account);
      await context.can.storeOutage.begin();
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      await context.can.storeOutage.end();
      await held.end();
      await expectChargedTimes(1, context, account, models.chat, held.deliveries);
    },
  }),
  defineCase(group, {
    id: "down-client-leaves",
    says: "A client that leaves its stream while the store is down is charged for what was delivered.",
    needs,
    async run(context) {
      const account = await openAccount(context);
      const stream = await openStream(context, account);
      await context.can.storeOutage.begin();
      stream.leave();
      await stream.untilLeft();
      await context.can.storeOutage.end();
      await expectChargedTimes(1, context, account, models.chat, stream.deliveries);
    },
  }),
  defineCase(group, {
    id: "down-then-killed",
    says: "A process that is killed while it waits for the store charges each stream at most once, and nothing stays reserved.",
    needs: [...needs, "killAndRestart"],
    async run(context) {
      const account = await openAccount(context);
      const held = await holdRequests(context, account, { count: 5 });
      await context.can.storeOutage.begin();
      await held.end();
      const restarted = context.can.killAndRestart();
      await context.can.storeOutage.end();
      await restarted;
      await expectRecovered(context, account, held);
    },
  }),
  defineCase(group, {
    id: "down-at-credit",
    says: "A credit that was sent while the store was down is there once after it was repeated with its id.",
    needs,
    async run(context) {
      const { id } = await openAccount(context, { credit: 0n });
      const credit = { account: id, amount: plenty, id: `outage-${id}` };
      await context.can.storeOutage.begin();
      const first = context.can.accounts.credit(credit).catch(() => undefined);
      await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 500))]);
      await context.can.storeOutage.end();
      await first;
      await context.eventually(() => context.can.accounts.credit(credit));
      requireEqual((await readBooks(context.can.accounts, id)).posted, plenty, "the balance");
    },
  }),
];
