import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Ability,
  cases,
  countOutcomes,
  type Driver,
  defineCase,
  failureLine,
  openAccount,
  runCommand,
  runSuite,
  summaryLines,
} from "@tollgate/exact-money";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { bundleWorkers } from "../support/bundle-workers.ts";
import { naiveGateway } from "./naive-gateway.ts";
import { tollgate } from "./tollgate/driver.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));

beforeAll(() => bundleWorkers({ entry: [`${folder}tollgate/gateway-process.ts`], outDir: `${folder}dist` }));

describe("the exact-money suite", () => {
  it("has cases with different ids, of which each says one sentence", () => {
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
    expect(cases.filter(({ id, says }) => !/^[a-z0-9-]+$/.test(id) || !/^[A-Z1-9].*\.$/.test(says))).toEqual([]);
  });

  it.concurrent("passes on the memory store, where only what needs another store is not applicable", async () => {
    const result = await runSuite({ driver: tollgate("memory"), cases });
    expect(result.results.map(failureLine).filter((line) => line !== undefined)).toEqual([]);
    const lacking = result.results.flatMap(({ outcome }) => (outcome.kind === "not applicable" ? outcome.missing : []));
    const needsAnotherStore: readonly Ability[] = ["failover", "killAndRestart", "secondProcess", "storeOutage"];
    expect(lacking.filter((ability) => !needsAnotherStore.includes(ability))).toEqual([]);
    expect(countOutcomes(result).passed).toBeGreaterThan(90);
  }, 240_000);

  it.concurrent("fails on a gateway that charges at the end what the provider tells", async () => {
    const faults = [
      "overspend-key",
      "overspend-credit-once",
      "cap-choices",
      "usage-absent",
      "usage-negative",
      "usage-absurd",
      "abort-frame-3",
      "abort-repeatedly",
      "break-frame-4",
    ];
    const chosen = cases.filter(({ id }) => ["usage-json", "overspend-empty", ...faults].includes(id));
    const { results } = await runSuite({ driver: naiveGateway, cases: chosen, patienceMs: 1_000 });
    const failed = results.filter(({ outcome }) => outcome.kind === "failed").map((result) => result.case.id);
    expect(failed.sort()).toEqual([...faults].sort());
  }, 240_000);

  it("fails a case whose account is charged after it has ended", async () => {
    const opens = defineCase("Test", {
      id: "opens",
      says: "An account is opened.",
      needs: ["accounts"],
      run: async (context) => void (await openAccount(context)),
    });
    const [sound, late] = await Promise.all(
      [naiveGateway, chargingLater].map((driver) => runSuite({ driver, cases: [opens] })),
    );
    expect([sound, late].map((result) => result?.results[0]?.outcome.kind)).toEqual(["passed", "failed"]);
  });

  it("says of a gateway without keys which cases do not apply, and counts none of them as failed", async () => {
    const chosen = cases.filter(({ id }) => id === "told-once" || id === "overspend-key");
    const result = await runSuite({ driver: withoutAccounts, cases: chosen });
    expect(summaryLines(result)).toEqual([
      "forwarding: 1 not applicable, for lack of prepaid accounts with a ledger (1)",
      "forwarding: 1 passed, 0 failed",
    ]);
  });

  it("writes its results between the two marks of a page, and leaves the rest as it is", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "exact-money-")), "page.md");
    writeFileSync(file, "# Page\n\n<!-- results -->\n\nOld.\n\n<!-- end of results -->\n\nEnd.\n");
    const args = ["--driver", "forwarding", "--case", "told-once", "--case", "overspend-key", "--markdown", file];
    expect(await runCommand(args, [withoutAccounts])).toBe(0);
    const page = readFileSync(file, "utf8");
    expect(page).toMatch(/^# Page\n\n<!-- results -->\n\n\| driver .*<!-- end of results -->\n\nEnd\.\n$/s);
    expect(page).toContain("| forwarding | 1 | 0 | 1 |");
    expect(page).toMatch(/^\| `told-once` \| .* \| passed \|$/m);
    expect(page).toContain("not applicable: no prepaid accounts with a ledger |");
    expect(page).not.toContain("Old.");
  });

  it.each([
    [[], /^exact-money --driver DRIVER/],
    [["--driver", "nothing.js"], /There is no driver at .*nothing\.js\. Pass the path of a module\./],
    [
      ["--driver", "forwarding", "--case", "told-twice"],
      /There is no case "told-twice"\. Those of its group are told-usage-json, /,
    ],
  ])("does not start with the arguments %j, and says what to pass", async (args, message) => {
    const error = vi.spyOn(console, "error").mockReturnValue(undefined);
    expect(await runCommand(args, [withoutAccounts])).toBe(2);
    expect(error.mock.calls.join()).toMatch(message);
    error.mockRestore();
  });
});

/** Charges an account as soon as its balance has been read. */
const chargingLater: Driver = {
  name: "charging later",
  async start(world) {
    const gateway = await naiveGateway.start(world);
    const { accounts } = gateway.abilities;
    if (accounts === undefined) throw new Error("The naive gateway has no accounts.");
    const balance = async (account: string) => {
      const read = await accounts.balance(account);
      await accounts.credit({ account, amount: -1n, id: "late" });
      return read;
    };
    return { ...gateway, abilities: { accounts: { ...accounts, balance } } };
  },
};

/** The provider itself, which forwards nothing and has no keys. */
const withoutAccounts: Driver = {
  name: "forwarding",
  start: async ({ upstream }) => ({ url: upstream.url, abilities: {}, stop: async () => undefined }),
};
