import { renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ByScenario, scenarioNames } from "./demonstration/scenarios.ts";

/** What the file contains. */
interface Environment {
  readonly origin: string;
  readonly router: string;
  readonly anthropic: string;
  readonly keys: ByScenario<string>;
}

/**
 * Writes `quickstart.env` beside the database: the URLs and all demo keys as shell variables, for `source`. Only its owner
 * may read it. Of several quickstarts with the same data, the last one writes it. Returns its path.
 */
export function writeEnvironmentFile(database: string, { origin, router, anthropic, keys }: Environment): string {
  const file = join(dirname(database), "quickstart.env");
  const lines = [
    "# Written at each start of the quickstart. The keys are new each time.",
    `BASE=${origin}`,
    `ROUTER=${router}`,
    `ANTHROPIC_ROUTER=${anthropic}`,
    ...scenarioNames.map((name) => `${name.toUpperCase()}_KEY=${keys[name]}`),
  ];
  // A rename, so that a reader never sees half a file.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${lines.join("\n")}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return file;
}
