import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ByScenario, scenarioNames } from "./demonstration/scenarios.ts";

/** What the file contains. */
interface Environment {
  readonly origin: string;
  readonly router: string;
  readonly anthropic: string;
  readonly keys: ByScenario<string>;
  readonly password: string;
}

/** The path of the file, which is beside the database. */
export const environmentFileOf = (database: string): string => join(dirname(database), "quickstart.env");

/** The password of the dashboard, which stays the same as long as the file does. */
export interface DashboardPassword {
  readonly password: string;
  /** True if it is not in the file yet. */
  readonly isNew: boolean;
}

/** Reads the password of the dashboard from the file, or makes one. */
export function readPassword(file: string): DashboardPassword {
  const [, password] = /^DASHBOARD_PASSWORD=([\w-]{8,})$/m.exec(readIfThere(file)) ?? [];
  return password === undefined ? { password: randomUUID(), isNew: true } : { password, isNew: false };
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/**
 * Writes the URLs, all demo keys and the password of the dashboard as shell variables, for `source`. Only its owner may read
 * the file. Of several quickstarts with the same data, the last one writes it.
 */
export function writeEnvironmentFile(file: string, { origin, router, anthropic, keys, password }: Environment): void {
  const lines = [
    "# Written at each start of the quickstart. The keys are new each time, and the password stays.",
    `BASE=${origin}`,
    `ROUTER=${router}`,
    `ANTHROPIC_ROUTER=${anthropic}`,
    ...scenarioNames.map((name) => `${name.toUpperCase()}_KEY=${keys[name]}`),
    `DASHBOARD_PASSWORD=${password}`,
  ];
  // A rename, so that a reader never sees half a file.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${lines.join("\n")}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
