import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { Failure } from "../failure.ts";
import { printable } from "../output/printable.ts";

/** Adds `ledger verify`. */
export function addVerifyLedger(ledger: Command, run: Run): void {
  ledger
    .command("verify")
    .description("Recompute every sum of the ledger. Exits with 1 when the ledger is inconsistent.")
    .addHelpText("after", example("ledger verify"))
    .action(() =>
      run(async (session) => {
        const violations = await session.call(() => session.balances.verify());
        const shape = { ok: violations.length === 0, violations };
        await session.show(shape, () =>
          shape.ok
            ? "The ledger is consistent.\n"
            : violations.map(({ problem }) => `${printable(problem)}\n`).join(""),
        );
        if (!shape.ok) throw inconsistency(violations.length);
      }),
    );
}

const inconsistency = (count: number): Failure =>
  new Failure(
    "violations_found",
    `The ledger has ${count} ${count === 1 ? "inconsistency" : "inconsistencies"}. Back up the database, ` +
      "and inspect the accounts above with `tollgate ledger export`.",
  );
