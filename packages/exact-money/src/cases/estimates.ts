import { readBooks, requireFair } from "../account.ts";
import { type Case, defineCase } from "../case.ts";
import type { Bounds } from "../check.ts";
import { costOf, type SuiteModel } from "../models.ts";
import { type Delivery, defaultPieces, type Script } from "../provider/script.ts";
import { askOnce, type Form, usageGroup as group, needsOf, plain, raw, withCachePrices } from "./usage-forms.ts";

/** A usage that cannot be charged as it is, and the bounds of a fair estimate. */
interface EstimatedRow {
  readonly id: string;
  readonly says: string;
  readonly form?: Partial<Form>;
  readonly script: Script;
  readonly bounds: (model: SuiteModel, delivery: Delivery) => Bounds;
}

const content = Buffer.byteLength(defaultPieces.join(""));

/** At least a token for 20 bytes of content and one of the prompt; at most one for each byte. */
const estimate = (model: SuiteModel, { bytes }: Delivery): Bounds => ({
  least: costOf(model, { input: 1, output: content / 20 }),
  most: costOf(model, { input: bytes, output: content }),
});

/** At least an estimate, and at most ten times what the request could have cost. */
const tenfold = (model: SuiteModel, delivery: Delivery): Bounds => ({
  least: estimate(model, delivery).least,
  most: 10n * costOf(model, { input: delivery.bytes, output: 100 }),
});

/** From all cached to nothing cached. */
const someCached = (model: SuiteModel): Bounds => ({
  least: costOf(model, { input: 500, cached: 500, output: 6 }),
  most: costOf(model, { input: 500, output: 6 }),
});

const capped = { body: { max_tokens: 100 } } as const;

const estimatedRows: readonly EstimatedRow[] = [
  {
    id: "absent",
    says: "An answer without usage is charged an estimate.",
    script: { usage: "absent" },
    bounds: estimate,
  },
  {
    id: "absent-stream",
    says: "A stream without usage is charged an estimate.",
    form: { stream: true },
    script: { usage: "absent" },
    bounds: estimate,
  },
  { id: "null", says: "An answer whose usage is null is charged an estimate.", script: raw(null), bounds: estimate },
  {
    id: "empty",
    says: "An answer whose usage has no counts is charged an estimate.",
    script: raw({}),
    bounds: estimate,
  },
  {
    id: "no-object",
    says: "An answer whose usage is a text is charged an estimate.",
    script: raw("many"),
    bounds: estimate,
  },
  {
    id: "half",
    says: "A usage without the completion is charged its prompt and an estimate.",
    script: raw({ prompt_tokens: 300 }),
    bounds: (model) => ({
      least: costOf(model, { input: 300, output: content / 20 }),
      most: costOf(model, { input: 300, output: content }),
    }),
  },
  {
    id: "negative",
    says: "Negative counts are no credit: an estimate is charged.",
    script: raw({ prompt_tokens: -300, completion_tokens: -60, total_tokens: -360 }),
    bounds: estimate,
  },
  {
    id: "fraction",
    says: "Fractions of tokens are no usage: an estimate is charged.",
    script: raw({ prompt_tokens: 300.5, completion_tokens: 60.5, total_tokens: 361 }),
    bounds: estimate,
  },
  {
    id: "absurd",
    says: "A usage of a million million tokens does not empty the account.",
    form: capped,
    script: raw({ prompt_tokens: 1e12, completion_tokens: 1e12, total_tokens: 2e12 }),
    bounds: tenfold,
  },
  {
    id: "absurd-stream",
    says: "A usage of a stream of a thousand million tokens does not empty the account.",
    form: { ...capped, stream: true },
    script: raw({ prompt_tokens: 10, completion_tokens: 1_000_000_000, total_tokens: 1_000_000_010 }),
    bounds: tenfold,
  },
  {
    id: "cached-above",
    says: "More cached tokens than the prompt has make no answer cheaper than one that is all cached.",
    form: withCachePrices,
    script: raw({
      prompt_tokens: 500,
      completion_tokens: 6,
      total_tokens: 506,
      prompt_tokens_details: { cached_tokens: 900 },
    }),
    bounds: someCached,
  },
  {
    id: "cached-negative",
    says: "A negative number of cached tokens makes no answer dearer than one without a cache.",
    form: withCachePrices,
    script: raw({
      prompt_tokens: 500,
      completion_tokens: 6,
      total_tokens: 506,
      prompt_tokens_details: { cached_tokens: -300 },
    }),
    bounds: someCached,
  },
  {
    id: "first",
    says: "A usage that comes before the content is charged, with an estimate of what follows.",
    form: { stream: true },
    script: { tokens: plain, usageAt: "first" },
    bounds: (model) => ({
      least: costOf(model, plain),
      most: costOf(model, { ...plain, output: plain.output + content }),
    }),
  },
  {
    id: "late",
    says: "A stream whose usage comes after its end is charged once, its usage or an estimate.",
    form: { stream: true },
    script: { tokens: plain, usageAt: "after done" },
    bounds: (model, delivery) => ({
      least: estimate(model, delivery).least,
      most: costOf(model, { ...plain, input: 500 }),
    }),
  },
];

/** Whether a usage that is absent, or that cannot be true, is charged a fair estimate. */
export const estimateCases: readonly Case[] = estimatedRows.map(({ id, says, form, script, bounds }) =>
  defineCase(group, {
    id: `usage-${id}`,
    says,
    needs: needsOf(form),
    async run(context) {
      const { account, model, deliveries } = await askOnce(context, form, script);
      await context.eventually(async () => {
        const { charges } = await readBooks(context.can.accounts, account.id);
        requireFair(
          charges,
          deliveries.map((delivery) => bounds(model, delivery)),
        );
      });
    },
  }),
);
