import type { PriceList } from "../../api/models.ts";
import { DataTable } from "../../design/data-table.tsx";
import { Money } from "../../design/money.tsx";

interface PriceTableProps {
  readonly price: PriceList;
  /** What the host pays, if it is configured. */
  readonly cost: PriceList | null;
}

const names: Readonly<Record<string, string>> = {
  input: "Input",
  cached_input: "Cache read",
  cache_write_5m: "Cache write, 5 min",
  cache_write_1h: "Cache write, 1 h",
  output: "Output",
  request: "Request",
};

/** Prices by class, beside the upstream cost. */
export function PriceTable({ price, cost }: PriceTableProps) {
  const classes = Object.keys(names).filter((name) => price[name] !== undefined);
  return (
    <DataTable
      label="Prices of one million tokens"
      rows={classes}
      identify={(name) => name}
      columns={[
        { header: "Class", cell: (name: string) => names[name] },
        { header: "Price", numeric: true, cell: (name: string) => <Money amount={price[name] ?? null} exact /> },
        ...(cost === null
          ? []
          : [{ header: "Cost", numeric: true, cell: (name: string) => <Money amount={cost[name] ?? null} exact /> }]),
      ]}
    />
  );
}
