import { expectCharges, openAccount } from "../account.ts";
import { type Case, defineCase } from "../case.ts";
import { type Api, costOf, models, type Tokens } from "../models.ts";
import type { Script } from "../provider/script.ts";
import { askOnce, type Form, usageGroup as group, needsOf, plain, raw, withCachePrices } from "./usage-forms.ts";

/** A usage that is charged to the nano-unit. */
interface ExactRow {
  readonly id: string;
  readonly says: string;
  readonly form?: Partial<Form>;
  readonly script: Script;
  /** What is charged. Absent: the tokens of the script. */
  readonly charged?: Tokens;
}

const cached: Tokens = { input: 500, output: 6, cached: 300 };
const written: Tokens = { input: 500, output: 6, cacheWrite: 200 };
const both: Tokens = { input: 500, output: 6, cached: 250, cacheWrite: 200 };
const reasoned: Tokens = { input: 20, output: 60, reasoning: 50 };

const inApi = (api: Exclude<Api, "chat" | "embeddings">, stream: boolean): Partial<Form> => ({
  model: models[api],
  stream,
  needs: [api, "cachePrices"],
});

const exactRows: readonly ExactRow[] = [
  { id: "json", says: "An answer in one piece is charged its usage.", script: { tokens: plain } },
  { id: "stream", says: "A stream is charged its usage.", form: { stream: true }, script: { tokens: plain } },
  {
    id: "unasked",
    says: "A stream is charged its usage although the client does not ask for it.",
    form: { stream: true, body: { stream_options: undefined } },
    script: { tokens: plain },
  },
  {
    id: "hidden",
    says: "A stream is charged its usage although the client asks to leave it out.",
    form: { stream: true, body: { stream_options: { include_usage: false } } },
    script: { tokens: plain },
  },
  {
    id: "no-output",
    says: "An answer without output is charged its prompt.",
    script: { tokens: { input: 300, output: 0 } },
  },
  {
    id: "above-cap",
    says: "A usage above the client's cap is charged as it was told, since the provider bills it.",
    form: { body: { max_tokens: 100 } },
    script: { tokens: { input: 300, output: 250 } },
  },
  {
    id: "text",
    says: "Counts that are written as texts are charged.",
    script: raw({ prompt_tokens: "300", completion_tokens: "60", total_tokens: "360" }),
    charged: plain,
  },
  {
    id: "null-details",
    says: "A usage whose details are null is charged.",
    script: raw({
      prompt_tokens: 300,
      completion_tokens: 60,
      total_tokens: 360,
      prompt_tokens_details: null,
      completion_tokens_details: null,
    }),
    charged: plain,
  },
  {
    id: "cached",
    says: "Cached tokens are charged at their price.",
    form: withCachePrices,
    script: { tokens: cached },
  },
  {
    id: "cached-stream",
    says: "Cached tokens of a stream are charged at their price.",
    form: { ...withCachePrices, stream: true },
    script: { tokens: cached },
  },
  {
    id: "cache-write",
    says: "Cache writes are charged at their price.",
    form: withCachePrices,
    script: { tokens: written },
  },
  {
    id: "cache-both",
    says: "Cached tokens and cache writes of one request are charged apart.",
    form: withCachePrices,
    script: { tokens: both },
  },
  {
    id: "cached-unpriced",
    says: "Cached tokens without a price of their own cost as the prompt.",
    script: { tokens: cached },
  },
  {
    id: "reasoning",
    says: "Reasoning tokens within the completion are charged once.",
    form: { model: models.thinker },
    script: { tokens: reasoned },
  },
  {
    id: "reasoning-stream",
    says: "Reasoning tokens within the completion of a stream are charged once.",
    form: { model: models.thinker, stream: true },
    script: { tokens: reasoned },
  },
  {
    id: "reasoning-beside",
    says: "Reasoning tokens that the total shows to be beside the completion are charged.",
    form: { model: models.thinker },
    script: raw({
      prompt_tokens: 20,
      completion_tokens: 10,
      total_tokens: 80,
      completion_tokens_details: { reasoning_tokens: 50 },
    }),
    charged: reasoned,
  },
  {
    id: "with-finish",
    says: "A usage in the frame that ends the content is charged.",
    form: { stream: true },
    script: { tokens: plain, usageAt: "with finish" },
  },
  {
    id: "every-piece",
    says: "A usage that grows with each frame is charged as it is at the end, not as the sum.",
    form: { stream: true },
    script: { tokens: plain, usageAt: "every piece" },
  },
  {
    id: "twice",
    says: "A usage that is told twice is charged once.",
    form: { stream: true },
    script: { tokens: plain, usageAt: "twice" },
  },
  {
    id: "messages",
    says: "An answer of the Messages API is charged, with its cache.",
    form: inApi("messages", false),
    script: { tokens: both },
  },
  {
    id: "messages-stream",
    says: "A stream of the Messages API is charged, with its cache.",
    form: inApi("messages", true),
    script: { tokens: both },
  },
  {
    id: "responses",
    says: "An answer of the Responses API is charged, with its cache.",
    form: inApi("responses", false),
    script: { tokens: cached },
  },
  {
    id: "responses-stream",
    says: "A stream of the Responses API is charged, with its cache.",
    form: inApi("responses", true),
    script: { tokens: cached },
  },
  {
    id: "embeddings",
    says: "Embeddings are charged their prompt.",
    form: { model: models.embeddings, needs: ["embeddings"] },
    script: { tokens: { input: 40, output: 0 } },
  },
];

/** Whether the ledger has what the provider bills, in whatever form it tells its usage. */
export const usageCases: readonly Case[] = [
  ...exactRows.map(({ id, says, form, script, charged }) =>
    defineCase(group, {
      id: `usage-${id}`,
      says,
      needs: needsOf(form),
      async run(context) {
        const { account, model, deliveries } = await askOnce(context, form, script);
        const told = charged ?? deliveries[0]?.told;
        if (told === undefined) throw new Error("The provider told no usage.");
        await expectCharges(context, account, [costOf(model, told)]);
      },
    }),
  ),
  defineCase(group, {
    id: "usage-drift",
    says: "200 requests of a few nano-units each cost exactly 200 times as much as one.",
    needs: ["accounts"],
    async run(context) {
      const account = await openAccount(context);
      const tokens: Tokens = { input: 1, output: 1 };
      const { prompt } = context.provider.play({ tokens });
      const ask = { secret: account.key.secret, model: models.cheap.id, prompt };
      for (let round = 0; round < 10; round++)
        await Promise.all(Array.from({ length: 20 }, () => context.client.ask(ask)));
      await expectCharges(
        context,
        account,
        Array.from({ length: 200 }, () => costOf(models.cheap, tokens)),
      );
    },
  }),
];
