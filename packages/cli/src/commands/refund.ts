import { refundCharge } from "@tollgate/management/operations";
import type { Command } from "commander";
import { type ActorOption, addActorOption, calledBy, example, type Run } from "../command.ts";
import { Failure, orFailure } from "../failure.ts";
import { renderFields } from "../output/table.ts";
import { readAmount, readSequence, readText } from "../readers.ts";
import type { Session } from "../session.ts";

interface RefundOptions extends ActorOption {
  readonly amount?: bigint;
  readonly reason: string;
}

/** Adds `ledger refund`. */
export function addRefund(ledger: Command, run: Run): void {
  const command = ledger
    .command("refund")
    .description("Refund a charge to what it was taken from. Each charge can be refunded once.")
    .argument("<account>", "the account", readText("The account"))
    .argument("<charge>", "the sequence of the charge in `ledger entries`", readSequence("The sequence"))
    .option("--amount <amount>", "a part of the charge, such as 0.50 (default: all of it)", readAmount)
    .option(
      "--reason <text>",
      "the reason, which is stored in the ledger",
      readText("--reason"),
      "by the command line",
    );
  addActorOption(command)
    .addHelpText("after", example('ledger refund acme 1042 --reason "the answer was cut off"'))
    .action((account: string, sequence: bigint, options: RefundOptions) =>
      run((session) => refund(session, account, sequence, options)),
    );
}

async function refund(session: Session, account: string, sequence: bigint, { actor, ...options }: RefundOptions) {
  const call = { ...calledBy(actor), id: account, body: { sequence, ...options } };
  const failures = { resource_not_found: noCharge(account, sequence), conflict: otherRefund(account, sequence) };
  const { outcome, amount, balance } = await orFailure(failures, () => refundCharge.run(session.context, call));
  const { reason } = options;
  const shape = { outcome, account, sequence: sequence.toString(), amount, reason, balance };
  const repeated = outcome === "repeated" ? " before; nothing was posted now" : "";
  await session.show(shape, () =>
    [
      `Refunded ${amount} of the charge ${sequence} to ${account}${repeated}.\n\n`,
      renderFields([["reason", reason], ...Object.entries(balance)]),
    ].join(""),
  );
}

const noCharge = (account: string, sequence: bigint): Failure =>
  new Failure(
    "not_found",
    `The account ${JSON.stringify(account)} has no charge ${sequence}. Run \`tollgate ledger entries\`: ` +
      "entries of the kinds charge, expiry and late can be refunded.",
  );

const otherRefund = (account: string, sequence: bigint): Failure =>
  new Failure(
    "conflict",
    `The charge ${sequence} was refunded with another amount, or the amount exceeds it. Nothing was refunded. ` +
      `Run \`tollgate ledger entries ${account} --kind refund\`.`,
  );
