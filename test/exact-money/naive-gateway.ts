import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { costOf, type Driver, type Entry, type SuiteModel } from "@tollgate/exact-money";
import { isRecord } from "../support/is-record.ts";

/** An account of the naive gateway. */
interface NaiveAccount {
  readonly entries: Entry[];
  balance: bigint;
}

/**
 * A gateway as it is often written first: it looks at the balance before a call, believes the usage of the answer, and charges
 * when the client has read all of it. The suite must find what is wrong with it.
 */
export const naiveGateway: Driver = {
  name: "naive",
  async start({ upstream, models }) {
    const accounts = new Map<string, NaiveAccount>();
    const accountsByKey = new Map<string, string>();
    const accountOf = (id: string): NaiveAccount => {
      const account = accounts.get(id) ?? { entries: [], balance: 0n };
      accounts.set(id, account);
      return account;
    };
    const server = createServer((request, response) => {
      const secret = request.headers.authorization?.slice("Bearer ".length) ?? "";
      const account = accountOf(accountsByKey.get(secret) ?? "");
      void forward(request, response, { account, models, upstream }).catch(() => response.destroy());
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    return {
      url: `http://127.0.0.1:${port}/v1`,
      abilities: {
        accounts: {
          async createKey({ account }) {
            const secret = crypto.randomUUID();
            accountsByKey.set(secret, account);
            return { id: secret, secret };
          },
          credit: async ({ account, amount, id }) =>
            post(accountOf(account), { kind: "credit", amount, reference: id }),
          balance: async (account) => ({ posted: accountOf(account).balance, held: 0n }),
          entries: async (account) => accountOf(account).entries,
        },
      },
      async stop() {
        server.close().closeAllConnections();
      },
    };
  },
};

function post(account: NaiveAccount, entry: Entry): void {
  account.entries.push(entry);
  account.balance += entry.amount;
}

interface Forwarding {
  readonly account: NaiveAccount;
  readonly models: readonly SuiteModel[];
  readonly upstream: { readonly url: string; readonly apiKey: string };
}

async function forward(request: IncomingMessage, response: ServerResponse, { account, models, upstream }: Forwarding) {
  const body: unknown = JSON.parse(await text(request));
  const model = models.find(({ id }) => isRecord(body) && body["model"] === id);
  if (account.balance <= 0n || model === undefined)
    return void response.writeHead(402).end('{"error":{"message":"No."}}');
  const answer = await fetch(`${upstream.url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${upstream.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ ...(isRecord(body) ? body : {}), model: model.upstreamModel }),
  });
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
  let read = "";
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    if (response.destroyed) return;
    read += chunk;
    response.write(chunk);
  }
  response.end();
  const [, prompt = "0", completion = "0"] = /"prompt_tokens":(-?\d+),"completion_tokens":(-?\d+)/.exec(read) ?? [];
  const cost = costOf(model, { input: Number(prompt), output: Number(completion) });
  post(account, { kind: "charge", amount: -cost, reference: crypto.randomUUID() });
}
