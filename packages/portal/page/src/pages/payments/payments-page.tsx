import { PageHeader } from "@tollgate/page-kit/design/layout.tsx";
import { paymentsAt } from "../../api/payments.ts";
import { may, me } from "../../state/me.ts";
import { texts } from "../../texts.ts";
import { Entries } from "./entries.tsx";
import { PaymentList } from "./payment-list.tsx";
import { Products } from "./products.tsx";
import { TopUpSection } from "./top-up.tsx";

/** What can be bought, what was paid, the automatic top-up, and the entries of the balance. */
export function PaymentsPage() {
  const base = me.value?.payments_url ?? null;
  const api = base === null ? undefined : paymentsAt(base);
  return (
    <>
      <PageHeader title={texts.pages.payments} />
      {api === undefined && <p class="muted">{texts.payments.notConfigured}</p>}
      {api !== undefined && may("pay") && (
        <>
          <Products api={api} title={texts.payments.buy} />
          <TopUpSection api={api} />
        </>
      )}
      {api !== undefined && <PaymentList api={api} />}
      <Entries />
    </>
  );
}
