import { expectCharges, type WithAccounts } from "../account.ts";
import type { Context } from "../case.ts";
import { requireEqual, requireTrue } from "../check.ts";
import type { Answer, Ask } from "../client/client.ts";
import { costOf, type SuiteModel } from "../models.ts";
import { type Delivery, type Script, usesItsCap } from "../provider/script.ts";

/** Requests that ran at the same time. */
export interface Rush {
  readonly answered: readonly Answer[];
  readonly refused: readonly Answer[];
  readonly deliveries: readonly Delivery[];
}

/** The output cap of a request in a rush. */
export const rushCap = 100;

/** What a request costs at most, in nano-units, if it uses its cap: so many of them exceed a balance of a few. */
export const rushCost = (model: SuiteModel): bigint => costOf(model, { input: 60, output: rushCap });

/**
 * Sends all requests at once. The provider answers none of them before each has arrived there or was refused, so that they all
 * run at the same time, whatever the speed of the machine. Rejects for an answer that is neither 200 nor a refusal.
 */
export async function rush(
  { client, provider, until }: Context,
  asks: readonly Omit<Ask, "prompt">[],
  script: Script = {},
): Promise<Rush> {
  const played = provider.play({ tokens: usesItsCap, pauseAt: "before headers", ...script });
  const ended: Answer[] = [];
  const running = asks.map(async (ask) =>
    ended.push(await client.ask({ body: { max_tokens: rushCap }, ...ask, prompt: played.prompt })),
  );
  const arrived = () => played.deliveries.length + ended.length;
  await until(
    () => arrived() >= asks.length,
    () => `${arrived()} of ${asks.length} requests arrived or were refused`,
  );
  played.release();
  await Promise.all(running);
  const answered = ended.filter(({ status }) => status === 200);
  const refused = ended.filter(({ status }) => status >= 400 && status < 500);
  const other = ended.find((each) => !answered.includes(each) && !refused.includes(each));
  requireTrue(
    other === undefined,
    `a request was neither answered nor refused: ${other?.status} ${other?.text.slice(0, 300)}`,
  );
  return { answered, refused, deliveries: played.deliveries };
}

/**
 * Requires that a rush was answered and refused in part, that the provider saw no refused request, and that exactly what it
 * delivered is charged to the account, which was never more than `most`.
 */
export async function expectWithin(
  context: WithAccounts,
  account: { readonly id: string },
  modelOf: (delivery: Delivery) => SuiteModel,
  { answered, refused, deliveries }: Rush,
  most: bigint,
): Promise<void> {
  requireTrue(answered.length > 0, "no request was answered");
  requireTrue(refused.length > 0, "no request was refused");
  requireEqual(deliveries.length, answered.length, "requests to the provider and answers");
  const costs = deliveries.map((delivery) => costOf(modelOf(delivery), delivery.told ?? { input: 0, output: 0 }));
  const { charges } = await expectCharges(context, account, costs);
  const total = charges.reduce((sum, charge) => sum + charge, 0n);
  requireTrue(total <= most, `${total} was charged, and at most ${most} may be`);
}
