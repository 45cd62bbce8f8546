import type { WebhookRunner, WithAssistants } from "@tollgate/assistants";
import { assistants } from "@tollgate/assistants";
import {
  createGateway,
  type Gateway,
  memoryBalanceStore,
  memoryKeyStore,
  memorySessionStore,
  parseAmount,
} from "@tollgate/core";
import type { ChatCompletion, ProviderAdapter } from "@tollgate/core/provider";

const turnsPerSession = 10;

/** Calls its tool first and answers when it knows the result, at once, so that nothing but the gateway takes time. */
const provider: ProviderAdapter = {
  name: "instant",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: async ({ request }) => (request.messages.at(-1)?.role === "user" && request.tools ? calling : answering),
  stream: () => Promise.reject(new Error("The bench asks for no stream.")),
};

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

const calling: ChatCompletion = {
  choices: [
    {
      message: {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_1", type: "function", function: { name: "find_order", arguments: '{"number":17}' } }],
      },
      finish_reason: "tool_calls",
    },
  ],
  usage,
};

const answering: ChatCompletion = {
  choices: [
    { message: { role: "assistant", content: "It is on its way and arrives tomorrow." }, finish_reason: "stop" },
  ],
  usage,
};

const body = new TextEncoder().encode('{"state":"shipped","session":{"client_data":{"last_order":17}}}');

const runner: WebhookRunner = {
  run: async () => ({ kind: "answered", status: 200, contentType: "application/json", body, attempts: [] }),
  checkTarget: async () => ({ allowed: true }),
};

/** Microseconds that a turn of one webhook takes beyond two completions and a webhook that all answer at once. */
export async function measureTurn(seconds: number): Promise<number> {
  const { gateway, authorization } = await makeGateway();
  const chat = () => gateway.fetch(post("/router/v1/chat/completions", authorization, completionRequest));
  const turns = turnsOf(gateway, authorization);
  await time(chat, seconds / 8);
  await time(turns, seconds / 8);
  const completion = await time(chat, seconds / 4);
  return (await time(turns, seconds / 2)) - 2 * completion;
}

const completionRequest = {
  model: "plain",
  messages: [{ role: "user", content: "Where is my order?" }],
};

async function makeGateway(): Promise<{ readonly gateway: Gateway & WithAssistants; readonly authorization: string }> {
  const keys = memoryKeyStore();
  const balances = memoryBalanceStore();
  await balances.credit({ id: "opening", account: "acme", amount: parseAmount("1000000"), reason: "bench" });
  const { secret } = await keys.create({ account: "acme", plan: "prepaid" });
  const gateway = createGateway({
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: [
      { id: "plain", maxOutputTokens: 1_000, price: { input: "1", output: "2" }, targets: [{ provider, model: "up" }] },
    ],
    extensions: [assistants({ list: [assistant], sessions: memorySessionStore(), runner })],
  });
  return { gateway, authorization: `Bearer ${secret}` };
}

const assistant = {
  id: "shop",
  companyId: "company-1",
  model: "plain",
  instructions: "You help the customers of a shop.",
  secrets: { shop_key: "sk-0123456789" },
  triggers: [
    {
      name: "find_order",
      parameters: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
      webhook: {
        type: "WEBHOOK",
        method: "GET",
        url: "https://shop.example/orders/$number?session=$session.id",
        headers: [{ key: "authorization", value: "Bearer $shop_key" }],
      },
    },
  ],
} as const;

/** One turn after another, in a new session after every ten. */
function turnsOf({ sessions }: Gateway & WithAssistants, authorization: string): () => Promise<Response> {
  let session = "";
  let turns = 0;
  return async () => {
    if (turns++ % turnsPerSession === 0) {
      const made = await sessions.fetch(post("/session", authorization, { assistant_id: "shop" }));
      session = `/session/${(await made.json()).id}/messages`;
    }
    return await sessions.fetch(post(session, authorization, { content: "Where is my order?" }));
  };
}

function post(path: string, authorization: string, value: object): Request {
  const headers = { authorization, "content-type": "application/json" };
  return new Request(`http://bench.test${path}`, { method: "POST", headers, body: JSON.stringify(value) });
}

/** Microseconds that a request takes, until its answer is read. */
async function time(ask: () => Promise<Response>, seconds: number): Promise<number> {
  const begun = performance.now();
  let requests = 0;
  for (; performance.now() - begun < 1_000 * seconds; requests++) {
    const response = await ask();
    const text = await response.text();
    if (!response.ok) throw new Error(text);
  }
  return (1_000 * (performance.now() - begun)) / requests;
}
