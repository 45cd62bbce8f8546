import { expectCharges, openAccount } from "../account.ts";
import { type Case, defineCase } from "../case.ts";
import { requireTrue } from "../check.ts";
import { bodyOf } from "../client/client.ts";
import { costOf, models, type SuiteModel } from "../models.ts";
import { defaultTokens, usesItsCap } from "../provider/script.ts";

const group = "Output caps, however they are spelled";
const model: SuiteModel = models.chat;
/** Money for 400 output tokens and the prompt, and not for the 4,000 that the model may have. */
const little = costOf(model, { input: 300, output: 400 });

/** A spelling: the name of its case, what is spelled, and the members of the body as text. */
type Spelling = readonly [id: string, what: string, members: string];

const spellings: readonly Spelling[] = [
  ["none", "no cap at all", `"temperature":1`],
  ["max-tokens", "max_tokens above all means", `"max_tokens":100000`],
  ["max-completion-tokens", "max_completion_tokens above all means", `"max_completion_tokens":100000`],
  [
    "lower-first",
    "a small max_tokens and a large max_completion_tokens",
    `"max_tokens":10,"max_completion_tokens":100000`,
  ],
  [
    "lower-last",
    "a large max_tokens and a small max_completion_tokens",
    `"max_tokens":100000,"max_completion_tokens":10`,
  ],
  ["null", "null", `"max_tokens":null`],
  ["zero", "zero", `"max_tokens":0`],
  ["negative", "a negative number", `"max_tokens":-1`],
  ["fraction", "a fraction", `"max_tokens":3999.5`],
  ["exponent", "a number with an exponent", `"max_tokens":1e5`],
  ["infinite", "a number beyond all numbers", `"max_tokens":1e999`],
  ["text", "a text of digits", `"max_tokens":"4000"`],
  ["list", "a list", `"max_tokens":[4000]`],
  ["twice", "the member twice, the second time without bound", `"max_tokens":10,"max_tokens":4000`],
  ["escaped", "the member again with an escape in its name", `"max_tokens":10,"max_\\u0074okens":4000`],
  ["foreign", "the member of another API", `"max_tokens":10,"max_output_tokens":4000`],
  ["choices", "40 choices", `"max_tokens":100,"n":40`],
  ["choices-text", "40 choices as a text", `"max_tokens":100,"n":"40"`],
  ["choices-twice", "the number of choices twice", `"max_tokens":100,"n":1,"n":40`],
];

/** Whether a spelling makes a gateway reserve less than the provider then bills. */
export const capCases: readonly Case[] = spellings.map(([id, what, members]) =>
  defineCase(group, {
    id: `cap-${id}`,
    says: `A request with ${what} is refused, or spends no more than the balance and is charged what the provider bills.`,
    needs: ["accounts"],
    async run(context) {
      const account = await openAccount(context, { credit: little });
      const { prompt, deliveries } = context.provider.play({ tokens: usesItsCap });
      const plain = JSON.stringify(bodyOf({ model: model.id, prompt }));
      const text = `${plain.slice(0, -1)},${members}}`;
      const { status } = await context.client.ask({ secret: account.key.secret, model: model.id, prompt, text });
      const isRefused = status >= 400 && status < 500;
      requireTrue(isRefused || status === 200, `the status is ${status}`);
      requireTrue(!isRefused || deliveries.length === 0, "the provider was asked for a request that was refused");
      const { posted } = await expectCharges(
        context,
        account,
        deliveries.map(({ told = defaultTokens }) => costOf(model, told)),
      );
      requireTrue(
        posted >= 0n,
        `the balance is ${posted}, after the provider was asked for ${JSON.stringify(deliveries[0]?.body)}`,
      );
    },
  }),
);
