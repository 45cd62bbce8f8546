import {
  type Account,
  expectChargedTimes,
  expectFairCharges,
  openAccount,
  readBooks,
  type WithAccounts,
} from "../account.ts";
import { type Case, defineCase } from "../case.ts";
import { requireEqual, requireTrue } from "../check.ts";
import type { Answer } from "../client/client.ts";
import { type Api, costOf, models } from "../models.ts";
import type { Played } from "../provider/provider.ts";
import { cappedAt, requireAnswered, requireRefused } from "./refusals.ts";

const group = "Another API as a way around";

const others = ["messages", "responses", "embeddings"] as const;
const speaking = ["chat", "messages", "responses"] as const;

/** The abilities for requests in APIs. */
const needsOf = (...wanted: readonly Api[]): readonly ("accounts" | Exclude<Api, "chat">)[] => [
  "accounts",
  ...others.filter((api) => wanted.includes(api)),
];

/** What a capped request costs, and a prompt of which no API affords the hold with what is left of {@link enoughForOne}. */
const tokens = { input: 20, output: 100 };
const cost = costOf(models.chat, tokens);
const enoughForOne = cost + 800_000n;
const padding = "long ".repeat(600);

function ask({ client }: WithAccounts, { key }: Account, api: Api, { prompt }: Played, more = ""): Promise<Answer> {
  const model = models[api].id;
  return client.ask({ api, secret: key.secret, model, prompt: prompt + more, body: cappedAt(api, tokens.output) });
}

const empty = others.map((api) =>
  defineCase(group, {
    id: `empty-${api}`,
    says: `An account without money is refused in the API ${api}, and the provider is not asked.`,
    needs: needsOf(api),
    async run(context) {
      const account = await openAccount(context, { credit: 0n });
      const played = context.provider.play({ tokens });
      requireRefused(await ask(context, account, api, played), played, api);
    },
  }),
);

const shared = others.map((api) =>
  defineCase(group, {
    id: `spent-in-chat-${api}`,
    says: `What an account has spent in chat completions cannot be spent again in ${api}.`,
    needs: needsOf(api),
    async run(context) {
      const account = await openAccount(context, { credit: enoughForOne });
      const [first, second] = [context.provider.play({ tokens }), context.provider.play({ tokens })];
      requireAnswered(await ask(context, account, "chat", first), "chat");
      await expectFairCharges(context, account, models.chat, first.deliveries);
      requireRefused(await ask(context, account, api, second, padding), second, api);
    },
  }),
);

const limited = (["messages", "embeddings"] as const).map((api) =>
  defineCase(group, {
    id: `key-limit-${api}`,
    says: `The spend limit of a key counts chat completions and ${api} together.`,
    needs: [...needsOf(api), "keyLimits" as const],
    async run(context) {
      const account = await openAccount(context, { spend: enoughForOne });
      const [first, second] = [context.provider.play({ tokens }), context.provider.play({ tokens })];
      requireAnswered(await ask(context, account, "chat", first), "chat");
      await expectFairCharges(context, account, models.chat, first.deliveries);
      requireRefused(await ask(context, account, api, second, padding), second, api);
    },
  }),
);

const pairs = speaking.flatMap((api) =>
  speaking.filter((other) => other !== api).map((other) => [api, other] as const),
);

const crossed = pairs.map(([api, other]) =>
  defineCase(group, {
    id: `${api}-to-${other}`,
    says: `A request in ${api} for a model whose provider speaks ${other} costs the usage that the provider tells.`,
    needs: needsOf(api, other),
    async run(context) {
      const account = await openAccount(context);
      const { prompt, deliveries } = context.provider.play({ tokens: { input: 33, output: 7 } });
      const asked = { api, secret: account.key.secret, model: models[other].id, prompt };
      for (const stream of [false, true])
        requireAnswered(await context.client.ask({ ...asked, stream }), `stream ${stream}`);
      await expectChargedTimes(2, context, account, models[other], deliveries);
    },
  }),
);

