import { useSignal } from "@preact/signals";
import { change } from "@tollgate/page-kit/api/client.ts";
import { Button } from "@tollgate/page-kit/design/controls.tsx";
import { FormDialog } from "@tollgate/page-kit/design/dialog.tsx";
import { amountInput, SelectField, TextField } from "@tollgate/page-kit/design/fields.tsx";
import { amountText } from "@tollgate/page-kit/design/figures.ts";
import { Section } from "@tollgate/page-kit/design/layout.tsx";
import { Loaded, Problem } from "@tollgate/page-kit/design/loaded.tsx";
import { useChange } from "@tollgate/page-kit/state/change.ts";
import { amountLabel, currency } from "@tollgate/page-kit/state/currency.ts";
import { useConfigured, useResource } from "@tollgate/page-kit/state/resource.ts";
import { fill } from "@tollgate/page-kit/texts.ts";
import type { PaymentsApi, Product, TopUp } from "../../api/payments.ts";
import { texts } from "../../texts.ts";

/** When the account is topped up by itself, with what sets, changes and removes it. */
export function TopUpSection({ api }: { readonly api: PaymentsApi }) {
  const topUp = useResource(api.topUp);
  const products = useConfigured(api.products) ?? [];
  const editing = useSignal(false);
  const removing = useChange();
  const known = topUp.data.value?.top_up ?? null;
  const remove = async (): Promise<void> => {
    await removing.run(() => change(api.removeTopUp, undefined));
    await topUp.reload();
  };
  return (
    <div class="page-section">
      <Section
        title={texts.payments.topUp}
        level={2}
        actions={
          <span class="inline">
            <Button look="small" onClick={() => (editing.value = true)}>
              {known === null ? texts.payments.topUpSet : texts.payments.topUpChange}
            </Button>
            {known !== null && (
              <Button look="small" onClick={() => void remove()} disabled={removing.running.value}>
                {texts.payments.topUpRemove}
              </Button>
            )}
          </span>
        }
      >
        <Problem error={removing.error.value} />
        <p class="muted">{texts.payments.topUpHint}</p>
        <Loaded resource={topUp} lines={1}>
          {({ top_up }) => <TopUpText topUp={top_up} products={products} />}
        </Loaded>
      </Section>
      {editing.value && (
        <TopUpDialog
          api={api}
          products={products}
          topUp={known}
          onClose={() => (editing.value = false)}
          onDone={() => {
            editing.value = false;
            void topUp.reload();
          }}
        />
      )}
    </div>
  );
}

const creditText = (products: readonly Product[], id: string): string => {
  const credit = products.find((product) => product.id === id)?.credit;
  return credit === undefined ? id : amountText(credit, currency.value);
};

function TopUpText({ topUp, products }: { readonly topUp: TopUp | null; readonly products: readonly Product[] }) {
  if (topUp === null) return <p>{texts.payments.topUpOff}</p>;
  const values = {
    credit: creditText(products, topUp.product),
    below: amountText(topUp.below, currency.value),
    most: topUp.max_per_day,
  };
  return (
    <>
      <p>{fill(texts.payments.topUpOn, values)}</p>
      {topUp.stopped !== null && (
        <p class="problem">{fill(texts.payments.topUpStopped, { reason: topUp.stopped.reason })}</p>
      )}
    </>
  );
}

interface TopUpDialogProps {
  readonly api: PaymentsApi;
  readonly products: readonly Product[];
  readonly topUp: TopUp | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function TopUpDialog({ api, products, topUp, onClose, onDone }: TopUpDialogProps) {
  const product = useSignal(topUp?.product ?? products[0]?.id ?? "");
  const below = useSignal(topUp?.below ?? "");
  const most = useSignal(String(topUp?.max_per_day ?? 1));
  const send = () =>
    change(api.setTopUp, { product: product.value, below: below.value.trim(), max_per_day: Number(most.value) });
  return (
    <FormDialog title={texts.payments.topUp} action={texts.keys.save} send={send} onDone={onDone} onClose={onClose}>
      <SelectField
        label={texts.payments.product}
        value={product.value}
        choices={products.map(({ id }) => [id, creditText(products, id)] as const)}
        onChange={(id) => (product.value = id)}
      />
      <TextField
        label={amountLabel(texts.payments.topUpBelow)}
        value={below}
        input={{ ...amountInput, required: true }}
        first
      />
      <TextField
        label={texts.payments.topUpMost}
        value={most}
        input={{ type: "number", min: 1, max: 20, required: true }}
      />
      <p class="muted">{texts.payments.topUpMethod}</p>
    </FormDialog>
  );
}
