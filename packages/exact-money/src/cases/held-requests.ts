import { type Account, fairBounds, killedBounds, readBooks, requireFair, type WithAccounts } from "../account.ts";
import { requireTrue } from "../check.ts";
import type { Answer, Ask } from "../client/client.ts";
import { models } from "../models.ts";
import type { Delivery, Moment } from "../provider/script.ts";
import { expectServed } from "./refusals.ts";

/** Requests whose answers the provider holds at a moment. */
export interface HeldRequests {
  readonly deliveries: readonly Delivery[];
  /** Lets the provider go on. */
  release(): void;
  /** Lets it go on, and resolves with all answers. */
  end(): Promise<readonly Answer[]>;
}

/** How requests are held. */
export interface Holding {
  /** Default: 1. */
  readonly count?: number;
  /** Default: streams that have had one piece of content, and answers in one piece of which nothing has come. */
  readonly pauseAt?: Moment;
  /** Members of the request besides the key, the model and the prompt. Default: a stream of the model "chat", capped at 100 tokens. */
  readonly ask?: Partial<Ask>;
}

/** Starts requests, and resolves when the provider holds all of them. */
export async function holdRequests(
  context: WithAccounts,
  { key }: Account,
  { count = 1, ask = { stream: true }, pauseAt = ask.stream === true ? 1 : "before headers" }: Holding = {},
): Promise<HeldRequests> {
  const { prompt, deliveries, release } = context.provider.play({ pauseAt });
  const asked: Ask = { secret: key.secret, model: models.chat.id, prompt, body: { max_tokens: 100 }, ...ask };
  const answers = Array.from({ length: count }, () => context.client.ask(asked));
  const waiting = () => deliveries.filter((delivery) => delivery.waiting).length;
  await context.until(
    () => waiting() === count,
    () => `${waiting()} of ${count} requests have reached the provider`,
  );
  const end = () => {
    release();
    return Promise.all(answers);
  };
  return { deliveries, release, end };
}

/** A stream whose client has had two pieces, and which the provider holds. */
export interface OpenStream {
  readonly deliveries: readonly Delivery[];
  /** Ends the connection of the client. */
  leave(): void;
  /** Resolves when the call of the provider has ended because its client left. */
  untilLeft(): Promise<void>;
}

/** Starts a stream, and resolves when the provider has sent two pieces of it. */
export async function openStream(context: WithAccounts, { key }: Account): Promise<OpenStream> {
  const { prompt, deliveries } = context.provider.play({ pauseAt: 2 });
  const running = context.client.begin({ secret: key.secret, model: models.chat.id, prompt, stream: true });
  await context.until(
    () => deliveries[0]?.waiting === true,
    () => "the provider has not sent two pieces",
  );
  const untilLeft = () =>
    context.until(
      () => deliveries[0]?.ended === "left",
      () => `the call of the provider is ${deliveries[0]?.ended}`,
    );
  return { deliveries, leave: () => running.leave(), untilLeft };
}

/**
 * Waits until nothing is reserved for requests whose process was killed, and requires that each was charged at most once and at
 * most what was delivered. A gateway may need a request to begin with that.
 */
export async function expectRecovered(context: WithAccounts, account: Account, held: HeldRequests): Promise<void> {
  const after = await expectServed(context, account);
  const killed = held.deliveries.map((each) => killedBounds(models.chat, each));
  await context.eventually(async () => {
    const { charges, posted } = await readBooks(context.can.accounts, account.id);
    requireFair(charges, [...killed, ...after.map((each) => fairBounds(models.chat, each))]);
    requireTrue(posted >= 0n, `the balance is ${posted}`);
  });
}
