import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import type { SessionKillPlan } from "./disturb-turns.ts";
import { killSessions } from "./kill-sessions.ts";

const { seconds, minimums } = {
  long: { seconds: 30, minimums: { kills: 30, stops: 10, turns: 200 } },
  short: { seconds: 4, minimums: { kills: 3, stops: 1, turns: 20 } },
}[form];

const plan: SessionKillPlan = { seconds, minimums, workers: 3, loops: 4, sessions: 10, leaseMs: 800, killEveryMs: 350 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-sessions-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("sessions in SQLite", () => {
  it(`have only complete turns, each once, while processes are killed and suspended for ${seconds} s`, async () => {
    const { figures, violations, deaths } = await killSessions(await address(), plan);
    printFigures("Turns killed on SQLite", figures);
    expect(violations).toEqual([]);
    expect(deaths).toEqual([]);
    for (const [name, count] of Object.entries(minimums)) expect(figures[name], name).toBeGreaterThanOrEqual(count);
  }, 600_000);
});

async function address() {
  return { kind: "sqlite", file: join(folder, `${crypto.randomUUID()}.db`) } as const;
}
