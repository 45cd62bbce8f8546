import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { Failure } from "../failure.ts";
import { printable } from "../output/printable.ts";

/** Adds `ledger verify`. */
export function addVerifyLedger(ledger: Command, run: Run): void {
  ledger
    .command("verify")
    .description("Add everything up again; ends with 1 when the books do not agree with themselves.")
    .addHelpText("after", example("ledger verify"))
    .action(() =>
      run(async (session) => {
        const violations = await session.ask(() => session.balances.verify());
        const shape = { ok: violations.length === 0, violations };
        await session.show(shape, () =>
          shape.ok
            ? "The ledger agrees with itself.\n"
            : violations.map(({ problem }) => `${printable(problem)}\n`).join(""),
        );
        if (!shape.ok) throw disagreement(violations.length);
      }),
    );
}

const disagreement = (count: number): Failure =>
  new Failure(
    "violations_found",
    `The ledger does not agree with itself in ${count} ${count === 1 ? "place" : "places"}. Keep a copy of the database, ` +
      "and look at the accounts named with `tollgate ledger export`.",
  );
