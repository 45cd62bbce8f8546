import type { Account, WithAccounts } from "../account.ts";
import { requireEqual, requireTrue } from "../check.ts";
import type { Answer, Ask } from "../client/client.ts";
import { type Api, models } from "../models.ts";
import type { Played } from "../provider/provider.ts";
import type { Delivery } from "../provider/script.ts";

/** Throws an error unless a client was refused, and the provider was not asked. */
export function requireRefused(
  { status, text }: Answer,
  { deliveries }: Pick<Played, "deliveries">,
  what: string,
): void {
  requireTrue(status >= 400 && status < 500, `${what}: expected a refusal, got ${status} ${text.slice(0, 200)}`);
  requireEqual(deliveries.length, 0, `${what}: requests to the provider`);
}

/** Throws an error unless a client got a whole answer. */
export function requireAnswered({ status, text, isWhole }: Answer, what: string): void {
  requireTrue(status === 200 && isWhole, `${what}: expected an answer, got ${status} ${text.slice(0, 200)}`);
}

/** The members of a body that cap the output at a number of tokens. */
export const cappedAt = (api: Api, tokens: number): NonNullable<Ask["body"]> =>
  api === "embeddings" ? {} : { [api === "responses" ? "max_output_tokens" : "max_tokens"]: tokens };

/** Requires that a request is answered, as soon as the gateway has started again, and returns what the provider delivered. */
export async function expectServed(context: WithAccounts, { key }: Account): Promise<readonly Delivery[]> {
  const { prompt, deliveries } = context.provider.play();
  await context.eventually(async () =>
    requireAnswered(
      await context.client.ask({ secret: key.secret, model: models.chat.id, prompt }),
      "a request afterwards",
    ),
  );
  return deliveries;
}
