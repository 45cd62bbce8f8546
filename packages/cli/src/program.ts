import { readFileSync } from "node:fs";
import { Command } from "commander";
import { addBalanceCommands } from "./balance/balance-commands.ts";
import { example, type Run } from "./command.ts";
import { addKeysCommands } from "./keys/keys-commands.ts";
import { addLedgerCommands } from "./ledger/ledger-commands.ts";
import type { Terminal } from "./terminal.ts";

/** The options that every command has. */
export interface GlobalOptions {
  readonly config?: string;
  readonly json?: true;
}

const ownPackage: { readonly version: string } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);

/** The tree of commands. `run` is given the work of the one that was asked for; what it throws leaves `parseAsync`. */
export function makeProgram({ out, err }: Terminal, run: Run): Command {
  const width = () => Math.min(out.columns ?? 80, 100);
  const program = new Command("tollgate")
    .description("Keys, balances and the ledger of a Tollgate gateway, in the stores that a config file exports.")
    .version(ownPackage.version)
    .option("--config <file>", "the config file (default: tollgate.config.mjs, .js or .ts in this folder)")
    .option("--json", "write JSON for programs, errors too")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => out.write(text),
      // What goes to the standard error is the help after a group without a command: a program reads JSON in its place.
      writeErr: (text) => {
        if (!program.opts<GlobalOptions>().json) err.write(text);
      },
      outputError: () => undefined,
      getOutHelpWidth: width,
      getErrHelpWidth: width,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText("after", `${example("keys create --account acme --plan prepaid")}\n\n${exitCodes}`)
    .exitOverride();
  addKeysCommands(program, run);
  addBalanceCommands(program, run);
  addLedgerCommands(program, run);
  return program;
}

const exitCodes = `Exit codes:
  0    done
  1    failed: not found, a conflict, a store out of order, a ledger at fault
  2    wrong usage or config; no store was changed
  130  interrupted`;
