import { useSignal } from "@preact/signals";
import { change } from "@tollgate/page-kit/api/client.ts";
import { Button } from "@tollgate/page-kit/design/controls.tsx";
import { amountText } from "@tollgate/page-kit/design/figures.ts";
import { Section } from "@tollgate/page-kit/design/layout.tsx";
import { Problem } from "@tollgate/page-kit/design/loaded.tsx";
import { Money } from "@tollgate/page-kit/design/values.tsx";
import { useChange } from "@tollgate/page-kit/state/change.ts";
import { currency } from "@tollgate/page-kit/state/currency.ts";
import { useConfigured } from "@tollgate/page-kit/state/resource.ts";
import { fill } from "@tollgate/page-kit/texts.ts";
import type { ComponentChildren } from "preact";
import type { PaymentsApi, Price, Product } from "../../api/payments.ts";
import { texts } from "../../texts.ts";

interface ProductsProps {
  readonly api: PaymentsApi;
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** What the host sells. A button leads to the page of the provider on which the customer pays. */
export function Products({ api, title, children }: ProductsProps) {
  const products = useConfigured(api.products);
  const saves = useSignal(false);
  const buying = useChange();
  const buy = async (product: string): Promise<void> => {
    const made = await buying.run(() => change(api.checkout, { product, save_method: saves.value }));
    if (made !== undefined) window.location.assign(made.url);
  };
  return (
    <div class="page-section">
      <Section title={title} level={2} actions={children}>
        <Problem error={buying.error.value} />
        <ul class="products">
          {products?.map((product) => (
            <Offer key={product.id} product={product} busy={buying.running.value} buy={() => void buy(product.id)} />
          ))}
        </ul>
        <label class="check">
          <input
            type="checkbox"
            checked={saves.value}
            onChange={(event) => (saves.value = event.currentTarget.checked)}
          />
          {texts.payments.saveMethod}
        </label>
      </Section>
    </div>
  );
}

interface OfferProps {
  readonly product: Product;
  readonly busy: boolean;
  readonly buy: () => void;
}

function Offer({ product: { credit, bonus, price }, busy, buy }: OfferProps) {
  return (
    <li class="product">
      <strong>
        <Money amount={credit} />
      </strong>
      {Number(bonus) > 0 && (
        <span class="muted">{fill(texts.payments.bonus, { bonus: amountText(bonus, currency.value) })}</span>
      )}
      <Button look="primary" disabled={busy} onClick={buy}>
        {fill(texts.payments.pay, { price: priceText(price) })}
      </Button>
    </li>
  );
}

/** A price in its own currency. */
export const priceText = ({ amount, currency }: Price): string => amountText(amount, currency);