async function rush(context: WithAccounts, urls: readonly (string | undefined)[]): Promise<void> {
  const account = await openAccount(context, { credit: 8n * enoughForOne });
  const played = context.provider.play({ tokens });
  const answers = await Promise.all(
    Array.from({ length: 36 }, (_, at) => {
      const api = speaking[at % speaking.length] ?? "chat";
      const url = urls[at % urls.length];
      const asked = { api, secret: account.key.secret, model: models[api].id, prompt: played.prompt };
      return context.client.ask({
        ...asked,
        body: cappedAt(api, tokens.output),
        ...(url === undefined ? {} : { url }),
      });
    }),
  );
  // The three models have the same prices.
  const { posted } = await expectFairCharges(context, account, models.chat, played.deliveries);
  requireTrue(posted >= 0n, `the balance is ${posted}`);
  const answered = answers.filter(({ status }) => status === 200).length;
  requireTrue(answered > 0 && answered < answers.length, `${answered} of ${answers.length} were answered`);
  requireEqual(played.deliveries.length, answered, "requests to the provider");
}

const together: readonly Case[] = [
  defineCase(group, {
    id: "apis-in-parallel",
    says: "Parallel requests in three APIs never spend more than the account has.",
    needs: needsOf("messages", "responses"),
    run: (context) => rush(context, [undefined]),
  }),
  defineCase(group, {
    id: "apis-in-two-processes",
    says: "Parallel requests in three APIs to two processes never spend more than the account has.",
    needs: [...needsOf("messages", "responses"), "secondProcess"],
    run: async (context) => rush(context, [undefined, await context.can.secondProcess()]),
  }),
  defineCase(group, {
    id: "request-id-repeated",
    says: "Requests that repeat the id of an earlier one are charged each time.",
    needs: ["accounts"],
    async run(context) {
      const account = await openAccount(context);
      const { prompt, deliveries } = context.provider.play();
      const headers = { "x-request-id": "the-same-id", "idempotency-key": "the-same-id" };
      const asked = { secret: account.key.secret, model: models.chat.id, prompt, headers };
      for (let time = 0; time < 4; time++) requireAnswered(await context.client.ask(asked), "request");
      const { charges } = await expectFairCharges(context, account, models.chat, deliveries);
      requireEqual(charges.length, deliveries.length, "charges, one for each request to the provider");
    },
  }),
  defineCase(group, {
    id: "request-id-in-two-apis",
    says: "Requests in two APIs with the same id are two charges.",
    needs: needsOf("messages"),
    async run(context) {
      const account = await openAccount(context);
      const { prompt, deliveries } = context.provider.play();
      const headers = { "x-request-id": "one-id-for-two", "idempotency-key": "one-id-for-two" };
      const asked = { secret: account.key.secret, model: models.chat.id, prompt, headers };
      await Promise.all((["chat", "messages"] as const).map((api) => context.client.ask({ ...asked, api })));
      await expectChargedTimes(2, context, account, models.chat, deliveries);
    },
  }),
];

const mistaken = (
  [
    ["chat", "embeddings"],
    ["embeddings", "chat"],
  ] as const
).map(([api, kind]) =>
  defineCase(group, {
    id: `${kind}-model-in-${api}`,
    says: `A model for ${kind} is not served in the API ${api} without a charge.`,
    needs: needsOf("embeddings"),
    async run(context) {
      const account = await openAccount(context);
      const played = context.provider.play({ tokens });
      const { prompt, deliveries } = played;
      const answer = await context.client.ask({ api, secret: account.key.secret, model: models[kind].id, prompt });
      if (answer.status !== 200) return requireRefused(answer, played, api);
      const { charges } = await readBooks(context.can.accounts, account.id);
      requireEqual(charges.length, deliveries.length, "charges");
    },
  }),
);

/** Whether an API is a way around the balance that another one is charged to. */
export const otherApiCases: readonly Case[] = [...empty, ...shared, ...limited, ...crossed, ...together, ...mistaken];
