import { type Account, expectCharges, openAccount, plenty, readBooks, type WithAccounts } from "../account.ts";
import { type Case, defineCase } from "../case.ts";
import { requireEqual, requireTrue } from "../check.ts";
import type { Ask } from "../client/client.ts";
import { costOf, models, type SuiteModel } from "../models.ts";
import { cappedSpend } from "../plans.ts";
import { type Delivery, defaultTokens, usesItsCap } from "../provider/script.ts";
import { expectWithin, rush, rushCost } from "./rush.ts";

const group = "Overspending in parallel";
const model: SuiteModel = models.chat;
/** Money for some, but not for all of the requests. */
const some = 8n * rushCost(model);
const many = 50;

const times = (count: number, ...asks: readonly Omit<Ask, "prompt">[]) =>
  Array.from({ length: count }, (_, at) => asks[at % asks.length]).flatMap((ask) => (ask === undefined ? [] : [ask]));

const askFor = ({ key }: Account, more: Partial<Ask> = {}) => ({ secret: key.secret, model: model.id, ...more });

const always = () => model;

const byName = ({ body }: Delivery): SuiteModel =>
  Object.values(models).find(({ upstreamModel }) => upstreamModel === body["model"]) ?? model;

/** Returns requests with each of several keys of an account. */
async function askWithKeys(context: WithAccounts, account: Account, plan?: string) {
  const wanted = { account: account.id, ...(plan === undefined ? {} : { plan }) };
  const keys = await Promise.all([1, 2, 3, 4].map(() => context.can.accounts.createKey(wanted)));
  return times(many, ...[account.key, ...keys].map(({ secret }) => ({ secret, model: model.id })));
}

