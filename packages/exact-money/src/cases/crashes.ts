import {
  type Account,
  expectCharges,
  killedBounds,
  openAccount,
  plenty,
  readBooks,
  requireFair,
  type WithAccounts,
} from "../account.ts";
import { type AbleContext, type Case, defineCase } from "../case.ts";
import { requireEqual, requireTrue } from "../check.ts";
import { costOf, models } from "../models.ts";
import { type Delivery, defaultTokens, type Moment, usesItsCap } from "../provider/script.ts";
import { rushCap, rushCost } from "./rush.ts";

const group = "kill -9";

type Killable = AbleContext<"accounts" | "killAndRestart">;

const usual = costOf(models.chat, defaultTokens);

const askWith = ({ key }: Account) => ({ secret: key.secret, model: models.chat.id, body: { max_tokens: rushCap } });

/** Starts requests that the provider holds at a moment. Resolves when each has come there. */
async function heldRequests(context: WithAccounts, account: Account, count: number, stream: boolean, pauseAt: Moment) {
  const { prompt, deliveries, release } = context.provider.play({ pauseAt, tokens: usesItsCap });
  const ask = { ...askWith(account), prompt, stream };
  const answers = Array.from({ length: count }, () => context.client.ask(ask));
  const waiting = () => deliveries.filter((delivery) => delivery.waiting).length;
  await context.until(
    () => waiting() === count,
    () => `${waiting()} of ${count} requests have reached the provider`,
  );
  return { deliveries, release, answers: Promise.all(answers) };
}

/** Waits until the leases of the killed process have ended, and compares the ledger with what was delivered. */
const expectRecovered = ({ can, eventually }: WithAccounts, { id }: Account, deliveries: readonly Delivery[]) =>
  eventually(async () => {
    const { charges, posted } = await readBooks(can.accounts, id);
    requireFair(
      charges,
      deliveries.map((delivery) => killedBounds(models.chat, delivery)),
    );
    requireTrue(posted >= 0n, `the balance is ${posted}`);
  });

/** Sends a request to the gateway that was started again. */
async function askAfterwards({ client, provider }: WithAccounts, account: Account): Promise<readonly Delivery[]> {
  const { prompt, deliveries } = provider.play();
  const { status } = await client.ask({ ...askWith(account), prompt });
  requireEqual(status, 200, "status of a request afterwards");
  return deliveries;
}

async function killWhileRunning(context: Killable, stream: boolean): Promise<void> {
  const account = await openAccount(context, { credit: 5n * plenty });
  const { deliveries, release, answers } = await heldRequests(
    context,
    account,
    200,
    stream,
    stream ? 2 : "before headers",
  );
  await context.can.killAndRestart();
  release();
  await answers;
  const after = await askAfterwards(context, account);
  await expectRecovered(context, account, [...deliveries, ...after]);
}

async function killAfterAnswers(context: Killable, stream: boolean): Promise<void> {
  const account = await openAccount(context);
  const { prompt } = context.provider.play();
  const ask = { ...askWith(account), prompt, stream };
  const answers = await Promise.all(Array.from({ length: 20 }, () => context.client.ask(ask)));
  await context.can.killAndRestart();
  requireTrue(
    answers.every(({ isWhole, status }) => isWhole && status === 200),
    "a request was not answered",
  );
  await expectCharges(
    context,
    account,
    Array.from({ length: 20 }, () => usual),
  );
}

