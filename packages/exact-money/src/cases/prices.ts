import { expectCharges, openAccount } from "../account.ts";
import { type Case, defineCase } from "../case.ts";
import { requireEqual, requireTrue } from "../check.ts";
import type { Ability } from "../driver.ts";
import { costOf, models, type SuiteModel, type Tokens } from "../models.ts";
import type { Script } from "../provider/script.ts";

const group = "Prices by the length of the prompt and by request";

interface Row {
  readonly id: string;
  readonly says: string;
  readonly needs: readonly Ability[];
  readonly model: SuiteModel;
  readonly stream?: boolean;
  readonly tokens: Tokens;
}

const boundary = models.tiered.prices.tier.aboveInput;
const tiered = { model: models.tiered, needs: ["tiers"] } as const;

const rows: readonly Row[] = [
  {
    id: "tier-at",
    says: "A prompt of exactly the boundary costs the lower tier.",
    ...tiered,
    tokens: { input: boundary, output: 50 },
  },
  {
    id: "tier-above",
    says: "One token above the boundary, the whole request costs the higher tier, its output too.",
    ...tiered,
    tokens: { input: boundary + 1, output: 50 },
  },
  {
    id: "tier-stream",
    says: "A stream whose prompt is above the boundary costs the higher tier.",
    ...tiered,
    stream: true,
    tokens: { input: 2 * boundary, output: 50 },
  },
  {
    id: "tier-cached",
    says: "Cached tokens count for the boundary, and have the price of their tier.",
    model: models.tiered,
    needs: ["tiers", "cachePrices"],
    tokens: { input: boundary + 1, output: 50, cached: 900 },
  },
  {
    id: "request-price",
    says: "A request with a price of its own costs that and its tokens.",
    model: models.perRequest,
    needs: ["requestPrice"],
    tokens: { input: 20, output: 6 },
  },
];

/** The prompt is long enough that no gateway may reserve less than its tier. */
const longPrompt = (prompt: string): string => `${prompt} ${"a long prompt ".repeat(600)}`;

/** Whether the price list is applied as it is written. */
export const priceCases: readonly Case[] = [
  ...rows.map(({ id, says, needs, model, stream = false, tokens }) =>
    defineCase(group, {
      id: `price-${id}`,
      says,
      needs: ["accounts", ...needs],
      async run(context) {
        const account = await openAccount(context);
        const { prompt } = context.provider.play({ tokens });
        const ask = { secret: account.key.secret, model: model.id, prompt: longPrompt(prompt), stream };
        requireEqual((await context.client.ask(ask)).status, 200, "status");
        await expectCharges(context, account, [costOf(model, tokens)]);
      },
    }),
  ),
  defineCase(group, {
    id: "price-request-refused",
    says: "A request that the provider refuses costs nothing, also where each request has a price.",
    needs: ["accounts", "requestPrice"],
    async run(context) {
      const account = await openAccount(context);
      const script: Script = { refusal: { status: 400 } };
      const { prompt } = context.provider.play(script);
      const { status } = await context.client.ask({ secret: account.key.secret, model: models.perRequest.id, prompt });
      requireTrue(status >= 400, `the status is ${status}`);
      await expectCharges(context, account, []);
    },
  }),
];
