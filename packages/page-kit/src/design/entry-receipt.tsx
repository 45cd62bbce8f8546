import type { ReceiptCharge, ReceiptEntry } from "../api/answers.ts";
import { fill, texts } from "../texts.ts";
import { DataTable } from "./data-table.tsx";
import { countText, durationText, freshInput, priceOf } from "./figures.ts";
import { Facts } from "./layout.tsx";
import { Money, Time } from "./values.tsx";

/** A ledger entry with how its amount was calculated. */
export function EntryReceipt({ entry }: { readonly entry: ReceiptEntry }) {
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
        {charge?.provider !== undefined && ` · ${charge.provider} ${charge.upstream_model}`}
        {charge !== null && ` · ${texts.receipt[charge.basis]}`}
      </p>
      {entry.reason !== null && <p>{entry.reason}</p>}
      {entry.receipt?.description != null && <p>{entry.receipt.description}</p>}
      {entry.receipt?.metadata != null && <Facts facts={Object.entries(entry.receipt.metadata)} />}
      {charge !== null && <ChargeTable charge={charge} />}
      {charge?.tier != null && <p class="muted">{fill(texts.receipt.tier, { tokens: countText(charge.tier) })}</p>}
      {entry.lots !== null && <LotTable lots={entry.lots} />}
      {charge !== null && (
        <p class="muted">
          {fill(texts.receipt.ended, { status: charge.status, duration: durationText(charge.duration_ms) })}
        </p>
      )}
    </div>
  );
}

function ChargeTable({ charge }: { readonly charge: ReceiptCharge }) {
  return (
    <DataTable
      label={texts.receipt.calculation}
      rows={linesOf(charge)}
      identify={({ name }) => name}
      columns={[
        { header: texts.receipt.class, cell: ({ name }) => name },
        { header: texts.receipt.tokens, numeric: true, cell: ({ tokens }) => tokens && countText(tokens) },
        {
          header: texts.receipt.perMillion,
          numeric: true,
          cell: ({ tokens, price }) => tokens && <Money amount={price} exact />,
        },
        {
          header: texts.receipt.amount,
          numeric: true,
          cell: ({ tokens, price }) => <Money amount={tokens === null ? price : priceOf(tokens, price)} exact />,
        },
      ]}
    />
  );
}

function LotTable({ lots }: { readonly lots: NonNullable<ReceiptEntry["lots"]> }) {
  return (
    <DataTable
      label={texts.receipt.lots}
      rows={lots}
      identify={({ lot }) => lot}
      columns={[
        {
          header: texts.receipt.money,
          cell: ({ kind }) => (kind === "granted" ? texts.receipt.granted : texts.receipt.paid),
        },
        {
          header: texts.receipt.expires,
          cell: ({ expires_at }) => (expires_at === null ? texts.receipt.never : <Time at={expires_at} />),
        },
        { header: texts.receipt.amount, numeric: true, cell: ({ amount }) => <Money amount={amount} exact /> },
      ]}
    />
  );
}

/** The classes of prices. `texts.prices` names them. */
export const priceClasses = ["input", "cached_input", "cache_write_5m", "cache_write_1h", "output", "request"] as const;

/** The classes that the charge has tokens of, and the price of a request, whatever its tokens are, if there is one. */
const linesOf = ({ tokens, prices }: ReceiptCharge) =>
  priceClasses
    .map((name) => {
      const title = texts.prices[name];
      if (name === "request") return { name: title, tokens: null, price: prices[name] };
      if (name === "input") return { name: texts.prices.fresh_input, tokens: freshInput(tokens), price: prices[name] };
      return { name: title, tokens: tokens[name], price: prices[name] };
    })
    .filter((line) => (line.tokens === null ? Number(line.price) > 0 : line.tokens > 0));

/** The words of the kinds of entries. */
export const entryNames: Readonly<Record<string, string>> = texts.entries;

/** Names the kind of a ledger entry. */
export const entryName = ({ kind }: ReceiptEntry): string => entryNames[kind] ?? kind;

/** What a ledger entry is about: the reason of a posting, the model of a call, or what the host charged for. */
export const entrySubject = ({ reason, receipt }: ReceiptEntry): string | undefined =>
  reason ?? receipt?.description ?? receipt?.model ?? undefined;
