import { countText } from "@tollgate/page-kit/design/figures.ts";
import { Money } from "@tollgate/page-kit/design/values.tsx";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { Account } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { me } from "../../state/me.ts";
import { texts } from "../../texts.ts";

const pollMs = 30_000;

/** The balance, and what this month has cost. */
export function Figures({ account: { balance } }: { readonly account: Account }) {
  const month = useThisMonth();
  const billed = me.value?.plan?.billing !== "none";
  return (
    <ul class="totals plain" aria-label={texts.pages.overview}>
      {billed && balance !== null && (
        <>
          <Figure name={texts.overview.available}>
            <Money amount={balance.available} />
          </Figure>
          <Figure name={texts.overview.held}>
            <Money amount={balance.held} />
          </Figure>
        </>
      )}
      {billed && <Figure name={texts.overview.thisMonth}>{month && <Money amount={month.cost} />}</Figure>}
      <Figure name={texts.overview.requests}>{month && countText(month.requests)}</Figure>
    </ul>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <li>
      <span class="muted">{name}</span>
      <span class="total-figure">{children ?? "–"}</span>
    </li>
  );
}

/** Returns the sums of the calendar month in UTC; undefined while they are loading, or if the host records no usage. */
function useThisMonth() {
  const from = useMemo(() => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString();
  }, []);
  const usage = useResource(operation("GET", "/usage"), { from, bucket: "all" }, pollMs).data.value;
  return usage && (usage.data[0] ?? { cost: "0", requests: 0 });
}
