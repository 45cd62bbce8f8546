import {
  type Account,
  expectChargedTimes,
  expectFairCharges,
  openAccount,
  readBooks,
  type WithAccounts,
} from "../account.ts";
import { type Case, defineCase } from "../case.ts";
import { requireEqual, requireTrue } from "../check.ts";
import type { Answer } from "../client/client.ts";
import { models } from "../models.ts";
import { requireAnswered, requireRefused } from "./refusals.ts";

const group = "Stored responses";
const needs = ["accounts", "responses", "storedResponses"] as const;
const { id: model } = models.responses;

/** Sends a request that is stored, and returns its id. */
async function store({ client }: WithAccounts, { key }: Account, prompt: string): Promise<string> {
  const body = { store: true, max_output_tokens: 100 };
  const answer = await client.ask({ api: "responses", secret: key.secret, model, prompt, body });
  requireAnswered(answer, "the first response");
  const { id }: { readonly id?: unknown } = JSON.parse(answer.text);
  if (typeof id !== "string") throw new Error("The response has no id.");
  return id;
}

function continueFrom(context: WithAccounts, account: Account, id: string, prompt: string): Promise<Answer> {
  const body = { previous_response_id: id, max_output_tokens: 100 };
  return context.client.ask({ api: "responses", secret: account.key.secret, model, prompt, body });
}

const call = ({ client }: WithAccounts, { key }: Account, method: "GET" | "DELETE", path: string): Promise<Answer> =>
  client.ask({ secret: key.secret, model, prompt: "", method, path });

/** Whether what is stored can be had, or used as a prompt, without a charge or by another account. */
export const storedResponseCases: readonly Case[] = [
  defineCase(group, {
    id: "stored-continued",
    says: "A request that continues a response costs the usage that the provider tells for the whole conversation.",
    needs,
    async run(context) {
      const account = await openAccount(context);
      // As a provider does, it bills what it is sent.
      const { prompt, deliveries } = context.provider.play({ tokens: ({ bytes }) => ({ input: bytes, output: 5 }) });
      const id = await store(context, account, `${prompt} ${"history ".repeat(200)}`);
      requireAnswered(await continueFrom(context, account, id, prompt), "the second response");
      const [, second] = deliveries;
      requireTrue((second?.bytes ?? 0) > 1_600, "The provider did not get the history.");
      await expectFairCharges(context, account, models.responses, deliveries);
    },
  }),
  defineCase(group, {
    id: "stored-history-is-reserved",
    says: "A short request that continues a long response is refused if the account cannot pay for the history.",
    needs,
    async run(context) {
      const account = await openAccount(context, { credit: 60_000_000n });
      const { prompt } = context.provider.play({ tokens: { input: 3_500, output: 100 } });
      const id = await store(context, account, `${prompt} ${"history ".repeat(1_000)}`);
      // 21 million are left: enough for what the client sends now, and less than the history costs.
      const played = context.provider.play({ tokens: { input: 3_500, output: 100 } });
      requireRefused(await continueFrom(context, account, id, played.prompt), played, "the continuation");
    },
  }),
  defineCase(group, {
    id: "stored-read",
    says: "Reading a stored response costs nothing, and the provider is not asked.",
    needs,
    async run(context) {
      const account = await openAccount(context);
      const { prompt, deliveries } = context.provider.play();
      const id = await store(context, account, prompt);
      for (const path of [`responses/${id}`, `responses/${id}/input_items`])
        requireAnswered(await call(context, account, "GET", path), path);
      await expectChargedTimes(1, context, account, models.responses, deliveries);
      requireEqual(deliveries.length, 1, "requests to the provider");
    },
  }),
  defineCase(group, {
    id: "stored-by-another",
    says: "The stored response of another account can be neither read, nor deleted, nor continued, and costs nobody anything.",
    needs,
    async run(context) {
      const [owner, thief] = [await openAccount(context), await openAccount(context)];
      const [first, second] = [context.provider.play(), context.provider.play()];
      const id = await store(context, owner, first.prompt);
      for (const method of ["GET", "DELETE"] as const)
        requireRefused(await call(context, thief, method, `responses/${id}`), second, method);
      requireRefused(await continueFrom(context, thief, id, second.prompt), second, "the continuation");
      requireAnswered(await call(context, owner, "GET", `responses/${id}`), "reading by its owner");
      requireEqual((await readBooks(context.can.accounts, thief.id)).charges.length, 0, "charges of the other account");
      await expectFairCharges(context, owner, models.responses, first.deliveries);
    },
  }),
  defineCase(group, {
    id: "stored-deleted",
    says: "A deleted response cannot be continued, and the attempt costs nothing.",
    needs,
    async run(context) {
      const account = await openAccount(context);
      const [first, second] = [context.provider.play(), context.provider.play()];
      const id = await store(context, account, first.prompt);
      requireAnswered(await call(context, account, "DELETE", `responses/${id}`), "the deletion");
      requireRefused(await continueFrom(context, account, id, second.prompt), second, "the continuation");
      await expectFairCharges(context, account, models.responses, first.deliveries);
    },
  }),
];
