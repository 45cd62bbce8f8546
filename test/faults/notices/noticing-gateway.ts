import { createGateway, memoryKeyStore, type NoticeEndpoint } from "@tollgate/core";
import type { BalanceStore, NoticeOutbox, SpendLimit } from "@tollgate/core/store";
import { webhookRunner } from "@tollgate/node";
import { completionOf, scriptedProvider } from "../../support/scripted-provider.ts";

/** The limit of each account in the tests that kill processes, of which a request costs 55 percent. */
export const limit = { limit: 200_000n, window: "total" } as const satisfies SpendLimit;

const usage = { prompt_tokens: 110, completion_tokens: 0, total_tokens: 110 };

/** Returns a gateway that tells an endpoint of the notices in its ledger, and a function that sends a request of a new account. */
export function noticingGateway(balances: BalanceStore & NoticeOutbox, endpoint: NoticeEndpoint) {
  const keys = memoryKeyStore();
  const provider = scriptedProvider({ complete: async () => completionOf("Hi", usage) });
  const gateway = createGateway({
    keys,
    balances,
    plans: [{ id: "limited", billing: "prepaid", spend: { limit: "0.0002", window: "total" } }],
    models: [
      {
        id: "plain",
        maxOutputTokens: 1_000,
        price: { input: "1", output: "2" },
        targets: [{ provider, model: "plain" }],
      },
    ],
    notices: {
      outbox: balances,
      runner: webhookRunner({ allowedTargets: [new URL(endpoint.url).host] }),
      endpoints: [endpoint],
    },
    observer: () => undefined,
  });
  return {
    gateway,
    async spend(): Promise<number> {
      const account = crypto.randomUUID();
      await balances.credit({ id: account, account, amount: 1_000_000_000n, reason: "test" });
      const { secret } = await keys.create({ account, plan: "limited" });
      const request = new Request("http://gateway.test/router/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "plain", max_tokens: 1, messages: [{ role: "user", content: "Hello" }] }),
      });
      return (await gateway.fetch(request)).status;
    },
  };
}