/** Whether a crash of the process loses or doubles money. */
export const crashCases: readonly Case[] = [
  ...[false, true].flatMap((stream) => [
    defineCase(group, {
      id: stream ? "kill-streams" : "kill-requests",
      says: `Killed while 200 ${stream ? "streams" : "requests"} run, it charges each at most once and at most what was delivered, and frees what they held.`,
      needs: ["accounts", "killAndRestart"],
      run: (context) => killWhileRunning(context, stream),
    }),
    defineCase(group, {
      id: stream ? "kill-after-streams" : "kill-after-answers",
      says: `Killed right after 20 ${stream ? "streams" : "requests"} have been answered, it has charged each exactly once.`,
      needs: ["accounts", "killAndRestart"],
      run: (context) => killAfterAnswers(context, stream),
    }),
  ]),
  defineCase(group, {
    id: "kill-after-credit",
    says: "Killed right after a credit and a key were acknowledged, it has both, and the credit once also when it is repeated.",
    needs: ["accounts", "killAndRestart"],
    async run(context) {
      const account = await openAccount(context);
      await context.can.killAndRestart();
      await context.can.accounts.credit({ account: account.id, amount: plenty, id: `first-${account.id}` });
      requireEqual((await readBooks(context.can.accounts, account.id)).posted, plenty, "the balance");
      await askAfterwards(context, account);
    },
  }),
  defineCase(group, {
    id: "kill-during-credits",
    says: "Killed while 40 credits arrive, it has each that was acknowledged, and each once after the others were repeated.",
    needs: ["accounts", "killAndRestart"],
    async run({ can }) {
      const id = `account-${crypto.randomUUID()}`;
      const credits = Array.from({ length: 40 }, (_, at) => ({
        account: id,
        amount: BigInt(at + 1),
        id: `${at}-${id}`,
      }));
      const lost = new Set(credits);
      const sent = credits.map(async (credit) => {
        await can.accounts.credit(credit);
        lost.delete(credit);
      });
      const settled = Promise.allSettled(sent);
      await sent[0];
      await can.killAndRestart();
      await settled;
      await Promise.all([...lost].map((credit) => can.accounts.credit(credit)));
      requireEqual((await readBooks(can.accounts, id)).posted, 820n, "the balance");
    },
  }),
  defineCase(group, {
    id: "kill-overspend",
    says: "What a killed process held cannot be spent a second time: all charges before and after stay within the balance.",
    needs: ["accounts", "killAndRestart"],
    async run(context) {
      const account = await openAccount(context, { credit: 8n * rushCost(models.chat) });
      const held = await heldRequests(context, account, 5, true, 2);
      await context.can.killAndRestart();
      const after = context.provider.play({ tokens: usesItsCap });
      const ask = { ...askWith(account), prompt: after.prompt };
      await Promise.all(Array.from({ length: 30 }, () => context.client.ask(ask)));
      held.release();
      await held.answers;
      await expectRecovered(context, account, [...held.deliveries, ...after.deliveries]);
    },
  }),
  defineCase(group, {
    id: "kill-thrice",
    says: "Killed three times in a row while streams run, it still charges each at most once and frees what they held.",
    needs: ["accounts", "killAndRestart"],
    async run(context) {
      const account = await openAccount(context);
      const deliveries: Delivery[] = [];
      for (let round = 0; round < 3; round++) {
        const held = await heldRequests(context, account, 10, true, 2);
        deliveries.push(...held.deliveries);
        await context.can.killAndRestart();
        held.release();
        await held.answers;
      }
      deliveries.push(...(await askAfterwards(context, account)));
      await expectRecovered(context, account, deliveries);
    },
  }),
  defineCase(group, {
    id: "kill-neighbour",
    says: "When one of two processes is killed, the streams of the other one are answered and charged exactly.",
    needs: ["accounts", "killAndRestart", "secondProcess"],
    async run(context) {
      const url = await context.can.secondProcess();
      const account = await openAccount(context, { credit: 5n * plenty });
      const { prompt, deliveries, release } = context.provider.play({ pauseAt: 2 });
      const ask = { ...askWith(account), prompt, stream: true, url };
      const answers = Array.from({ length: 10 }, () => context.client.ask(ask));
      await context.until(
        () => deliveries.length === 10,
        () => `${deliveries.length} of 10 streams run`,
      );
      await context.can.killAndRestart();
      release();
      requireTrue(
        (await Promise.all(answers)).every(({ isWhole }) => isWhole),
        "a stream of the other process broke",
      );
      await expectCharges(
        context,
        account,
        Array.from({ length: 10 }, () => usual),
      );
    },
  }),
];
