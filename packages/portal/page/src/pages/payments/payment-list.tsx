import type { Column } from "@tollgate/page-kit/design/data-table.tsx";
import { EmptyState, Section } from "@tollgate/page-kit/design/layout.tsx";
import { ListTable } from "@tollgate/page-kit/design/list-table.tsx";
import { Badge, type Tone } from "@tollgate/page-kit/design/states.tsx";
import { Money, Time } from "@tollgate/page-kit/design/values.tsx";
import { useList } from "@tollgate/page-kit/state/list.ts";
import { useAddress } from "@tollgate/page-kit/state/location.ts";
import type { Payment, PaymentsApi } from "../../api/payments.ts";
import { texts } from "../../texts.ts";
import { priceText } from "./products.tsx";

const tones: Readonly<Record<Payment["state"], Tone>> = {
  pending: "neutral",
  open: "neutral",
  processing: "warning",
  ended: "neutral",
  paid: "good",
  held: "warning",
};

/** The payments of the account with their documents. */
export function PaymentList({ api }: { readonly api: PaymentsApi }) {
  const list = useList(api.payments, {}, ({ id }) => id);
  return (
    <div class="page-section">
      <Section title={texts.payments.history} level={2}>
        <ListTable
          label={texts.payments.history}
          list={list}
          columns={columns()}
          address={useAddress()}
          opens={null}
          filters={[]}
          empty={<EmptyState title={texts.payments.noPayments}>{texts.payments.noPaymentsHint}</EmptyState>}
        />
      </Section>
    </div>
  );
}

const columns = (): readonly Column<Payment>[] => [
  {
    header: texts.usage.time,
    cell: ({ created_at }) => <Time at={created_at} />,
    narrow: (payment) => <Documents payment={payment} />,
  },
  { header: texts.keys.state, cell: ({ state }) => <Badge tone={tones[state]}>{texts.payments[state]}</Badge> },
  { header: texts.overview.amount, numeric: true, cell: ({ price }) => priceText(price) },
  { header: texts.payments.credit, numeric: true, wideOnly: true, cell: ({ credit }) => <Money amount={credit} /> },
  { header: texts.payments.documents, wideOnly: true, cell: (payment) => <Documents payment={payment} /> },
];

/** Pages of the provider, which open in a tab of their own. */
function Documents({ payment }: { readonly payment: Payment }) {
  const links = [
    [texts.payments.continue, payment.checkout_url],
    [texts.payments.invoice, payment.invoice_url],
    [texts.requests.receipt, payment.receipt_url],
  ] as const;
  return (
    <span class="inline">
      {links.map(([name, url]) =>
        url !== null && /^https?:/.test(url) ? (
          <a key={name} href={url} target="_blank" rel="noreferrer">
            {name}
          </a>
        ) : null,
      )}
    </span>
  );
}
