import { equal } from "node:assert/strict";
import type { EndResult } from "@tollgate/core/store";
import { callConcurrently } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { type BalanceContext, chargeReceipt, holdRequest } from "./context.ts";

/** The cases of different methods that run concurrently. */
export const raceCases: Cases<BalanceContext> = {
  "exactly one of settlement, release and expiry takes effect": async (context) => {
    const { store, peer } = context;
    await context.credit(10_000n);
    const ids = await Promise.all(Array.from({ length: 30 }, () => context.held(100n)));
    await store.renew(
      ids.map((id) => ({ id, account: context.account, used: 5n })),
      20,
    );
    await context.wait(40);
    const ends = await Promise.all(
      ids.map(async (id, at) => {
        const settle = async () => store.settle({ id, account: context.account }, 60n, chargeReceipt());
        const release = async () => peer.release({ id, account: context.account });
        const sweep = async () => (at % 5 === 4 ? store.expire() : 0);
        // The order alternates, so that a store without parallelism is tested with each outcome.
        const [settled, released] =
          at % 2 === 0
            ? await Promise.all([settle(), release(), sweep()])
            : await Promise.all([release(), settle(), sweep()]).then(([second, first]) => [first, second] as const);
        return { settled, released };
      }),
    );
    for (const end of ends) equal(winners(end), 1, `settle: ${end.settled.outcome}, release: ${end.released.outcome}`);
    const charged = ends.filter(({ settled }) => settled.outcome !== "conflict").length;
    await context.expectBalance(10_000n - 60n * BigInt(charged), 0n);
  },
  "a concurrent expiry and settlement charge the settlement's amount": async (context) => {
    const { store, peer } = context;
    await context.credit(10_000n);
    const ids = await Promise.all(Array.from({ length: 30 }, () => context.held(100n)));
    await store.renew(
      ids.map((id) => ({ id, account: context.account, used: 5n })),
      20,
    );
    await context.wait(40);
    const sweeps = Promise.all(Array.from({ length: 5 }, async () => peer.expire()));
    const settled = await Promise.all(
      ids.map(async (id) => store.settle({ id, account: context.account }, 60n, chargeReceipt())),
    );
    await sweeps;
    for (const { outcome } of settled) equal(outcome === "ended" || outcome === "late", true, outcome);
    await context.expectBalance(10_000n - 60n * 30n, 0n);
  },
  "released amounts can be held again, and the balance stays correct under concurrent calls": async (context) => {
    await context.credit(1_000n);
    const charges = await callConcurrently(context, 80, async (client, at) => {
      const request = holdRequest(context.account, 100n);
      if ((await client.hold(request)).outcome !== "held") return 0n;
      await client.renew([{ id: request.id, account: context.account, used: BigInt(at % 3) }], 60_000);
      if (at % 4 === 0) return ended(await client.release(request), 0n);
      return ended(await client.settle(request, BigInt(at % 5), chargeReceipt()), BigInt(at % 5));
    });
    await context.expectBalance(1_000n - charges.reduce((sum, charge) => sum + charge, 0n), 0n);
  },
  "accounts are independent": async (context) => {
    await context.credit(1_000n);
    const accounts = Array.from({ length: 20 }, (_, at) => `${context.account}-${at}`);
    await callConcurrently(context, 20, async (client, at) => {
      const account = accounts[at] ?? "";
      await client.credit({ id: crypto.randomUUID(), account, amount: BigInt(at + 10), reason: "top-up" });
      const request = holdRequest(account, 10n);
      equal((await client.hold(request)).outcome, "held");
      await client.settle(request, BigInt(at % 10), chargeReceipt());
    });
    for (const [at, account] of accounts.entries()) {
      equal((await context.store.balance(account)).available, BigInt(at + 10 - (at % 10)));
    }
    await context.expectBalance(1_000n, 0n);
  },
};

function winners({ settled, released }: { readonly settled: EndResult; readonly released: EndResult }): number {
  return Number(settled.outcome === "ended" || settled.outcome === "late") + Number(released.outcome === "ended");
}

function ended(result: EndResult, charge: bigint): bigint {
  equal(result.outcome, "ended");
  return charge;
}
