import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { sqliteBalanceStore } from "@tollgate/sqlite";
import { vi } from "vitest";
import { type NoticeReceiver, noticeReceiver } from "../../support/notice-receiver.ts";
import { KilledWorkers } from "../processes/killed-workers.ts";
import type { NoticeTask } from "../processes/notice-worker.ts";
import { workerPath } from "../processes/worker-path.ts";
import { limit, noticingGateway } from "./noticing-gateway.ts";

/** What is left of the notices of processes that were killed. */
export interface KilledDeliveries {
  readonly kills: number;
  readonly deaths: readonly string[];
  /** The number of accounts that crossed the threshold by the ledger, and those of them whose notice was never accepted. */
  readonly crossed: number;
  readonly lost: readonly string[];
  /** The ids of notices that were never answered while processes were killed, and those of them that came again afterwards. */
  readonly unanswered: ReadonlySet<string>;
  readonly repeated: readonly string[];
}

/** A claim outlives its process by 60 s. */
const afterLeasesMs = 61_000;

type Store = ReturnType<typeof sqliteBalanceStore>;

/**
 * Kills processes while an endpoint has their notices and has not answered, so between the claim and the end of each. Then
 * another process delivers what is in the outbox.
 */
export async function killDeliveries(kills: number, finishesEarly = false): Promise<KilledDeliveries> {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-notices-"));
  const file = join(folder, "ledger.db");
  const database = new DatabaseSync(file);
  const store = sqliteBalanceStore(database);
  const receiver = await noticeReceiver();
  const accepted = new Set<string>();
  const unanswered = new Set<string>();
  answerOnly(receiver, accepted, (id) => {
    const accepts = randomInt(2) === 0;
    if (!accepts) unanswered.add(id);
    return accepts;
  });
  const task = { file, endpoint: receiver.endpoint, finishesEarly };
  const workers = new KilledWorkers<NoticeTask>(workerPath("notice-worker"), folder, task);
  try {
    workers.start(2);
    while (workers.kills < kills) {
      const known = unanswered.size;
      await vi.waitFor(() => unanswered.size > known || Promise.reject(new Error("No notice came.")), 30_000);
      await workers.killOne();
    }
    await workers.stop();
    answerOnly(receiver, accepted, () => true);
    const before = receiver.notices.length;
    await rescue(store, receiver);
    const again = receiver.notices.slice(before).map(({ id }) => id);
    const crossed = await crossedAccounts(store);
    return {
      kills: workers.kills,
      deaths: workers.deaths,
      crossed: crossed.length,
      lost: crossed.filter((account) => !accepted.has(account)),
      unanswered,
      repeated: again.filter((id) => unanswered.has(id)),
    };
  } finally {
    await workers.stop();
    await receiver.target.close();
    database.close();
    rmSync(folder, { recursive: true });
  }
}

/** Accepts the notices that `accepts` names, and never answers others. */
function answerOnly(receiver: NoticeReceiver, accepted: Set<string>, accepts: (id: string) => boolean): void {
  receiver.answer = ({ id, type, data }, res) => {
    if (!accepts(id)) return;
    if (type === "spend.threshold") accepted.add(String(data["account"]));
    res.writeHead(204).end();
  };
}

/** Delivers everything that is left, after the leases of the killed processes. */
async function rescue(store: Store, { endpoint }: NoticeReceiver): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + afterLeasesMs });
  const { gateway, spend } = noticingGateway(store, endpoint);
  try {
    await spend();
    // The outbox is empty when a claim without a lease finds nothing, even after every other lease.
    await vi.waitFor(
      async () => {
        vi.setSystemTime(Date.now() + afterLeasesMs);
        const left = await store.claimNotices({ limit: 1, leaseMs: 0 });
        if (left.length > 0) throw new Error("The outbox has notices.");
      },
      { timeout: 60_000, interval: 2_000 },
    );
  } finally {
    await gateway.drain({ timeoutMs: 5_000 });
    vi.useRealTimers();
  }
}

/** Each account with the half of its limit spent has crossed the threshold of 50 percent, by the ledger. */
async function crossedAccounts(store: Store): Promise<readonly string[]> {
  const { accounts } = await store.listAccounts({ limit: 10_000 });
  const ids = accounts.map(({ id }) => id);
  const states = await store.spendOf(ids.map((id) => ({ scope: "account", id, limit })));
  return ids.filter((_, index) => (states[index]?.spent ?? 0n) * 2n >= limit.limit);
}
