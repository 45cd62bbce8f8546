import { createGateway, openaiCompatible, parseAmount } from "@tollgate/core";
import type { AccountAdmin, BalanceStore, KeyAdmin, KeyStore } from "@tollgate/core/store";
import type { ProbeSettings } from "./answer-probe.ts";

interface Stores {
  readonly keys: KeyStore & KeyAdmin;
  readonly balances: BalanceStore & AccountAdmin;
}

/** Sends a prepaid request through a gateway on these stores, and returns its status and what the account has left. */
export async function chargeThrough({ keys, balances }: Stores, { mockURL }: ProbeSettings) {
  const account = crypto.randomUUID();
  const { secret } = await keys.create({ account, plan: "prepaid" });
  await balances.credit({ id: crypto.randomUUID(), account, amount: parseAmount("5.00"), reason: "test" });
  const provider = openaiCompatible({ baseURL: mockURL, apiKey: "sk-upstream" });
  const gateway = createGateway({
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: [
      {
        id: "plain",
        maxOutputTokens: 1_000,
        contextWindow: 8_000,
        price: { input: "1", output: "2" },
        targets: [{ provider, model: "upstream-model" }],
      },
    ],
  });
  const response = await gateway.fetch(
    new Request("http://host.test/router/v1/chat/completions", {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "plain", messages: [{ role: "user", content: "Hello" }] }),
    }),
  );
  await response.text();
  await gateway.drain();
  const { posted, held } = await balances.balance(account);
  return { status: response.status, posted: String(posted), held: String(held) };
}
