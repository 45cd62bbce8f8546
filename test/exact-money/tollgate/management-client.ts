import { type Accounts, asDecimal, asNano, type Entry, type Key } from "@tollgate/exact-money";

/** Calls the management API at a base URL. Throws an error with the answer for any status but 2xx. */
export function managementClient(url: string, token: string) {
  async function call(
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        connection: "close",
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.ok) return text;
    throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  }
  const at = (account: string): string => `/accounts/${encodeURIComponent(account)}`;
  const accounts: Accounts = {
    async createKey({ account, plan = "standard", spend, spendModels }) {
      const limit = spend === undefined ? {} : { limit: asDecimal(spend), window: "total" };
      const models = spendModels === undefined ? {} : { models: spendModels };
      const limits = spend === undefined ? {} : { spend: { ...limit, ...models } };
      return keyIn(await call("POST", "/keys", { account, plan, ...limits }));
    },
    async credit({ account, amount, id }) {
      const body = { amount: asDecimal(amount), reason: "suite" };
      await call("POST", `${at(account)}/credits`, body, { "idempotency-key": id });
    },
    async balance(account) {
      const { posted, held }: AccountAnswer = JSON.parse(await call("GET", at(account)));
      return { posted: asNano(posted), held: asNano(held) };
    },
    async entries(account) {
      const lines = (await call("GET", `${at(account)}/entries?format=jsonl`))
        .split("\n")
        .filter((line) => line !== "");
      return lines.map((line) => entryOf(JSON.parse(line)));
    },
  };
  return {
    accounts,
    limitAccount: async (account: string, amount: bigint) =>
      void (await call("PUT", `${at(account)}/spend-limit`, { limit: asDecimal(amount), window: "total" })),
    keyChanges: {
      revoke: async (keyId: string) => void (await call("POST", `/keys/${keyId}/revoke`)),
      rotate: async (keyId: string) => keyIn(await call("POST", `/keys/${keyId}/rotate`, { grace_seconds: 0 })),
    },
    freezing: {
      freeze: async (account: string) => void (await call("POST", `${at(account)}/freeze`, { reason: "suite" })),
      thaw: async (account: string) => void (await call("POST", `${at(account)}/thaw`, { reason: "suite" })),
    },
  };
}

interface AccountAnswer {
  readonly posted: string;
  readonly held: string;
}

interface EntryAnswer {
  readonly kind: string;
  readonly amount: string;
  readonly reference: string;
}

/** A charge, an expiry and a late settlement have the id of their hold as reference. */
const kinds: Readonly<Record<string, Entry["kind"]>> = {
  credit: "credit",
  charge: "charge",
  expiry: "charge",
  late: "charge",
};

const entryOf = ({ kind, amount, reference }: EntryAnswer): Entry => ({
  kind: kinds[kind] ?? "other",
  amount: asNano(amount),
  reference,
});

function keyIn(answer: string): Key {
  const { key, secret }: { readonly key: { readonly id: string }; readonly secret: string } = JSON.parse(answer);
  return { id: key.id, secret };
}
