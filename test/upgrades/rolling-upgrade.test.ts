import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresStores } from "@tollgate/postgres";
import { postgresPaymentStore } from "@tollgate/postgres/payments";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { printFigures } from "../faults/figures.ts";
import { compareBooks } from "../soak/check/books.ts";
import { GatewayChild } from "../soak/gateway/gateway-child.ts";
import { type GatewayTask, severeEvents } from "../soak/gateway/gateway-task.ts";
import { Load } from "../soak/load/load.ts";
import { type Customer, opening } from "../soak/scene.ts";
import { type CountingUpstream, startCountingUpstream } from "../soak/upstream/counting-upstream.ts";
import { buildGateway, releases } from "./build-release.ts";
import { continuedIn, nextCall } from "./conversing-load.ts";
import {
  expectOneConversation,
  expectOneLimit,
  expectOneSpendLimit,
  expectPaymentsBesides,
  expectShared,
} from "./exchanges.ts";
import { Fleet, untilAnswered } from "./fleet.ts";

const [postgres, redis] = [inject("postgres"), inject("redis")];
const ratePerSecond = 20;

describe.skipIf(postgres === undefined || redis === undefined).each(releases)("an upgrade from %s", (release) => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-upgrade-"));
  const schema = `upgrade_${crypto.randomUUID().slice(0, 8)}`;
  const pool = new Pool({ connectionString: postgres, max: 4 });
  const programs = { old: "", new: "" };
  let upstream: CountingUpstream;
  let task: GatewayTask;

  beforeAll(async () => {
    upstream = await startCountingUpstream();
    const servers = { postgres: postgres ?? "", redis: redis ?? "", upstream: upstream.url };
    task = { ...servers, schema, migrate: false, leaseMs: 6_000, storeTimeoutMs: 20_000 };
    programs.old = await buildGateway(join(folder, "old"), release);
    programs.new = await buildGateway(join(folder, "new"));
  }, 120_000);
  afterAll(async () => {
    await upstream.close();
    await pool.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    await pool.end();
    rmSync(folder, { recursive: true });
  });

  it("process by process loses no answer, no charge and no stored response", async () => {
    const fleet = new Fleet(programs, task);
    const customers: Customer[] = [];
    const load = new Load(() => fleet.serving, customers);
    const end = new AbortController();
    try {
      const first = await fleet.start("old", true);
      const second = await fleet.start("old", false);
      customers.push(await createCustomer(first));
      const running = load.runAt(ratePerSecond, () => nextCall(load.records), end.signal);
      await untilAnswered(load, [first, second], 20);

      // It migrates the schema under the processes of the old version.
      const third = await fleet.start("new", true);
      await fleet.retire(first);
      await untilAnswered(load, [second, third], 20);
      await expectShared(second, third);
      await expectShared(third, second);
      const { balances } = await postgresStores(pool, { schema, migrate: false });
      await expectPaymentsBesides(second, { balances, payments: postgresPaymentStore(pool, { balances, schema }) });
      await expectOneConversation(second, third);
      await expectOneConversation(third, second);
      await expectOneLimit(second, third);
      await expectOneSpendLimit(third, second);
      await expect(GatewayChild.start("old-again", programs.old, { ...task, migrate: true })).rejects.toThrow(
        /Deploy a newer version of @tollgate\/postgres/,
      );

      const fourth = await fleet.start("new", false);
      await fleet.retire(second);
      await untilAnswered(load, [third, fourth], 20);
      await fleet.untilNotified();
      end.abort();
      await running;
      await load.end();
      await fleet.retire(third);
      await fleet.retire(fourth);
    } finally {
      end.abort();
      await fleet.kill();
    }

    const { records } = load;
    expect(records.filter(({ outcome }) => outcome.kind !== "whole")).toEqual([]);
    const { balances, responses, usage } = await postgresStores(pool, { schema, migrate: false });
    const books = { stores: { balances, usage }, customers, records, sent: upstream.sent };
    const { violations, sums } = await compareBooks({ ...books, isUnsettled: () => false, losing: new Set() });
    expect(violations).toEqual([]);
    expect(sums.bound).toBe(0n);

    const continued = continuedIn(records);
    const across = (from: string, to: string) =>
      continued.filter((each) => each.from.startsWith(from) && each.to.startsWith(to)).length;
    const figures = { requests: records.length, "continued by the new version": across("old", "new") };
    printFigures(`Upgrade from ${release}`, { ...figures, "by the old version": across("new", "old") });
    for (const { outcome } of records) {
      if (outcome.stored === undefined) continue;
      expect(await responses.find({ id: outcome.stored, account: "upgraded" })).toBeDefined();
    }

    const notices = fleet.drained.flatMap((sample) => sample.notices);
    expect(new Set(notices).size, "notices, each reported once").toBe(notices.length);
    const events = fleet.drained.flatMap((sample) => Object.keys(sample.events));
    expect(severeEvents.filter((type) => events.includes(type))).toEqual([]);
  }, 120_000);
});

async function createCustomer(child: GatewayChild): Promise<Customer> {
  const account = "upgraded";
  await child.credit(account, opening);
  const { secret } = await child.createKey({ account, plan: "prepaid" });
  return { account, secret };
}
