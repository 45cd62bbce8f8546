import type { PaymentEvent, PaymentStore } from "@tollgate/payments";
import { DatabaseError } from "pg";
import { expect, it } from "vitest";
import { lockWaiters } from "../../test-support/conversing.ts";
import { type Intercept, interceptedPool } from "../../test-support/intercepted-pool.ts";
import { gate } from "../../test-support/watched-pool.ts";
import { describeWithPostgres } from "../../test-support/with-postgres.ts";
import { type PostgresPool, postgresBalanceStore } from "../index.ts";
import { postgresPaymentStore } from "../payments.ts";

const rules = { refundsBelowZero: true };
const price = { amount: 1_000n, currency: "USD" };

describeWithPostgres("an event of a payment", ({ schema, pool }) => {
  const server = pool();
  const balances = postgresBalanceStore(server, { schema });
  const open = (from: PostgresPool = server) =>
    postgresPaymentStore(from, { schema, balances: postgresBalanceStore(from, { schema }) });
  const opened = (intercept: Intercept) => open(interceptedPool(server, intercept));

  it("is applied once after a transient error at any of its statements", async () => {
    const codes = ["40001", "40P01", "08006"];
    for (let at = 1, reached = true; reached; at++) {
      const { account, events } = await begun(open());
      let [count, failed] = [0, false];
      const store = opened(async (_statement, run) => {
        if (++count !== at) return run();
        failed = true;
        throw serverError(codes[at % codes.length] ?? "");
      });
      for (const event of events) expect((await store.apply(event, rules)).outcome).toBe("applied");
      expect((await balances.balance(account)).posted, `statement ${at}`).toBe(550n);
      reached = failed;
    }
    expect(await balances.verify()).toEqual([]);
  }, 60_000);

  it("whose answer to the commit is lost was applied once", async () => {
    const { account, events } = await begun(open());
    const lost = new Set<string>();
    const store = opened(async ({ text }, run) => {
      const result = await run();
      if (text !== "COMMIT" || lost.has(account)) return result;
      lost.add(account);
      throw new Error("Connection terminated unexpectedly");
    });
    const [paid, refund] = events;
    expect((await store.apply(paid, rules)).outcome).toBe("repeated");
    expect((await store.apply(refund, rules)).outcome).toBe("applied");
    expect((await balances.balance(account)).posted).toBe(550n);
  });

  it.each([
    ["a refund", "the payment", ["waiting", "applied"]],
    ["the payment", "a refund", ["applied", "applied"]],
  ] as const)("is not lost when %s is committed after %s has come", async (first, _second, outcomes) => {
    const { account, events } = await begun(open());
    const [early, late] = first === "a refund" ? events.toReversed() : events;
    if (early === undefined || late === undefined) throw new Error("There are two events.");
    const [atCommit, committing] = [gate(), gate()];
    const slow = opened(async ({ text }, run) => {
      if (text === "COMMIT") {
        atCommit.open();
        await committing.opened;
      }
      return run();
    });
    const application = `late ${schema} ${first}`.slice(0, 63);
    const running = slow.apply(early, rules);
    await atCommit.opened;
    const waiting = open(pool({ application_name: application })).apply(late, rules);
    await lockWaiters(server, application, 1);
    committing.open();
    expect([(await running).outcome, (await waiting).outcome]).toEqual(outcomes);
    expect((await balances.balance(account)).posted).toBe(550n);
    expect((await open().waitingEvents({ limit: 1_000 })).map(({ event }) => event.id)).not.toContain(late.id);
  });

  it("takes the locks of many others of the account in the same order, so that none fails", async () => {
    const account = crypto.randomUUID();
    const errors: unknown[] = [];
    const stores = [pool(), pool()].map((each) =>
      open(
        interceptedPool(each, (_statement, run) =>
          run().catch((error: unknown) => {
            errors.push(error);
            throw error;
          }),
        ),
      ),
    );
    const payments = await Promise.all(Array.from({ length: 24 }, () => begun(open(), account)));
    const events = payments.flatMap((payment) => payment.events);
    // Each event in both processes, one of them in the opposite order.
    const calls = stores.flatMap((store, index) =>
      (index === 0 ? events : events.toReversed()).map((event) => store.apply(event, rules)),
    );
    await Promise.all(calls);
    expect(errors).toEqual([]);
    expect((await balances.balance(account)).posted).toBe(24n * 550n);
    expect(await balances.verify()).toEqual([]);
  });
});

/** Begins a payment, and returns the events by which it is paid and half of it is refunded: 550 nano-units are left. */
async function begun(store: PaymentStore, account: string = crypto.randomUUID()) {
  const id = crypto.randomUUID();
  const common = { provider: "test", live: false };
  const at = new Date(0);
  // Another product for each payment, since a purchase that is pending is not begun twice.
  const product = { id: `product ${id}`, price, credit: 1_000n, bonus: 100n };
  await store.begin({ id, account, kind: "checkout", savesMethod: false, product, ...common }, { maxOpen: 100 });
  const paid: PaymentEvent = {
    ...common,
    at,
    id: `paid ${id}`,
    type: "payment.paid",
    payment: id,
    paid: price,
    receipt: { reference: `ref ${id}`, at, tax: 0n },
  };
  const refund: PaymentEvent = {
    ...common,
    at,
    id: `refund ${id}`,
    type: "payment.refunded",
    reference: paid.receipt.reference,
    refunded: { ...price, amount: 500n },
    charged: price,
  };
  return { account, events: [paid, refund] as const };
}

function serverError(code: string): Error {
  const error = new DatabaseError(`failed with ${code}`, 0, "error");
  error.code = code;
  return error;
}
