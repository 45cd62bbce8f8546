import type { Charge, LedgerEntry } from "../api/answers.ts";
import { DataTable } from "./data-table.tsx";
import { countText, durationText, freshInput, priceOf } from "./figures.ts";
import { Money, Time } from "./values.tsx";

/** A ledger entry with how its amount was calculated. */
export function EntryReceipt({ entry }: { readonly entry: LedgerEntry }) {
  const charge = entry.receipt?.charge ?? null;
  return (
    <div class="receipt">
      <p class="receipt-head">
        <span>
          {entryName(entry)} <span class="muted">#{entry.sequence}</span>
        </span>
        <Money amount={entry.amount} exact />
      </p>
      <p class="muted">
        <Time at={entry.at} />
        {charge !== null && ` · ${charge.provider} ${charge.upstream_model} · ${basisText[charge.basis]}`}
      </p>
      {entry.reason !== null && <p>{entry.reason}</p>}
      {charge !== null && <ChargeTable charge={charge} />}
      {charge !== null && (
        <p class="muted">
          {charge.status}, {durationText(charge.duration_ms)} after the request
        </p>
      )}
    </div>
  );
}

const basisText: Readonly<Record<Charge["basis"], string>> = {
  reported: "tokens as the provider reported them",
  estimated: "tokens estimated",
  implausible: "usage cut to ten times the hold",
};

function ChargeTable({ charge }: { readonly charge: Charge }) {
  return (
    <DataTable
      label="Calculation of the charge"
      rows={linesOf(charge)}
      identify={({ name }) => name}
      columns={[
        { header: "Class", cell: ({ name }) => name },
        { header: "Tokens", numeric: true, cell: ({ tokens }) => tokens && countText(tokens) },
        { header: "Per million", numeric: true, cell: ({ tokens, price }) => tokens && <Money amount={price} exact /> },
        {
          header: "Amount",
          numeric: true,
          cell: ({ tokens, price }) => <Money amount={tokens === null ? price : priceOf(tokens, price)} exact />,
        },
      ]}
    />
  );
}

/** The classes of prices with their names. */
export const priceClasses = [
  ["input", "Input"],
  ["cached_input", "Cache read"],
  ["cache_write_5m", "Cache write, 5 min"],
  ["cache_write_1h", "Cache write, 1 h"],
  ["output", "Output"],
  ["request", "Request"],
] as const;

/** The classes that the charge has tokens of, and the price of a request, whatever its tokens are, if there is one. */
const linesOf = ({ tokens, prices }: Charge) =>
  priceClasses
    .map(([name, title]) => {
      if (name === "request") return { name: title, tokens: null, price: prices[name] };
      if (name === "input") return { name: "Fresh input", tokens: freshInput(tokens), price: prices[name] };
      return { name: title, tokens: tokens[name], price: prices[name] };
    })
    .filter((line) => (line.tokens === null ? Number(line.price) > 0 : line.tokens > 0));

/** The words of the kinds of entries. */
export const entryNames: Readonly<Record<string, string>> = {
  charge: "Charge",
  credit: "Credit",
  debit: "Debit",
  expiry: "Expired hold",
  late: "Late charge",
};

/** Names the kind of a ledger entry. */
export const entryName = ({ kind }: LedgerEntry): string => entryNames[kind] ?? kind;
