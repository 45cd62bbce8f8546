import { readFileSync } from "node:fs";
import { Command } from "commander";
import { example, type Run } from "./command.ts";
import { addAccountsCommands } from "./commands/accounts.ts";
import { addAuditCommands } from "./commands/audit.ts";
import { addBalanceCommands } from "./commands/balance.ts";
import { addKeysCommands } from "./commands/keys.ts";
import { addLedgerCommands } from "./commands/ledger.ts";
import { addPaymentsCommands } from "./commands/payments.ts";
import { addPricesCommands } from "./commands/prices.ts";
import { addProveCommand } from "./commands/prove.ts";
import { addRequestsCommands } from "./commands/requests.ts";
import { addSessionsCommands } from "./commands/sessions.ts";
import { addShardsCommands } from "./commands/shards.ts";
import { addSpendCommands } from "./commands/spend.ts";
import { addTermsCommands } from "./commands/terms.ts";
import { addUsageCommands } from "./commands/usage.ts";
import type { Terminal } from "./terminal.ts";

/** The options of every command. */
export interface GlobalOptions {
  readonly config?: string;
  readonly json?: true;
}

const ownPackage: { readonly version: string } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);

/** Creates the command tree. `run` receives the work of the selected command. `parseAsync` rejects with its errors. */
export function makeProgram({ out, err }: Terminal, run: Run): Command {
  const width = () => Math.min(out.columns ?? 80, 100);
  const program = new Command("tollgate")
    .description(
      "Manage the keys, accounts, ledger, usage, terms, sessions and shards of a Tollgate gateway, in the stores of a config file.",
    )
    .version(ownPackage.version)
    .option("--config <file>", "the config file (default: tollgate.config.mjs, .js or .ts in this folder)")
    .option("--json", "write JSON, including errors")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => out.write(text),
      // Commander writes the help to the standard error when a subcommand is missing. With --json, the error is JSON
      // instead.
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
  addAccountsCommands(program, run);
  addSpendCommands(program, run);
  addLedgerCommands(program, run);
  addUsageCommands(program, run);
  addRequestsCommands(program, run);
  addPaymentsCommands(program, run);
  addPricesCommands(program, run);
  addTermsCommands(program, run);
  addSessionsCommands(program, run);
  addShardsCommands(program, run);
  addAuditCommands(program, run);
  addProveCommand(program, run);
  return program;
}

const exitCodes = `Exit codes:
  0    success
  1    failure: not found, conflict, unavailable store, inconsistent ledger
  2    invalid usage or config; no store was changed
  130  interrupted`;
