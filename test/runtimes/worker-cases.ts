import { parseAmount } from "@tollgate/core";
import { postgresStores } from "@tollgate/postgres";
import { expect, vi } from "vitest";
import { allEvents } from "../support/read-stream.ts";
import { post, type Scene, stalls } from "./cases.ts";
import type { Surroundings } from "./surroundings.ts";

/** Sends a stream through `examples/mounts/src/worker.ts`, and waits until its charge and its usage are recorded. */
export async function chargesStream(origin: string, { pool }: Surroundings): Promise<void> {
  const { keys, balances, usage } = await postgresStores(pool, { prefix: "acme" });
  const account = crypto.randomUUID();
  const { secret } = await keys.create({ account, plan: "prepaid" });
  await balances.credit({ id: crypto.randomUUID(), account, amount: parseAmount("5.00"), reason: "test" });
  const response = await fetch(`${origin}/router/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "acme-small", stream: true, messages: [{ role: "user", content: "Hello" }] }),
  });
  expect((await allEvents(response)).at(-1)).toBe("[DONE]");
  await vi.waitFor(async () => {
    const { rows } = await usage.list({ filter: { account }, limit: 2 });
    expect(rows).toMatchObject([{ model: "acme-small", status: 200, ending: "complete", cost: 23_000n }]);
  }, 5_000);
  expect(await balances.balance(account)).toMatchObject({ posted: parseAmount("5.00") - 23_000n, held: 0n });
}

/** Shows that a gateway which serves several requests on workerd ends their streams at their time limits. */
export async function sharedGatewayEndsStreams(shared: Scene): Promise<void> {
  const first = post(shared, "/router/v1/chat/completions", { model: "unknown", messages: [] });
  expect((await first).status).toBe(400);
  const streams = [await stalls(shared), await stalls(shared)];
  await Promise.all(streams.map(({ call }) => call.closed));
}
