import { openAccount, type WithAccounts } from "../account.ts";
import { requireEqual } from "../check.ts";
import type { Ask } from "../client/client.ts";
import type { Ability } from "../driver.ts";
import { models, type SuiteModel, type Tokens } from "../models.ts";
import type { Script } from "../provider/script.ts";

/** The group of the cases of usage, told and estimated. */
export const usageGroup = "Usage, however the provider tells it";

/** A request for a model in one API, answered in one piece or as a stream. */
export interface Form {
  readonly model: SuiteModel;
  readonly stream: boolean;
  readonly needs: readonly Ability[];
  readonly body?: Ask["body"];
}

/** A usage that most rows tell. */
export const plain: Tokens = { input: 300, output: 60 };

/** The script of an answer that tells any value as its usage. */
export const raw = (usage: unknown): Script => ({ usage: { raw: usage } });

/** The form of a request for the model whose cached tokens have prices. */
export const withCachePrices = { model: models.cached, needs: ["cachePrices"] } as const;

/** Sends one request of a row, and returns the account and what the provider did. */
export async function askOnce(context: WithAccounts, form: Partial<Form> = {}, script: Script = {}) {
  const { model = models.chat, stream = false, body } = form;
  const account = await openAccount(context);
  const { prompt, deliveries } = context.provider.play(script);
  const api = model.api;
  const ask = {
    secret: account.key.secret,
    model: model.id,
    api,
    prompt,
    stream,
    ...(body === undefined ? {} : { body }),
  };
  const answer = await context.client.ask(ask);
  requireEqual(answer.status, 200, `status of ${answer.text.slice(0, 300)}`);
  return { account, model, deliveries };
}

/** Returns what a case with a form needs. */
export const needsOf = ({ needs = [] }: Partial<Form> = {}) => ["accounts" as const, ...needs];
