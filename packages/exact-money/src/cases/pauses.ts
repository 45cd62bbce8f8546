import { setTimeout as sleep } from "node:timers/promises";
import { expectChargedTimes, openAccount } from "../account.ts";
import { type AbleContext, type Case, defineCase } from "../case.ts";
import { costOf, models } from "../models.ts";
import { defaultTokens } from "../provider/script.ts";
import { expectRecovered, holdRequests, openStream } from "./held-requests.ts";
import { requireAnswered } from "./refusals.ts";

const group = "A process that stands still";
const needs = ["accounts", "pausing"] as const;

type WithPauses = AbleContext<(typeof needs)[number]>;

/** Longer than a reservation of the suite lasts without its process. */
const longerThanLeaseMs = 3_000;

async function standStill({ can }: WithPauses, during: () => Promise<void> = async () => undefined): Promise<void> {
  await can.pausing.pause();
  await Promise.all([sleep(longerThanLeaseMs), during()]);
  await can.pausing.resume();
}

const alone = (
  [
    ["stream", true, 1],
    ["json", false, "before headers"],
    ["end", true, "finish"],
  ] as const
).map(([name, stream, pauseAt]) =>
  defineCase(group, {
    id: `paused-${name}`,
    says: {
      stream: "A stream whose process stands still for longer than its reservation is charged exactly once.",
      json: "An answer whose process stands still for longer than its reservation is charged exactly once.",
      end: "A stream whose process stands still before it knows the usage is charged exactly once.",
    }[name],
    needs,
    async run(context) {
      const account = await openAccount(context);
      const held = await holdRequests(context, account, { ask: { stream }, pauseAt });
      await standStill(context);
      const [answer] = await held.end();
      if (answer !== undefined) requireAnswered(answer, "the answer");
      await expectChargedTimes(1, context, account, models.chat, held.deliveries);
    },
  }),
);

/** Whether a process that comes back after its reservations have ended loses or doubles a charge. */
export const pauseCases: readonly Case[] = [
  ...alone,
  defineCase(group, {
    id: "paused-while-provider-ends",
    says: "An answer that the provider ends while the process stands still is charged exactly once.",
    needs,
    async run(context) {
      const account = await openAccount(context);
      const held = await holdRequests(context, account);
      await standStill(context, async () => held.release());
      await held.end();
      await expectChargedTimes(1, context, account, models.chat, held.deliveries);
    },
  }),
  defineCase(group, {
    id: "paused-client-leaves",
    says: "A client that leaves while the process stands still is charged for what was delivered.",
    needs,
    async run(context) {
      const account = await openAccount(context);
      const stream = await openStream(context, account);
      await standStill(context, async () => stream.leave());
      await stream.untilLeft();
      await expectChargedTimes(1, context, account, models.chat, stream.deliveries);
    },
  }),
  defineCase(group, {
    id: "paused-money-spent",
    says: "When another process spends what a paused one had reserved, both are charged exactly what was delivered.",
    needs: [...needs, "secondProcess"],
    async run(context) {
      const url = await context.can.secondProcess();
      // Enough for what one of the two reserves, and for what the other one has used when it is paused.
      const account = await openAccount(context, { credit: 4n * costOf(models.chat, defaultTokens) + 200_000n });
      const cap = { max_tokens: defaultTokens.output };
      const held = await holdRequests(context, account, { ask: { stream: true, body: cap } });
      const second = context.provider.play();
      await standStill(context, () =>
        context.eventually(async () => {
          const asked = { secret: account.key.secret, model: models.chat.id, prompt: second.prompt, body: cap, url };
          requireAnswered(await context.client.ask(asked), "the other process");
        }),
      );
      await held.end();
      const deliveries = [...held.deliveries, ...second.deliveries];
      await expectChargedTimes(2, context, account, models.chat, deliveries);
    },
  }),
  defineCase(group, {
    id: "paused-then-killed",
    says: "A process that is killed while it stands still charges its streams at most once, and nothing stays reserved.",
    needs: [...needs, "killAndRestart"],
    async run(context) {
      const account = await openAccount(context);
      const held = await holdRequests(context, account, { count: 5 });
      await context.can.pausing.pause();
      await context.can.killAndRestart();
      await held.end();
      await expectRecovered(context, account, held);
    },
  }),
];
