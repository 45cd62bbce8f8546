import { anySecret } from "../account.ts";
import { type Case, type Context, defineCase } from "../case.ts";
import { requireEqual, requireTrue } from "../check.ts";
import type { Answer, Ask } from "../client/client.ts";
import { models, type Tokens } from "../models.ts";

const group = "What the client is told";

/** A gateway that only forwards calls, without keys, can pass these cases. */
async function anyone(context: Context): Promise<Omit<Ask, "prompt">> {
  return { secret: await anySecret(context), model: models.chat.id, body: { max_tokens: 100 } };
}

/** Usage as the client reads it from an answer in one piece, or from the last event of a stream that has one. */
function usageIn({ text }: Answer): unknown {
  const bodies = text.startsWith("{")
    ? [text]
    : text.split("\n\n").flatMap((event) => /^data: (\{.*)$/s.exec(event)?.[1] ?? []);
  const told = bodies
    .map((body): { readonly usage?: unknown } => JSON.parse(body))
    .filter(({ usage }) => usage != null);
  return told.at(-1)?.usage;
}

const tokens: Tokens = { input: 321, output: 45, cached: 20, reasoning: 5 };
const usage = {
  prompt_tokens: 321,
  completion_tokens: 45,
  total_tokens: 366,
  prompt_tokens_details: { cached_tokens: 20 },
  completion_tokens_details: { reasoning_tokens: 5 },
};

/** Whether the client is told what it pays for, and the provider is asked once for what the client asked once. */
export const toldCases: readonly Case[] = [
  ...[false, true].map((stream) =>
    defineCase(group, {
      id: stream ? "told-usage-stream" : "told-usage-json",
      says: `The client reads the usage that the provider told, ${stream ? "in the stream" : "in the answer"}.`,
      needs: [],
      async run(context) {
        const { client, provider } = context;
        const { prompt } = provider.play({ tokens });
        const answer = await client.ask({ ...(await anyone(context)), prompt, stream });
        requireEqual(answer.status, 200, "status");
        requireEqual(usageIn(answer), usage, "usage that the client reads");
      },
    }),
  ),
  defineCase(group, {
    id: "told-once",
    says: "A request of a client is one request to the provider when that answers.",
    needs: [],
    async run(context) {
      const { client, provider } = context;
      const played = provider.play();
      const asker = await anyone(context);
      await Promise.all(Array.from({ length: 10 }, () => client.ask({ ...asker, prompt: played.prompt })));
      requireEqual(played.deliveries.length, 10, "requests to the provider");
    },
  }),
  defineCase(group, {
    id: "told-cap",
    says: "The output cap of the client reaches the provider.",
    needs: [],
    async run(context) {
      const { client, provider } = context;
      const { prompt, deliveries } = provider.play();
      await client.ask({ ...(await anyone(context)), prompt, body: { max_tokens: 17 } });
      const { max_tokens, max_completion_tokens } = deliveries[0]?.body ?? {};
      requireEqual(max_tokens ?? max_completion_tokens, 17, "the cap that the provider got");
    },
  }),
  defineCase(group, {
    id: "told-leaving",
    says: "The call of the provider ends when the client of a stream leaves.",
    needs: [],
    async run(context) {
      const { client, provider } = context;
      const { prompt, deliveries } = provider.play({ pauseAt: 2 });
      const running = client.begin({ ...(await anyone(context)), prompt, stream: true });
      await running.event();
      running.leave();
      await context.until(
        () => deliveries[0]?.ended === "left",
        () => `the call of the provider is ${deliveries[0]?.ended}`,
      );
    },
  }),
  defineCase(group, {
    id: "told-cut",
    says: "The client of a stream that the provider breaks off can tell it from a whole one.",
    needs: [],
    async run(context) {
      const { client, provider } = context;
      const { prompt } = provider.play({ cutAt: 2 });
      const answer = await client.ask({ ...(await anyone(context)), prompt, stream: true });
      const looksWhole = answer.isWhole && answer.text.includes("[DONE]") && !answer.text.includes('"error"');
      requireTrue(!looksWhole, "the stream ends like a whole one");
    },
  }),
];
