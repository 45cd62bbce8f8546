import { openAccount, readBooks } from "../account.ts";
import { type Case, defineCase } from "../case.ts";
import { requireEqual } from "../check.ts";
import { bodyOf, type Client } from "../client/client.ts";
import { models } from "../models.ts";
import { requireAnswered, requireRefused } from "./refusals.ts";

const group = "Counting tokens";
const needs = ["accounts", "messages", "countTokens"] as const;
const model = models.messages.id;

/** Asks how many tokens a prompt has. */
function count(client: Client, secret: string, prompt: string, more: object = {}) {
  const { max_tokens: _cap, ...body } = bodyOf({ api: "messages", model, prompt });
  const text = JSON.stringify({ ...body, ...more });
  return client.ask({ api: "messages", secret, model, prompt, path: "messages/count_tokens", text });
}

/** Whether counting tokens is a way to get more than a count, or a count for nothing. */
export const countTokensCases: readonly Case[] = [
  defineCase(group, {
    id: "count-free",
    says: "Counting tokens costs nothing, and runs no model.",
    needs,
    async run(context) {
      const account = await openAccount(context);
      const { prompt, deliveries } = context.provider.play();
      for (let time = 0; time < 3; time++)
        requireAnswered(await count(context.client, account.key.secret, prompt), "count");
      requireEqual(deliveries.length, 0, "models that ran");
      requireEqual((await readBooks(context.can.accounts, account.id)).charges.length, 0, "charges");
    },
  }),
  defineCase(group, {
    id: "count-as-request",
    says: "A body of a whole request that is sent to be counted gets no answer of the model.",
    needs,
    async run(context) {
      const account = await openAccount(context);
      const { prompt, deliveries } = context.provider.play();
      const { text } = await count(context.client, account.key.secret, prompt, { max_tokens: 50, stream: true });
      requireEqual(deliveries.length, 0, "models that ran");
      requireEqual(text.includes("content_block"), false, "content in the answer");
    },
  }),
  defineCase(group, {
    id: "count-empty",
    says: "An account without money cannot let the provider count.",
    needs,
    async run(context) {
      const account = await openAccount(context, { credit: 0n });
      const played = context.provider.play();
      requireRefused(await count(context.client, account.key.secret, played.prompt), played, "count");
      requireEqual(played.counts(), 0, "counts of the provider");
    },
  }),
  defineCase(group, {
    id: "count-revoked",
    says: "A revoked key cannot let the provider count.",
    needs: [...needs, "keyChanges"],
    async run(context) {
      const account = await openAccount(context);
      const played = context.provider.play();
      await context.can.keyChanges.revoke(account.key.id);
      requireRefused(await count(context.client, account.key.secret, played.prompt), played, "count");
      requireEqual(played.counts(), 0, "counts of the provider");
    },
  }),
];
