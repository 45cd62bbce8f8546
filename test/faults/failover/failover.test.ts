import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasEveryProgram } from "../../support/own-postgres.ts";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import { type FailoverReport, failOverUnderLoad } from "./fail-over-under-load.ts";
import { type Failure, failures, PostgresPair } from "./postgres-pair.ts";
import { Service } from "./service.ts";

const failovers = { long: 50, short: 3 }[form];
const failureAt = (round: number): Failure => failures[round % failures.length] ?? "crashed";

describe.skipIf(!hasEveryProgram)("a failover of PostgreSQL (needs Debian's postgresql)", () => {
  describe("to a standby that applies each commit before it is acknowledged", () => {
    const { failOver } = servedBy("remote_apply");

    it.each(Array.from({ length: failovers }, (_, at) => [at + 1, failureAt(at)] as const))(
      "loses nothing and charges nothing twice, and clients get their answer or 503 (%i: %s)",
      async (_round, failure) => expectNothingLost(await failOver(failure), failure),
      120_000,
    );
  });

  if (form === "short") return;

  describe("to a standby that writes each commit to disk before it is acknowledged", () => {
    const { failOver } = servedBy("on");

    it.each(failures)(
      "loses nothing either (%s)",
      async (failure) => expectNothingLost(await failOver(failure), failure),
      120_000,
    );
  });

  describe("to a standby that commits do not wait for", () => {
    const { failOver } = servedBy("local");

    it("loses what the standby had not received, which the tests notice", async () => {
      const { violations, differences } = await failOver("cut off");
      printFigures("Commits that do not wait", { violations: violations.length, differences: differences.length });
      expect(violations.map(({ kind }) => kind)).toContain("lost");
      expect(differences).toContainEqual(expect.stringMatching(/answered with 200, and charged nothing/));
    }, 120_000);
  });
});

/** Starts a pair of servers and gateways on it before the tests of a group. */
function servedBy(synchronousCommit: "remote_apply" | "on" | "local") {
  let pair: PostgresPair;
  let service: Service;
  beforeAll(async () => {
    pair = await PostgresPair.start(synchronousCommit);
    service = await Service.start(pair.url, 4);
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await pair?.stop();
  });
  return { failOver: (failure: Failure) => failOverUnderLoad(pair, service, failure) };
}

function expectNothingLost(report: FailoverReport, failure: Failure): void {
  const { violations, differences, deaths, statuses, servedAfterMs, figures } = report;
  const { holds = 0, settles = 0, credits = 0, ["settles repeated"]: repeated = 0 } = figures;
  printFigures(`Failover (${failure})`, {
    ...{ "served after ms": servedAfterMs, holds, settles, credits, "settles repeated": repeated },
    ...Object.fromEntries(Object.entries(statuses).map(([status, count]) => [`answers of ${status}`, count])),
  });
  expect({ violations, differences, deaths }).toEqual({ violations: [], differences: [], deaths: [] });
  expect(settles).toBeGreaterThan(0);
  // An idle machine serves again within this time. In the short form, other tests run beside this one.
  if (form === "long") expect(servedAfterMs).toBeLessThan(5_000);
}
