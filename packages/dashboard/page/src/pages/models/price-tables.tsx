import { type Column, DataTable } from "@tollgate/page-kit/design/data-table.tsx";
import { priceClasses } from "@tollgate/page-kit/design/entry-receipt.tsx";
import { countText } from "@tollgate/page-kit/design/figures.ts";
import { Money, Time } from "@tollgate/page-kit/design/values.tsx";
import { texts } from "@tollgate/page-kit/texts.ts";
import { type ComponentChildren, Fragment } from "preact";
import type { PriceList, Rates } from "../../api/answers.ts";

interface PriceTablesProps {
  readonly price: PriceList;
  /** What the host pays, if it is configured. */
  readonly cost: PriceList | null;
}

/** Prices by class, beside the upstream cost; those of longer prompts, and of the lists that begin later. */
export function PriceTables({ price, cost }: PriceTablesProps) {
  return (
    <>
      <TierTables price={price} cost={cost} />
      {price.later.map((list) => (
        <TierTables key={list.from} heading={<Begin what="Price" from={list.from} />} price={list} cost={null} />
      ))}
      {cost?.later.map((list) => (
        <TierTables key={list.from} heading={<Begin what="Cost" from={list.from} />} price={null} cost={list} />
      ))}
    </>
  );
}

const Begin = ({ what, from }: { readonly what: string; readonly from: string | null }) => (
  <>
    {what} from <Time at={from} />
  </>
);

type List = PriceList["later"][number];

interface TierTablesProps {
  readonly heading?: ComponentChildren;
  readonly price: List | null;
  readonly cost: List | null;
}

function TierTables({ heading, price, cost }: TierTablesProps) {
  const thresholds = [price, cost].flatMap((list) => list?.tiers.map((tier) => tier.above_input_tokens) ?? []);
  return (
    <>
      {heading !== undefined && <p class="muted">{heading}</p>}
      <PriceTable price={price} cost={cost} />
      {[...new Set(thresholds)]
        .sort((a, b) => a - b)
        .map((above) => (
          <Fragment key={above}>
            <p class="muted">Above {countText(above)} input tokens</p>
            <PriceTable price={ratesAbove(price, above)} cost={ratesAbove(cost, above)} />
          </Fragment>
        ))}
    </>
  );
}

/** Returns the prices of requests with a few more input tokens than a number. */
const ratesAbove = (list: List | null, above: number): Rates | null =>
  list?.tiers.findLast((tier) => tier.above_input_tokens <= above) ?? list;

function PriceTable({ price, cost }: { readonly price: Rates | null; readonly cost: Rates | null }) {
  const amounts = (header: string, rates: Rates | null): readonly Column<(typeof priceClasses)[number]>[] =>
    rates === null ? [] : [{ header, numeric: true, cell: (name) => <Money amount={rates[name]} exact /> }];
  return (
    <DataTable
      label="Prices of one million tokens"
      rows={priceClasses}
      identify={(name) => name}
      columns={[
        { header: "Class", cell: (name) => texts.prices[name] },
        ...amounts("Price", price),
        ...amounts("Cost", cost),
      ]}
    />
  );
}

/** The price of a class now, and the one of the longest prompts if there are tiers. */
export function PriceRange({ price, name }: { readonly price: PriceList; readonly name: "input" | "output" }) {
  const longest = price.tiers.at(-1);
  return (
    <>
      <Money amount={price[name]} />
      {longest !== undefined && longest[name] !== price[name] && (
        <>
          –<Money amount={longest[name]} />
        </>
      )}
    </>
  );
}
