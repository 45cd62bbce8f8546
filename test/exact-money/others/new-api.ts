import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Accounts, type Driver, models, type World } from "@tollgate/exact-money";
import { freePort } from "../../support/free-port.ts";
import { isInstalled, startProgram } from "./process.ts";

const password = "exact-money-1";
/** new-api counts in quota, of which 500,000 are one unit of the currency. */
const nanoPerQuota = 2_000n;

/** new-api with its SQLite database. An account is a user, whose quota is its balance, and the ledger is its log. */
export const newApi: Driver = {
  name: "new-api",
  async start(world) {
    if (!isInstalled("new-api"))
      throw new Error("new-api is needed on the PATH. Build it from github.com/QuantumNous/new-api.");
    const folder = await mkdtemp(join(tmpdir(), "exact-money-new-api-"));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = { PORT: String(port), SQLITE_PATH: join(folder, "one-api.db"), GLOBAL_API_RATE_LIMIT_ENABLE: "false" };
    const stop = await startProgram(["new-api", "--log-dir", folder], env, `${url}/api/status`);
    const root = { username: "root", password, confirmPassword: password };
    await anonymous(url)("POST", "/api/setup", { ...root, SelfUseModeEnabled: false, DemoSiteEnabled: false });
    const admin = await logIn(url, "root");
    await configure(admin.call, world);
    return {
      url: `${url}/v1`,
      abilities: { accounts: accountsOf(url, admin.call), cachePrices: true, messages: true, embeddings: true },
      async stop() {
        await stop();
        await rm(folder, { recursive: true });
      },
    };
  },
};

type Call = <Data>(method: string, path: string, body?: object) => Promise<Data>;

/** Every answer of its API has the status 200, and says in `success` whether it worked. */
function caller(url: string, headers: Readonly<Record<string, string>>): Call {
  return async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (answer.success === true) return answer.data;
    throw new Error(`new-api refused ${method} ${path}: ${JSON.stringify(answer)}`);
  };
}

const anonymous = (url: string): Call => caller(url, {});

async function logIn(url: string, username: string): Promise<{ readonly id: number; readonly call: Call }> {
  const response = await fetch(`${url}/api/user/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
  const { data }: { readonly data?: { readonly id: number } } = await response.json();
  if (data === undefined) throw new Error(`new-api did not log in the user ${username}.`);
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  return { id: data.id, call: caller(url, { cookie, "new-api-user": String(data.id) }) };
}

/** A ratio of 1 is 2 units of the currency for a million tokens. Other prices are multiples of that of the prompt. */
async function configure(call: Call, { upstream }: World): Promise<void> {
  const all = Object.values<World["models"][number]>(models);
  const ratios = (of: (prices: World["models"][number]["prices"]) => bigint) =>
    JSON.stringify(Object.fromEntries(all.map(({ id, prices }) => [id, Number(of(prices)) / Number(prices.input)])));
  const inputs = Object.fromEntries(all.map(({ id, prices }) => [id, Number(prices.input) / Number(nanoPerQuota)]));
  await call("PUT", "/api/option/", { key: "ModelRatio", value: JSON.stringify(inputs) });
  await call("PUT", "/api/option/", { key: "CompletionRatio", value: ratios(({ output }) => output) });
  await call("PUT", "/api/option/", { key: "CacheRatio", value: ratios(({ cached, input }) => cached ?? input) });
  const channels = { openai: { type: 1, apis: ["chat", "embeddings"] }, anthropic: { type: 14, apis: ["messages"] } };
  for (const [name, { type, apis }] of Object.entries(channels)) {
    const ids = all.filter(({ api }) => apis.includes(api)).map(({ id }) => id);
    const base_url = upstream.url.replace(/\/v1$/, "");
    const channel = {
      type,
      name,
      key: upstream.apiKey,
      base_url,
      models: ids.join(","),
      group: "default",
      groups: ["default"],
    };
    await call("POST", "/api/channel/", { mode: "single", channel });
  }
}

interface LogLine {
  readonly id: number;
  readonly quota: number;
}

function accountsOf(url: string, admin: Call): Accounts {
  const users = new Map<string, Awaited<ReturnType<typeof logIn>>>();
  const credits = new Map<string, Map<string, bigint>>();
  async function userOf(account: string) {
    const known = users.get(account);
    if (known !== undefined) return known;
    const username = account.replaceAll(/[^0-9a-f]/g, "").slice(-12);
    await admin("POST", "/api/user/", { username, password, display_name: username });
    const user = await logIn(url, username);
    users.set(account, user);
    return user;
  }
  const creditsOf = (account: string) => credits.get(account) ?? new Map<string, bigint>();
  return {
    async createKey({ account }) {
      const { call } = await userOf(account);
      await call("POST", "/api/token/", { name: "suite", unlimited_quota: true, expired_time: -1 });
      const { items } = await call<{ items: readonly { id: number }[] }>("GET", "/api/token/?p=1&page_size=100");
      const id = Math.max(...items.map((token) => token.id));
      const { key } = await call<{ key: string }>("POST", `/api/token/${id}/key`);
      return { id: String(id), secret: `sk-${key.replace(/^sk-/, "")}` };
    },
    async credit({ account, amount, id }) {
      const { id: user } = await userOf(account);
      if (creditsOf(account).has(id)) return;
      credits.set(account, creditsOf(account).set(id, amount));
      await admin("POST", "/api/user/manage", {
        id: user,
        action: "add_quota",
        mode: "add",
        value: Number(amount / nanoPerQuota),
      });
    },
    async balance(account) {
      const { quota } = await (await userOf(account)).call<{ quota: number }>("GET", "/api/user/self");
      return { posted: BigInt(quota) * nanoPerQuota, held: 0n };
    },
    async entries(account) {
      const { call } = await userOf(account);
      const { items } = await call<{ items: readonly LogLine[] }>("GET", "/api/log/self?type=2&p=1&page_size=100");
      const paid = [...creditsOf(account)].map(([reference, amount]) => ({
        kind: "credit" as const,
        amount,
        reference,
      }));
      const lines = items.map(({ id, quota }) => ({
        kind: "charge" as const,
        amount: -BigInt(quota) * nanoPerQuota,
        reference: String(id),
      }));
      return [...paid, ...lines];
    },
  };
}
