import { expect } from "vitest";
import { printFigures } from "../figures.ts";
import type { AttackedOptions } from "./attacked-gateway.ts";
import { AttackedProcess } from "./attacked-process.ts";
import { expectQuiet } from "./expect-quiet.ts";
import type { HostReport, MountAddress } from "./host-report.ts";
import { askSteadily } from "./steady-client.ts";

/** An attack of many clients. */
export interface Attack {
  readonly title: string;
  readonly options?: AttackedOptions;
  /** The most that the process may grow, in MB. */
  readonly growthMB: number;
  /** How many hostile connections still wait for their answers, or do not read them, when a steady client has all of its own. */
  readonly stillOpen: number;
  /** Opens the hostile clients. Returns a function that ends the attack. */
  begin(address: MountAddress, attacked: AttackedProcess): Promise<() => void | Promise<void>>;
  /** Checks the mount while the attack lasts. */
  check?(report: HostReport): void;
}

const megabyte = 1024 * 1024;

/**
 * Attacks a mount in a process of its own, while a steady client sends requests. Fails if the client is not served before the
 * hostile ones, if the process grows too much, or if anything is left afterwards. Prints the figures.
 */
export async function withstand(mount: string, attack: Attack): Promise<void> {
  const attacked = await AttackedProcess.start([mount], attack.options);
  try {
    const address = attacked.at(mount);
    await askSteadily(address);
    const before = await attacked.report(mount);
    const quietMs = await askSteadily(address);
    const end = await attack.begin(address, attacked);
    const attackedMs = await askSteadily(address);
    const during = await attacked.report(mount);
    attack.check?.(during);
    expect(during.connections).toBeGreaterThanOrEqual(attack.stillOpen);
    await end();
    const after = await expectQuiet(attacked, mount);
    printFigures(`${attack.title} at ${mount}`, {
      "MB before": toMB(before.rss),
      "at its highest": toMB(after.peakRss),
      after: toMB(after.rss),
      connections: during.connections,
      "median ms of a steady client before": quietMs.toFixed(1),
      "and meanwhile": attackedMs.toFixed(1),
    });
    expect(toMB(after.peakRss - before.rss)).toBeLessThan(attack.growthMB);
  } finally {
    await attacked.stop();
  }
}

const toMB = (bytes: number): number => Math.round(bytes / megabyte);
