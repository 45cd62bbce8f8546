import { formatAmount } from "@tollgate/core";
import { auditedAs, requireStore } from "@tollgate/management/operations";
import type { Difference, Payment, PaymentQuery, PaymentState, Reconciliation } from "@tollgate/payments";
import type { Command } from "commander";
import { type ActorOption, addActorOption, calledBy, example, type Run } from "../command.ts";
import { Failure } from "../failure.ts";
import { printable } from "../output/printable.ts";
import { renderItems, shortTime, type Table } from "../output/table.ts";
import { itemPages, take } from "../pages.ts";
import { readChoice, readCount, readPastTime, readText } from "../readers.ts";
import type { Session } from "../session.ts";

/** Adds `payments` and its subcommands. */
export function addPaymentsCommands(program: Command, run: Run): void {
  const payments = program
    .command("payments")
    .description("Show what customers have paid, and compare it with the payment provider and the ledger.")
    .addHelpText("after", example("payments reconcile --from 2026-01-01 --to 2026-02-01"));
  addList(payments, run);
  addReconcile(payments, run);
  addResolve(payments, run);
}

const states = ["pending", "open", "processing", "ended", "paid", "held"] as const satisfies readonly PaymentState[];

function addList(payments: Command, run: Run): void {
  payments
    .command("list")
    .description("Show the last payments, newest first.")
    .option("--account <account>", "only payments of an account", readText("--account"))
    .option("--state <state>", `only ${states.slice(0, -1).join(", ")} or held`, readChoice("--state", states))
    .option("--from <time>", "only payments since a date, a timestamp or a duration ago", readPastTime("--from"))
    .option("--to <time>", "only payments before a date, a timestamp or a duration ago", readPastTime("--to"))
    .option("--last <n>", "the number of payments", readCount("--last"), 20)
    .addHelpText("after", example("payments list --state held", "payments list --account acme --from 30d"))
    .action(({ last, ...query }: Omit<PaymentQuery, "limit" | "after"> & { readonly last: number }) =>
      run(async (session) => {
        const { store } = session.payments;
        const open = (limit: number) =>
          itemPages(async (after: string | undefined) => {
            const wanted = { ...query, limit, ...(after === undefined ? {} : { after }) };
            const { payments: items, ...next } = await session.context.ask(() => store.list(wanted));
            return { items, ...next };
          });
        const found = await take(last, open);
        await session.show({ payments: found.map(shapeOf) }, (width) => renderItems(found, table, width));
      }),
    );
}

const table: Table<Payment> = {
  empty: "There are no payments.",
  columns: [
    { title: "AT", text: ({ createdAt }) => shortTime(createdAt.toISOString()) },
    { title: "ACCOUNT", truncates: true, text: ({ account }) => account },
    { title: "PRODUCT", truncates: true, text: ({ product }) => product.id },
    { title: "CREDIT", right: true, text: ({ product }) => formatAmount(product.credit + product.bonus) },
    { title: "STATE", text: ({ state }) => state },
    { title: "TAKEN BACK", right: true, text: ({ takenBack }) => formatAmount(takenBack.credit + takenBack.bonus) },
    { title: "REFERENCE", truncates: true, text: ({ receipt }) => receipt?.reference },
    { title: "PROBLEM", truncates: true, text: ({ problem }) => problem },
  ],
};

/** A payment in the output of --json. Amounts of money are in minor units. */
const shapeOf = ({ product, receipt, refunded, takenBack, disputes, ...payment }: Payment): object => ({
  id: payment.id,
  account: payment.account,
  provider: payment.provider,
  live: payment.live,
  kind: payment.kind,
  state: payment.state,
  createdAt: payment.createdAt.toISOString(),
  product: product.id,
  price: { amount: String(product.price.amount), currency: product.price.currency },
  credit: formatAmount(product.credit),
  bonus: formatAmount(product.bonus),
  reference: receipt?.reference ?? null,
  paidAt: receipt?.at.toISOString() ?? null,
  tax: receipt === undefined ? null : String(receipt.tax),
  refunded: String(refunded),
  takenBack: { credit: formatAmount(takenBack.credit), bonus: formatAmount(takenBack.bonus) },
  disputes: disputes.map(({ reference, state, amount }) => ({ reference, state, amount: String(amount) })),
  problem: payment.problem ?? null,
});

