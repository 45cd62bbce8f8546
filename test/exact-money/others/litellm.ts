import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Accounts, asDecimal, asNano, type Driver, type SuiteModel, type World } from "@tollgate/exact-money";
import { freePort } from "../../support/free-port.ts";
import { isInstalled, startProgram } from "./process.ts";

const missing = `LiteLLM's proxy is needed: pip install "litellm[proxy]" prisma, and LITELLM_DATABASE_URL with the URL of an empty PostgreSQL database.`;

/** LiteLLM's proxy. An account is a user whose budget is what was credited; its spend is kept as a floating-point number. */
export const litellm: Driver = {
  name: "litellm",
  async start(world) {
    const database = process.env["LITELLM_DATABASE_URL"];
    if (database === undefined || !isInstalled("litellm")) throw new Error(missing);
    const folder = await mkdtemp(join(tmpdir(), "exact-money-litellm-"));
    const config = join(folder, "config.json");
    await writeFile(config, JSON.stringify(configOf(world)));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const masterKey = `sk-${crypto.randomUUID()}`;
    const env = { DATABASE_URL: database, LITELLM_MASTER_KEY: masterKey };
    const stop = await startProgram(
      ["litellm", "--config", config, "--port", String(port)],
      env,
      `${url}/health/liveliness`,
    );
    return {
      url: `${url}/v1`,
      abilities: {
        accounts: accountsOf(url, masterKey),
        keyLimits: true,
        cachePrices: true,
        messages: true,
        embeddings: true,
      },
      async stop() {
        await stop();
        await rm(folder, { recursive: true });
      },
    };
  },
};

/** YAML contains JSON. */
const configOf = ({ models, upstream }: World) => ({
  model_list: models.map((model) => ({
    model_name: model.id,
    litellm_params: {
      model: `${model.api === "messages" ? "anthropic" : "openai"}/${model.upstreamModel}`,
      api_base: model.api === "messages" ? upstream.url.replace(/\/v1$/, "") : upstream.url,
      api_key: upstream.apiKey,
    },
    model_info: { max_output_tokens: model.maxOutput, max_tokens: model.maxOutput, ...pricesOf(model) },
  })),
  general_settings: { proxy_batch_write_at: 1 },
});

const units = (nano: bigint): number => Number(asDecimal(nano));

const pricesOf = ({ prices: { input, output, cached, cacheWrite } }: SuiteModel) => ({
  input_cost_per_token: units(input),
  output_cost_per_token: units(output),
  ...(cached === undefined ? {} : { cache_read_input_token_cost: units(cached) }),
  ...(cacheWrite === undefined ? {} : { cache_creation_input_token_cost: units(cacheWrite) }),
});

interface SpendLog {
  readonly request_id: string;
  readonly spend: number;
}

function accountsOf(url: string, masterKey: string): Accounts {
  const credits = new Map<string, Map<string, bigint>>();
  async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${masterKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return response.json();
    throw new Error(`LiteLLM answered ${response.status} to ${method} ${path}: ${await response.text()}`);
  }
  const creditsOf = (account: string) => credits.get(account) ?? new Map<string, bigint>();
  const credited = (account: string) => [...creditsOf(account).values()].reduce((sum, amount) => sum + amount, 0n);
  const logs = (account: string) => call<readonly SpendLog[]>("GET", `/spend/logs?user_id=${account}`);
  const spent = ({ spend }: SpendLog) => asNano(spend.toFixed(9));
  return {
    async createKey({ account, spend }) {
      if (!credits.has(account))
        await call("POST", "/user/new", { user_id: account, max_budget: 0, auto_create_key: false });
      const limit = spend === undefined ? {} : { max_budget: units(spend) };
      const { key, token } = await call<{ key: string; token: string }>("POST", "/key/generate", {
        user_id: account,
        ...limit,
      });
      return { id: token, secret: key };
    },
    async credit({ account, amount, id }) {
      const isNew = !credits.has(account);
      credits.set(account, creditsOf(account).set(id, amount));
      const budget = { user_id: account, max_budget: units(credited(account)) };
      await call("POST", isNew ? "/user/new" : "/user/update", isNew ? { ...budget, auto_create_key: false } : budget);
    },
    async balance(account) {
      const total = (await logs(account)).reduce((sum, log) => sum + spent(log), 0n);
      return { posted: credited(account) - total, held: 0n };
    },
    async entries(account) {
      const paid = [...creditsOf(account)].map(([reference, amount]) => ({
        kind: "credit" as const,
        amount,
        reference,
      }));
      const charges = (await logs(account)).map((log) => ({
        kind: "charge" as const,
        amount: -spent(log),
        reference: log.request_id,
      }));
      return [...paid, ...charges];
    },
  };
}
