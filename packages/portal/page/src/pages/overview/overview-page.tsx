import { DataTable } from "@tollgate/page-kit/design/data-table.tsx";
import { PageHeader, Section } from "@tollgate/page-kit/design/layout.tsx";
import { SpendMeter } from "@tollgate/page-kit/design/limits.tsx";
import { Loaded } from "@tollgate/page-kit/design/loaded.tsx";
import { Money, Time } from "@tollgate/page-kit/design/values.tsx";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import type { Account } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { paymentsAt } from "../../api/payments.ts";
import { may, me } from "../../state/me.ts";
import { texts } from "../../texts.ts";
import { Products } from "../payments/products.tsx";
import { Figures } from "./figures.tsx";
import { OpenTerms } from "./open-terms.tsx";

const pollMs = 15_000;

/** What the account has, what expires of it, and what it has used this month. */
export function OverviewPage() {
  const account = useResource(operation("GET", "/account"), {}, pollMs);
  const payments = me.value?.payments_url ?? null;
  return (
    <>
      <PageHeader title={texts.pages.overview} updatedAt={account.updatedAt.value} />
      <OpenTerms />
      <Loaded resource={account} lines={6}>
        {(found) => (
          <>
            {found.frozen && (
              <p class="problem" role="alert">
                {texts.overview.frozen}
              </p>
            )}
            <Figures account={found} />
            {payments !== null && may("pay") && (
              <Products api={paymentsAt(payments)} title={texts.overview.buy}>
                <a href="payments">{texts.overview.allPayments}</a>
              </Products>
            )}
            <Expiring account={found} />
            {found.spend !== null && (
              <div class="page-section">
                <Section title={texts.overview.spend} level={2}>
                  <SpendMeter state={found.spend} />
                  <p class="muted">{texts.overview.spendHint}</p>
                </Section>
              </div>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

/** What expires of the balance, the next first. */
function Expiring({ account: { balance } }: { readonly account: Account }) {
  if (balance === null) return null;
  return (
    <div class="page-section">
      <Section title={texts.overview.expires} level={2}>
        {balance.expiring.length === 0 ? (
          <p class="muted">{texts.overview.expiresEmpty}</p>
        ) : (
          <DataTable
            label={texts.overview.expires}
            rows={balance.expiring}
            identify={({ expires_at, amount }) => `${expires_at} ${amount}`}
            columns={[
              { header: texts.overview.at, cell: ({ expires_at }) => <Time at={expires_at} /> },
              { header: texts.overview.amount, numeric: true, cell: ({ amount }) => <Money amount={amount} exact /> },
            ]}
          />
        )}
      </Section>
    </div>
  );
}
