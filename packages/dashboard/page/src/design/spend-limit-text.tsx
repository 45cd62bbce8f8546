import type { SpendLimit } from "../api/spend.ts";
import { Money } from "./money.tsx";

const windows: Readonly<Record<SpendLimit["window"], string>> = {
  day: "a day",
  week: "a week",
  month: "a month",
  total: "in total",
};

/** A spend limit as "$50.00 a month"; a dash for none. */
export function SpendLimitText({ limit }: { readonly limit: SpendLimit | null }) {
  if (limit === null) return <span class="muted">–</span>;
  return (
    <>
      <Money amount={limit.limit} /> {windows[limit.window]}
      {limit.timezone != null && limit.timezone !== "UTC" && <span class="muted"> {limit.timezone}</span>}
    </>
  );
}