interface Range {
  readonly from: Date;
  readonly to: Date;
}

function addReconcile(payments: Command, run: Run): void {
  payments
    .command("reconcile")
    .description("Compare what the provider moved with the payments and the ledger. Exits with 1 for a difference.")
    .requiredOption("--from <time>", "the first time: a date, a timestamp or a duration ago", readPastTime("--from"))
    .requiredOption("--to <time>", "the time after the last one, at least an hour ago", readPastTime("--to"))
    .addHelpText("after", example("payments reconcile --from 2026-01-01 --to 2026-02-01"))
    .action((range: Range) => run((session) => reconcilePayments(session, range)));
}

function addResolve(payments: Command, run: Run): void {
  const command = payments
    .command("resolve")
    .description(
      "Remove the problem of a payment, after you have dealt with it. The payment and the balance stay as they are.",
    )
    .argument("<payment>", "the id in `payments list`", readText("The id"))
    .requiredOption("--reason <text>", "what was done, for the audit log", readText("--reason"));
  addActorOption(command)
    .addHelpText(
      "after",
      example('payments resolve 0d5c8f4e-8f0c-4b52-9c0e-6c1d1c1f9a01 --reason "refunded at Stripe"'),
    )
    .action((id: string, options: ActorOption & { readonly reason: string }) =>
      run((session) => resolvePayment(session, id, options)),
    );
}

async function resolvePayment(
  session: Session,
  id: string,
  { actor, reason }: ActorOption & { readonly reason: string },
) {
  const { context, payments } = session;
  const payment = await context.ask(() => payments.store.find({ id }));
  if (payment === undefined) throw noPayment(id);
  const { problem } = payment;
  if (problem === undefined) throw noProblem(id);
  const audited = auditedAs(context, calledBy(actor).operator, "payment.resolve");
  const change = { subject: `payment:${id}`, before: { problem }, after: { reason } };
  await audited(change, () => context.ask(() => payments.store.resolve(id)));
  await session.show({ id, resolved: problem, reason }, () => `Resolved the payment ${id}: ${printable(problem)}\n`);
}

const noPayment = (id: string): Failure =>
  new Failure("not_found", `There is no payment ${JSON.stringify(id)}. Run \`tollgate payments list\`.`);

const noProblem = (id: string): Failure =>
  new Failure(
    "conflict",
    `The payment ${id} has no problem. Run \`tollgate payments list\`, whose last column shows them.`,
  );

async function reconcilePayments(session: Session, range: Range): Promise<void> {
  const { ProviderUnavailable, reconcile } = await import("@tollgate/payments");
  const { store, provider } = session.payments;
  const [balances, accounts] = [requireStore(session.context, "balances"), requireStore(session.context, "accounts")];
  const differences: Difference[] = [];
  const totals = await session.context.ask(() =>
    reconcile({
      ...range,
      store,
      provider,
      balances: {
        entries: (query) => balances.entries(query),
        listAccounts: (query) => accounts.listAccounts(query),
      },
      onDifference: (difference) => void differences.push(difference),
    }).catch((error: unknown) => {
      if (!ProviderUnavailable.is(error)) throw error;
      throw new Failure("failed", `${error.message} Try again.`);
    }),
  );
  await session.show({ ...totals, differences }, () => render(totals, differences));
  if (totals.differences > 0) throw differs(totals.differences);
}

function render({ movements, payments, credits }: Reconciliation, differences: readonly Difference[]): string {
  const lines = differences.map(({ sentence }) => `${printable(sentence)}\n`).join("");
  return `${lines}Compared ${movements} movements, ${payments} payments and ${credits} credits: ${differences.length} differences.\n`;
}

const differs = (count: number): Failure =>
  new Failure(
    "violations_found",
    `There ${count === 1 ? "is 1 difference" : `are ${count} differences`}. Look each up at the provider, and correct the balance with \`tollgate balance\`.`,
  );
