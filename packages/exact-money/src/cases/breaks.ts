import { expectCharges, expectFairCharges, openAccount } from "../account.ts";
import { type Case, defineCase } from "../case.ts";
import { requireEqual, requireTrue } from "../check.ts";
import type { Ability } from "../driver.ts";
import { costOf, models, type SuiteModel } from "../models.ts";
import { defaultTokens, piecesOf, type Script } from "../provider/script.ts";

const group = "Providers that fail";

interface Row {
  readonly id: string;
  readonly says: string;
  readonly stream?: boolean;
  readonly script: Script;
}

/** Nothing that a client can use has come. */
const free: readonly Row[] = [
  { id: "status-500", says: "answers 500", script: { refusal: { status: 500 } } },
  { id: "status-429", says: "answers 429", stream: true, script: { refusal: { status: 429 } } },
  { id: "status-400", says: "answers 400", script: { refusal: { status: 400 } } },
  {
    id: "before-headers",
    says: "breaks the connection before the headers",
    stream: true,
    script: { cutAt: "before headers" },
  },
  { id: "json-half", says: "breaks the connection within an answer in one piece", script: { cutAt: "half" } },
];

interface PartRow extends Row {
  readonly model?: SuiteModel;
  readonly needs?: readonly Ability[];
}

/** A part has come. */
const parts: readonly PartRow[] = [
  { id: "frame-1", says: "after frame 1", script: { cutAt: 1 } },
  { id: "frame-4", says: "after frame 4", script: { cutAt: 4 } },
  { id: "finish", says: "after the last content, before the usage", script: { cutAt: "finish" } },
  { id: "usage", says: "after the usage, before the end", script: { cutAt: "usage" } },
  {
    id: "messages",
    says: "after frame 3 of a Messages stream",
    model: models.messages,
    needs: ["messages"],
    script: { cutAt: 3 },
  },
];

/** Whether a provider that fails costs the client more than it got. */
export const breakCases: readonly Case[] = [
  ...free.map(({ id, says, stream = false, script }) =>
    defineCase(group, {
      id: `break-${id}`,
      says: `A request whose provider ${says} is an error and costs nothing.`,
      needs: ["accounts"],
      async run(context) {
        const account = await openAccount(context);
        const { prompt } = context.provider.play(script);
        const answer = await context.client.ask({ secret: account.key.secret, model: models.chat.id, prompt, stream });
        requireTrue(
          answer.status >= 400 || !answer.isWhole,
          `the answer has the status ${answer.status} and looks whole`,
        );
        await expectCharges(context, account, []);
      },
    }),
  ),
  ...parts.map(({ id, says, script, model = models.chat, needs = [] }) =>
    defineCase(group, {
      id: `break-${id}`,
      says: `A stream that its provider breaks off ${says} costs at most what was delivered.`,
      needs: ["accounts", ...needs],
      async run(context) {
        const account = await openAccount(context);
        const { prompt, deliveries } = context.provider.play({ pieces: piecesOf(5), ...script });
        const { status } = await context.client.ask({
          secret: account.key.secret,
          model: model.id,
          api: model.api,
          prompt,
          stream: true,
        });
        requireEqual(status, 200, "status");
        await expectFairCharges(context, account, model, deliveries);
      },
    }),
  ),
  defineCase(group, {
    id: "break-then-answer",
    says: "A request that the gateway repeats after a failure of the provider is charged once.",
    needs: ["accounts"],
    async run(context) {
      const account = await openAccount(context);
      const { prompt, deliveries } = context.provider.play({ refusal: { status: 503, times: 1 } });
      const ask = { secret: account.key.secret, model: models.chat.id, prompt };
      const first = await context.client.ask(ask);
      // A gateway that repeats nothing leaves it to the client.
      if (first.status !== 200)
        requireEqual((await context.client.ask(ask)).status, 200, "status of the second request");
      requireEqual(deliveries.length, 2, "requests to the provider");
      await expectCharges(context, account, [costOf(models.chat, defaultTokens)]);
    },
  }),
];
