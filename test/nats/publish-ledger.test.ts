import { DatabaseSync } from "@photostructure/sqlite";
import { type LedgerDelayedEvent, positionInBucket, publishLedger } from "@tollgate/nats";
import { sqliteBalanceStore, sqliteEntryFeed } from "@tollgate/sqlite";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openLedgerStream } from "./ledger-stream.ts";
import { OwnNatsServer, onNats, withoutNats } from "./own-nats-server.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function scene() {
  const server = await OwnNatsServer.start();
  closing.push(() => server.stop());
  const stream = await openLedgerStream(server.url);
  const database = new DatabaseSync(":memory:");
  closing.push(
    () => database.close(),
    () => stream.close(),
  );
  const balances = sqliteBalanceStore(database);
  const events: LedgerDelayedEvent[] = [];
  const start = (key?: string) => {
    const published = publishLedger({
      feed: sqliteEntryFeed(database),
      jetstream: stream.jetstream,
      position: positionInBucket(stream.bucket, key),
      pollMs: 10,
      observer: (event) => events.push(event),
    });
    closing.push(() => published.close());
    return published;
  };
  const credit = (account: string, amount: string) =>
    balances.credit({ id: crypto.randomUUID(), account, amount, reason: "top-up" });
  const reached = (published: { readonly position: bigint }, sequence: bigint) =>
    vi.waitFor(() => expect(published.position).toBe(sequence), { timeout: 10_000, interval: 10 });
  return { server, stream, balances, credit, start, reached, events };
}

describe.skipIf(withoutNats)(onNats("the ledger in NATS"), () => {
  it("has each entry once, by kind, with exact amounts", async () => {
    const { stream, balances, credit, start, reached } = await scene();
    await credit("acme", "9007199254.740993001");
    const published = start();
    await reached(published, 1n);
    await balances.debit({ id: "correction", account: "acme", amount: "0.5", reason: "correction" });
    await reached(published, 2n);
    const [first, second, ...others] = await stream.messages();
    expect(others).toEqual([]);
    expect(first?.subject).toBe("tollgate.entries.credit");
    expect(first?.content).toMatchObject({
      id: "tollgate-1",
      sequence: "1",
      account: "acme",
      kind: "credit",
      amount: "9007199254.740993001",
      reason: "top-up",
    });
    expect(second?.subject).toBe("tollgate.entries.debit");
    expect(second?.content).toMatchObject({ id: "tollgate-2", amount: "-0.5", reference: "correction" });
  });

  it("goes on after its position when it is closed and started again", async () => {
    const { stream, credit, start, reached } = await scene();
    await credit("acme", "1");
    const published = start();
    await reached(published, 1n);
    await published.close();
    await credit("acme", "2");
    expect(await stream.messages()).toHaveLength(1);
    await reached(start(), 2n);
    expect(await stream.messages()).toHaveLength(2);
  });

  it("publishes everything again without its position, and the stream drops what it has", async () => {
    const { stream, credit, start, reached } = await scene();
    for (const amount of ["1", "2", "3"]) await credit("acme", amount);
    await reached(start(), 3n);
    await credit("acme", "4");
    await reached(start("lost"), 4n);
    expect((await stream.messages()).map(({ content }) => content["id"])).toEqual(
      [1, 2, 3, 4].map((sequence) => `tollgate-${sequence}`),
    );
  });

  it("reports a server that is unavailable, and publishes when it is back", async () => {
    const { server, stream, credit, start, reached, events } = await scene();
    const published = start();
    await credit("acme", "1");
    await reached(published, 1n);
    await server.kill();
    await credit("acme", "2");
    await vi.waitFor(() => expect(events.map(({ type }) => type)).toContain("ledger.delayed"), 15_000);
    await server.start();
    await reached(published, 2n);
    expect(await stream.messages()).toHaveLength(2);
  });

  it("refuses a saved position that is no sequence number", async () => {
    const { stream, start, events } = await scene();
    await stream.bucket.put("entries", "somewhere");
    start();
    await vi.waitFor(() => expect(String(events[0]?.cause)).toContain('has "somewhere"'));
  });
});
