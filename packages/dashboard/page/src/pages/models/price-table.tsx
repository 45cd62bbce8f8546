import type { PriceList } from "../../api/models.ts";
import { DataTable } from "../../design/data-table.tsx";
import { Money } from "../../design/money.tsx";

interface PriceTableProps {
  readonly price: PriceList;
  /** What the host pays, if it is configured. */
  readonly cost: PriceList | null;
}

const classes: readonly (readonly [name: keyof PriceList, title: string])[] = [
  ["input", "Input"],
  ["cached_input", "Cache read"],
  ["cache_write_5m", "Cache write, 5 min"],
  ["cache_write_1h", "Cache write, 1 h"],
  ["output", "Output"],
  ["request", "Request"],
];

type Class = (typeof classes)[number];

/** Prices by class, beside the upstream cost. */
export function PriceTable({ price, cost }: PriceTableProps) {
  return (
    <DataTable
      label="Prices of one million tokens"
      rows={classes}
      identify={([name]) => name}
      columns={[
        { header: "Class", cell: ([, title]: Class) => title },
        { header: "Price", numeric: true, cell: ([name]: Class) => <Money amount={price[name]} exact /> },
        ...(cost === null
          ? []
          : [{ header: "Cost", numeric: true, cell: ([name]: Class) => <Money amount={cost[name]} exact /> }]),
      ]}
    />
  );
}
