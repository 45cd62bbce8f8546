import {
  expectChargedTimes,
  expectCharges,
  expectFairCharges,
  openAccount,
  plenty,
  type WithAccounts,
} from "../account.ts";
import { type Case, defineCase } from "../case.ts";
import { requireEqual, requireTrue } from "../check.ts";
import type { Running } from "../client/client.ts";
import type { Ability } from "../driver.ts";
import { costOf, models, type SuiteModel, type Tokens } from "../models.ts";
import { type Delivery, type Moment, piecesOf, type Script } from "../provider/script.ts";

const group = "Clients that leave";

/** The moment of the provider at which the client leaves, and what the client must have seen by then. */
interface Row {
  readonly id: string;
  readonly says: string;
  readonly needs?: readonly Ability[];
  readonly model?: SuiteModel;
  readonly stream?: boolean;
  readonly at: Moment;
  readonly tokens?: Tokens;
}

const pieces = piecesOf(5);
const hidden: Tokens = { input: 20, output: 900, reasoning: 850 };

const rows: readonly Row[] = [
  { id: "before-headers", says: "before the headers of a stream", stream: true, at: "before headers" },
  { id: "before-content", says: "after the headers of a stream, before any content", stream: true, at: "start" },
  ...[1, 2, 3, 4, 5].map(
    (frame): Row => ({ id: `frame-${frame}`, says: `after frame ${frame} of 5`, stream: true, at: frame }),
  ),
  { id: "finish", says: "after the last content, before the usage", stream: true, at: "finish" },
  { id: "json-before-headers", says: "before an answer in one piece begins", at: "before headers" },
  { id: "json-half", says: "within an answer in one piece", at: "half" },
  {
    id: "messages",
    says: "after frame 3 of a Messages stream",
    needs: ["messages"],
    model: models.messages,
    stream: true,
    at: 3,
  },
  {
    id: "responses",
    says: "after frame 3 of a Responses stream",
    needs: ["responses"],
    model: models.responses,
    stream: true,
    at: 3,
  },
  {
    id: "thinker",
    says: "after frame 2 of a model that hides its reasoning",
    model: models.thinker,
    stream: true,
    at: 2,
    tokens: hidden,
  },
];

/** Begins a request that the provider answers up to a moment, and leaves there. Then the provider goes on. */
async function leaveAt(
  context: WithAccounts,
  secret: string,
  { model = models.chat, stream = false, at, tokens }: Omit<Row, "id" | "says">,
) {
  const script: Script = { pieces, pauseAt: at, ...(tokens === undefined ? {} : { tokens }) };
  const { prompt, deliveries, release } = context.provider.play(script);
  const running = context.client.begin({ secret, model: model.id, api: model.api, prompt, stream });
  await context.until(
    () => deliveries[0]?.waiting === true,
    () => `the provider has not come to "${at}"`,
  );
  if (typeof at === "number") await readPiece(running, at);
  running.leave();
  await graceFor(() => deliveries[0]?.ended === "left");
  release();
  await context.until(
    () => deliveries[0]?.ended !== "running",
    () => "the call of the provider has not ended",
  );
  return deliveries;
}

/** Waits at most 3 s: a gateway either ends the call of the provider when the client leaves, or reads it to its end. */
async function graceFor(condition: () => boolean): Promise<void> {
  for (const endsAt = Date.now() + 3_000; !condition() && Date.now() < endsAt; )
    await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Reads events until the content of a frame has come. */
async function readPiece(running: Running, frame: number): Promise<void> {
  const text = pieces[frame - 1] ?? "";
  for (;;) {
    const event = await running.event();
    requireTrue(event !== undefined, `the stream ended before frame ${frame}`);
    if (event?.includes(text) === true) return;
  }
}

/** Whether a client that leaves pays for what the provider delivered, once, and for nothing else. */
export const abortCases: readonly Case[] = [
  ...rows.map(({ id, says, needs = [], ...row }) =>
    defineCase(group, {
      id: `abort-${id}`,
      says: `A client that leaves ${says} pays once for what the provider delivered, and nothing stays reserved.`,
      needs: ["accounts", ...needs],
      async run(context) {
        const account = await openAccount(context);
        const deliveries = await leaveAt(context, account.key.secret, row);
        await expectFairCharges(context, account, row.model ?? models.chat, deliveries);
      },
    }),
  ),
  ...(["usage", "done"] as const).map((at) =>
    defineCase(group, {
      id: `abort-${at}`,
      says: `A client that leaves after ${at === "usage" ? "the usage" : "the end"} of a stream pays exactly its usage.`,
      needs: ["accounts"],
      async run(context) {
        const account = await openAccount(context);
        const { prompt, release, deliveries } = context.provider.play({ pauseAt: at });
        const running = context.client.begin({
          secret: account.key.secret,
          model: models.chat.id,
          prompt,
          stream: true,
        });
        await context.until(
          () => deliveries[0]?.waiting === true,
          () => `the provider has not come to "${at}"`,
        );
        for (let event = await running.event(); event?.includes('"usage":{') === false; event = await running.event());
        running.leave();
        release();
        await expectFairCharges(context, account, models.chat, deliveries);
        requireEqual(deliveries[0]?.told === undefined, false, "the provider told no usage");
      },
    }),
  ),
  defineCase(group, {
    id: "abort-body",
    says: "A client that leaves before its request is complete pays nothing, and the provider is not asked.",
    needs: ["accounts"],
    async run(context) {
      const account = await openAccount(context);
      const { prompt, deliveries } = context.provider.play();
      const headers = { "content-length": "100000" };
      const running = context.client.begin({ secret: account.key.secret, model: models.chat.id, prompt, headers });
      const whole = await context.client.ask({ secret: account.key.secret, model: "exact-nothing", prompt });
      requireTrue(whole.status >= 400, "a model that does not exist was answered");
      running.leave();
      await running.answer();
      await expectCharges(context, account, []);
      requireEqual(deliveries.length, 0, "requests to the provider");
    },
  }),
  defineCase(group, {
    id: "abort-repeatedly",
    says: "A client that reads the first frame of ten streams and leaves each pays ten times.",
    needs: ["accounts"],
    async run(context) {
      const account = await openAccount(context);
      const left: Delivery[] = [];
      for (let round = 0; round < 10; round++)
        left.push(...(await leaveAt(context, account.key.secret, { stream: true, at: 1 })));
      await expectChargedTimes(10, context, account, models.chat, left);
    },
  }),
  defineCase(group, {
    id: "abort-crowd",
    says: "Of 40 streams at once, 20 of which are left at different frames, each is charged once.",
    needs: ["accounts"],
    async run(context) {
      const account = await openAccount(context, { credit: 20n * plenty });
      const { secret } = account.key;
      const leaving = Array.from({ length: 20 }, (_, at) =>
        leaveAt(context, secret, { stream: true, at: (at % 5) + 1 }),
      );
      const { prompt, deliveries } = context.provider.play();
      const staying = Array.from({ length: 20 }, () =>
        context.client.ask({ secret, model: models.chat.id, prompt, stream: true }),
      );
      const left = (await Promise.all(leaving)).flat();
      await Promise.all(staying);
      const { charges } = await expectFairCharges(context, account, models.chat, [...left, ...deliveries]);
      const usual = costOf(models.chat, { input: 20, output: 6 });
      requireTrue(
        charges.filter((charge) => charge === usual).length >= 20,
        "a stream that was read to its end is not charged its usage",
      );
    },
  }),
];
