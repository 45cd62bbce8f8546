import type { Charge, LedgerEntry } from "../api/accounts.ts";
import type { Tokens } from "../api/common.ts";
import { DataTable } from "./data-table.tsx";
import { entryName } from "./entry-name.ts";
import { countText, durationText } from "./figures.ts";
import { Money } from "./money.tsx";
import { priceOf } from "./price-of.ts";
import { Time } from "./time.tsx";

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

interface Line {
  readonly name: string;
  /** Null: the price is that of the request, whatever its tokens are. */
  readonly tokens: number | null;
  readonly price: string;
}

function ChargeTable({ charge }: { readonly charge: Charge }) {
  return (
    <DataTable
      label="Calculation of the charge"
      rows={linesOf(charge)}
      identify={({ name }: Line) => name}
      columns={[
        { header: "Class", cell: ({ name }: Line) => name },
        { header: "Tokens", numeric: true, cell: ({ tokens }: Line) => tokens && countText(tokens) },
        {
          header: "Per million",
          numeric: true,
          cell: ({ tokens, price }: Line) => tokens && <Money amount={price} exact />,
        },
        {
          header: "Amount",
          numeric: true,
          cell: ({ tokens, price }: Line) => <Money amount={tokens === null ? price : priceOf(tokens, price)} exact />,
        },
      ]}
    />
  );
}

/** The classes that the charge has tokens of, and the price of a request if there is one. */
function linesOf({ tokens, prices }: Charge): readonly Line[] {
  const cached: readonly (readonly [string, keyof Tokens & keyof Charge["prices"]])[] = [
    ["Cache read", "cached_input"],
    ["Cache write, 5 min", "cache_write_5m"],
    ["Cache write, 1 h", "cache_write_1h"],
  ];
  const fresh = tokens.input - tokens.cached_input - tokens.cache_write_5m - tokens.cache_write_1h;
  return [
    { name: "Fresh input", tokens: fresh, price: prices.input },
    ...cached.map(([name, member]) => ({ name, tokens: tokens[member], price: prices[member] })),
    { name: "Output", tokens: tokens.output, price: prices.output },
    { name: "Request", tokens: null, price: prices.request },
  ].filter((line) => (line.tokens === null ? Number(line.price) > 0 : line.tokens > 0));
}
