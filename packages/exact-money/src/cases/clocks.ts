import { setTimeout as sleep } from "node:timers/promises";
import { expectFairCharges, fairBounds, openAccount, readBooks, requireFair, type WithAccounts } from "../account.ts";
import { type Case, defineCase } from "../case.ts";
import { requireTrue } from "../check.ts";
import { costOf, models } from "../models.ts";
import { usesItsCap } from "../provider/script.ts";
import { expectRecovered, holdRequests } from "./held-requests.ts";
import { rushCap, rushCost } from "./rush.ts";

const group = "A clock that jumps";
const needs = ["accounts", "stepClock"] as const;
const hourMs = 3_600_000;

const inFlight = (
  [
    ["forward", hourMs],
    ["back", -hourMs],
  ] as const
).flatMap(([way, milliseconds]) =>
  [true, false].map((stream) =>
    defineCase(group, {
      id: `clock-${way}-${stream ? "stream" : "json"}`,
      says: `${stream ? "A stream" : "An answer"} during which the clock goes ${way} an hour is charged what the provider delivered, and never twice.`,
      needs,
      async run(context) {
        const account = await openAccount(context);
        const held = await holdRequests(context, account, { ask: { stream } });
        await context.can.stepClock(milliseconds);
        // A gateway whose time limits follow the clock would end the call now.
        await sleep(1_000);
        await held.end();
        await expectFairCharges(context, account, models.chat, held.deliveries);
      },
    }),
  ),
);

/** Sends requests one after another, and returns how many were answered. */
async function askTimes({ client }: WithAccounts, secret: string, prompt: string, times: number): Promise<number> {
  let answered = 0;
  for (let time = 0; time < times; time++) {
    const asked = { secret, model: models.chat.id, prompt, body: { max_tokens: rushCap } };
    if ((await client.ask(asked)).status === 200) answered += 1;
  }
  return answered;
}

/** Whether a clock that is set forward or back ends a reservation, a limit or a charge. */
export const clockCases: readonly Case[] = [
  ...inFlight,
  defineCase(group, {
    id: "clock-rush",
    says: "Parallel clients of one account stay within its balance while the clock jumps forward and back.",
    needs,
    async run(context) {
      const account = await openAccount(context, { credit: 8n * rushCost(models.chat) });
      const { prompt, deliveries } = context.provider.play({ tokens: usesItsCap });
      const clients = Array.from({ length: 10 }, () => askTimes(context, account.key.secret, prompt, 4));
      for (const days of [1, -2, 3, -2]) await context.can.stepClock(24 * days * hourMs);
      const answered = (await Promise.all(clients)).reduce((sum, each) => sum + each, 0);
      requireTrue(answered > 0, "no request was answered");
      const bounds = () => deliveries.map((each) => fairBounds(models.chat, each));
      await context.eventually(async () => {
        const { charges, posted } = await readBooks(context.can.accounts, account.id);
        requireFair(charges, bounds());
        requireTrue(posted >= 0n, `the balance is ${posted}`);
      });
    },
  }),
  defineCase(group, {
    id: "clock-total-limit",
    says: "A limit in total is not refilled by a clock that jumps a year forward and back.",
    needs: [...needs, "keyLimits"],
    async run(context) {
      const account = await openAccount(context, { spend: 2n * rushCost(models.chat) });
      const { prompt, deliveries } = context.provider.play({ tokens: usesItsCap });
      for (const days of [365, -730, 365]) {
        await askTimes(context, account.key.secret, prompt, 2);
        await context.can.stepClock(24 * days * hourMs);
      }
      const { charges } = await expectFairCharges(context, account, models.chat, deliveries);
      const cost = costOf(models.chat, { input: 0, output: rushCap });
      const spent = charges.reduce((sum, each) => sum + each, 0n);
      requireTrue(spent >= cost && spent <= 2n * rushCost(models.chat), `${spent} nano-units were spent`);
    },
  }),
  defineCase(group, {
    id: "clock-after-kill",
    says: "What a killed process had reserved is free again when the clock has jumped forward an hour after it.",
    needs: [...needs, "killAndRestart"],
    async run(context) {
      const account = await openAccount(context);
      const held = await holdRequests(context, account, { count: 3 });
      await context.can.killAndRestart();
      await context.can.stepClock(hourMs);
      await held.end();
      await expectRecovered(context, account, held);
    },
  }),
];
