import { expectFairCharges, openAccount } from "../account.ts";
import { type Case, defineCase } from "../case.ts";
import { requireEqual, requireTrue } from "../check.ts";
import { bodyOf } from "../client/client.ts";
import { models } from "../models.ts";

const group = "Paths and endpoints beside the APIs";

/** A path, relative to the base URL unless it begins with a slash, and the body that its API has. */
interface Beside {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly body: (prompt: string) => object;
}

const model = models.chat.id;
const chat = (prompt: string) => bodyOf({ model, prompt });
const google = (prompt: string) => ({ contents: [{ role: "user", parts: [{ text: prompt }] }] });

const beside: readonly Beside[] = [
  { id: "completions", name: "the legacy completions", path: "completions", body: (prompt) => ({ model, prompt }) },
  {
    id: "google-generate",
    name: "generateContent of Google's API",
    path: `/v1beta/models/${model}:generateContent`,
    body: google,
  },
  {
    id: "google-stream",
    name: "streamGenerateContent of Google's API",
    path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: google,
  },
  {
    id: "google-openai",
    name: "Google's path of chat completions",
    path: "/v1beta/openai/chat/completions",
    body: chat,
  },
  {
    id: "message-batches",
    name: "batches of Messages",
    path: "messages/batches",
    body: (prompt) => ({ requests: [{ custom_id: "1", params: { ...bodyOf({ api: "messages", model, prompt }) } }] }),
  },
  { id: "trailing-slash", name: "chat completions with a slash at the end", path: "chat/completions/", body: chat },
];

/** Whether a path that is no documented API of the gateway reaches the provider without a charge. */
export const otherPathCases: readonly Case[] = beside.map(({ id, name, path, body }) =>
  defineCase(group, {
    id: `path-${id}`,
    says: `A request to ${name} is refused, or paid like any other; never with an empty account.`,
    needs: ["accounts"],
    async run(context) {
      const [rich, poor] = [await openAccount(context), await openAccount(context, { credit: 0n })];
      const [paid, unpaid] = [context.provider.play(), context.provider.play()];
      const ask = (secret: string, prompt: string) =>
        context.client.ask({ secret, model, prompt, path, text: JSON.stringify(body(prompt)) });
      await ask(poor.key.secret, unpaid.prompt);
      requireEqual(unpaid.deliveries.length, 0, "requests to the provider with an empty account");
      const answer = await ask(rich.key.secret, paid.prompt);
      const { charges } = await expectFairCharges(context, rich, models.chat, paid.deliveries);
      requireEqual(charges.length, paid.deliveries.length, "charges, one for each request to the provider");
      requireTrue(paid.deliveries.length > 0 || answer.status >= 400, `${answer.status} without the provider`);
    },
  }),
);