/** Whether parallel requests can spend more than there is. */
export const overspendCases: readonly Case[] = [
  ...[false, true].map((stream) =>
    defineCase(group, {
      id: stream ? "overspend-key-stream" : "overspend-key",
      says: `${many} ${stream ? "streams" : "requests"} of one key at once spend no more than the balance of its account.`,
      needs: ["accounts"],
      async run(context) {
        const account = await openAccount(context, { credit: some });
        const rushed = await rush(context, times(many, askFor(account, { stream })));
        await expectWithin(context, account, always, rushed, some);
      },
    }),
  ),
  defineCase(group, {
    id: "overspend-keys",
    says: `${many} requests of five keys of one account at once spend no more than its balance.`,
    needs: ["accounts"],
    async run(context) {
      const account = await openAccount(context, { credit: some });
      const rushed = await rush(context, await askWithKeys(context, account));
      await expectWithin(context, account, always, rushed, some);
    },
  }),
  defineCase(group, {
    id: "overspend-key-limit",
    says: "Requests at once spend no more than the limit of their key, however much its account has.",
    needs: ["accounts", "keyLimits"],
    async run(context) {
      const account = await openAccount(context, { spend: some });
      const rushed = await rush(context, times(many, askFor(account)));
      await expectWithin(context, account, always, rushed, some);
    },
  }),
  defineCase(group, {
    id: "overspend-account-limit",
    says: "Requests of several keys at once spend no more than the limit of their account, however much it has.",
    needs: ["accounts", "limitAccount"],
    async run(context) {
      const account = await openAccount(context);
      await context.can.limitAccount(account.id, some);
      const rushed = await rush(context, await askWithKeys(context, account));
      await expectWithin(context, account, always, rushed, some);
    },
  }),
  defineCase(group, {
    id: "overspend-plan-limit",
    says: "Requests of several keys at once spend no more than the limit of the plan of their account.",
    needs: ["accounts", "planLimits"],
    async run(context) {
      const account = await openAccount(context, { plan: "capped" });
      const rushed = await rush(context, await askWithKeys(context, account, "capped"));
      await expectWithin(context, account, always, rushed, cappedSpend);
    },
  }),
  defineCase(group, {
    id: "overspend-both-limits",
    says: "Where a key may spend more than its account has, the account has the last word, and the other way round.",
    needs: ["accounts", "keyLimits"],
    async run(context) {
      const poor = await openAccount(context, { credit: some / 2n, spend: some });
      await expectWithin(context, poor, always, await rush(context, times(many, askFor(poor))), some / 2n);
      const rich = await openAccount(context, { credit: some, spend: some / 2n });
      await expectWithin(context, rich, always, await rush(context, times(many, askFor(rich))), some / 2n);
    },
  }),
  defineCase(group, {
    id: "overspend-model-limit",
    says: "A key that has spent its limit of one model is refused that model, and answered by another one.",
    needs: ["accounts", "keyLimits", "modelLimits"],
    async run(context) {
      const account = await openAccount(context, { spend: some, spendModels: [model.id] });
      const rushed = await rush(context, times(many, askFor(account)));
      await expectWithin(context, account, always, rushed, some);
      const { prompt } = context.provider.play();
      const other = await context.client.ask({ ...askFor(account), model: models.cheap.id, prompt });
      requireEqual(other.status, 200, "status of the other model");
    },
  }),
  defineCase(group, {
    id: "overspend-models",
    says: "Requests for dear and cheap models at once spend no more than their balance together.",
    needs: ["accounts", "requestPrice"],
    async run(context) {
      const account = await openAccount(context, { credit: some });
      const asks = [model, models.cheap, models.perRequest].map(({ id }) => askFor(account, { model: id }));
      await expectWithin(context, account, byName, await rush(context, times(many, ...asks)), some);
    },
  }),
  defineCase(group, {
    id: "overspend-uncapped",
    says: "Requests without an output cap at once spend no more than their balance, though each uses all it may.",
    needs: ["accounts"],
    async run(context) {
      const account = await openAccount(context, { credit: some });
      const rushed = await rush(context, times(many, askFor(account, { body: {} })));
      await expectWithin(context, account, always, rushed, some);
    },
  }),
  defineCase(group, {
    id: "overspend-choices",
    says: "Requests for three choices at once spend no more than their balance, though each choice uses its cap.",
    needs: ["accounts"],
    async run(context) {
      const account = await openAccount(context, { credit: some });
      const rushed = await rush(context, times(many, askFor(account, { body: { max_tokens: 60, n: 3 } })));
      await expectWithin(context, account, always, rushed, some);
    },
  }),
  defineCase(group, {
    id: "overspend-processes",
    says: `${many} requests at once to two processes spend no more than the balance that they share.`,
    needs: ["accounts", "secondProcess"],
    async run(context) {
      const url = await context.can.secondProcess();
      const account = await openAccount(context, { credit: some });
      const rushed = await rush(context, times(many, askFor(account), askFor(account, { url })));
      await expectWithin(context, account, always, rushed, some);
    },
  }),
  defineCase(group, {
    id: "overspend-sequence",
    says: "Requests one after another are answered until the balance ends, which stays positive.",
    needs: ["accounts"],
    async run(context) {
      const account = await openAccount(context, { credit: some });
      const { prompt, deliveries } = context.provider.play({ tokens: usesItsCap });
      const ask = { ...askFor(account), prompt, body: { max_tokens: 100 } };
      for (let status = 200, asked = 0; status === 200; asked++) {
        requireTrue(asked < 50, "50 requests were answered with money for eight");
        ({ status } = await context.client.ask(ask));
      }
      const costs = deliveries.map(({ told = defaultTokens }) => costOf(model, told));
      const { posted } = await expectCharges(context, account, costs);
      requireTrue(posted >= 0n, `the balance is ${posted}`);
      requireTrue(posted < 3n * rushCost(model), `a request is refused while ${posted} is left`);
    },
  }),
  defineCase(group, {
    id: "overspend-empty",
    says: "An account without money is refused, and the provider is not asked.",
    needs: ["accounts"],
    async run(context) {
      const account = await openAccount(context, { credit: 0n });
      const { refused, deliveries } = await rush(context, times(20, askFor(account)));
      requireEqual([refused.length, deliveries.length], [20, 0], "refusals and requests to the provider");
      await expectCharges(context, account, []);
    },
  }),
  defineCase(group, {
    id: "overspend-returned",
    says: "What requests reserved and did not use can be spent by the next ones, to the last.",
    needs: ["accounts"],
    async run(context) {
      const account = await openAccount(context, { credit: some });
      const first = await rush(context, times(many, askFor(account)), { tokens: defaultTokens });
      const second = await rush(context, times(many, askFor(account)), { tokens: defaultTokens });
      requireTrue(second.answered.length > 0, "no request was answered after the first ones had ended");
      const count = first.answered.length + second.answered.length;
      await expectCharges(
        context,
        account,
        Array.from({ length: count }, () => costOf(model, defaultTokens)),
      );
    },
  }),
  defineCase(group, {
    id: "overspend-credits",
    says: "Credits that arrive while requests run are counted once each, and so is every charge.",
    needs: ["accounts"],
    async run(context) {
      const account = await openAccount(context, { credit: some });
      const credits = Array.from({ length: 10 }, (_, at) =>
        context.can.accounts.credit({ account: account.id, amount: some, id: `more-${at}-${account.id}` }),
      );
      const [rushed] = await Promise.all([rush(context, times(many, askFor(account))), ...credits]);
      const costs = rushed.deliveries.map(({ told = defaultTokens }) => costOf(model, told));
      const { credited, posted } = await expectCharges(context, account, costs);
      requireEqual(credited, 11n * some, "credited");
      requireTrue(posted >= 0n, `the balance is ${posted}`);
    },
  }),
  defineCase(group, {
    id: "overspend-credit-once",
    says: "A credit that is sent ten times at once with one id is counted once.",
    needs: ["accounts"],
    async run(context) {
      const { id } = await openAccount(context, { credit: 0n });
      const credit = { account: id, amount: plenty, id: `once-${id}` };
      await Promise.all(Array.from({ length: 10 }, () => context.can.accounts.credit(credit)));
      requireEqual((await readBooks(context.can.accounts, id)).posted, plenty, "the balance");
    },
  }),
];
