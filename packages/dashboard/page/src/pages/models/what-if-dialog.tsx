import { type Signal, signal, useSignal } from "@preact/signals";
import { change } from "@tollgate/page-kit/api/client.ts";
import { FormDialog } from "@tollgate/page-kit/design/dialog.tsx";
import { priceClasses } from "@tollgate/page-kit/design/entry-receipt.tsx";
import { amountInput, type Choices, SelectField, TextField } from "@tollgate/page-kit/design/fields.tsx";
import { countText } from "@tollgate/page-kit/design/figures.ts";
import { Facts } from "@tollgate/page-kit/design/layout.tsx";
import { Money } from "@tollgate/page-kit/design/values.tsx";
import { amountLabel } from "@tollgate/page-kit/state/currency.ts";
import { texts } from "@tollgate/page-kit/texts.ts";
import { useMemo } from "preact/hooks";
import type { Model, WhatIf } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";

const dayMs = 86_400_000;

const periods: Choices = [
  ["1", "The last 24 hours"],
  ["7", "The last 7 days"],
  ["31", "The last 31 days"],
];

/** Edits the prices of a model, and shows what its requests would have cost. It changes nothing. */
export function WhatIfDialog({ model, onClose }: { readonly model: Model; readonly onClose: () => void }) {
  const sheets = useMemo(() => sheetsOf(model.price), [model.id]);
  const days = useSignal("7");
  const result = useSignal<WhatIf | undefined>(undefined);
  const ask = (): Promise<WhatIf> => {
    const from = new Date(Date.now() - Number(days.value) * dayMs).toISOString();
    return change(operation("POST", "/prices/what-if"), { from, prices: { [model.id]: listOf(sheets) } });
  };
  return (
    <FormDialog
      title={`What if: ${model.display_name ?? model.id}`}
      action="Calculate"
      send={ask}
      onDone={(answer) => {
        result.value = answer;
      }}
      onClose={onClose}
    >
      <p>What the requests of the period would have cost at other prices. Nothing is changed.</p>
      <SelectField
        label="Period"
        value={days.value}
        choices={periods}
        onChange={(chosen) => {
          days.value = chosen;
        }}
      />
      {sheets.map((sheet) => (
        <PriceFields key={sheet.above} sheet={sheet} />
      ))}
      {result.value !== undefined && <Result answer={result.value} />}
    </FormDialog>
  );
}

/** The prices of a tier as they are written. */
interface Sheet {
  /** Undefined: the prices of the list itself. */
  readonly above: number | undefined;
  readonly prices: readonly (readonly [name: PriceName, title: string, text: Signal<string>])[];
}

type PriceName = (typeof priceClasses)[number];

/** A tier has no price of a request. */
const sheetsOf = (price: Model["price"]): readonly Sheet[] =>
  [{ above_input_tokens: undefined, ...price }, ...price.tiers].map(({ above_input_tokens: above, ...prices }) => ({
    above,
    prices: priceClasses
      .filter((name) => above === undefined || name !== "request")
      .map((name) => [name, texts.prices[name], signal(prices[name])] as const),
  }));

function listOf([list, ...tiers]: readonly Sheet[]) {
  return {
    ...ratesOf(list),
    request: textOf(list, "request"),
    tiers: tiers.map((tier) => ({ above_input_tokens: tier.above ?? 0, ...ratesOf(tier) })),
  };
}

const ratesOf = (sheet: Sheet | undefined) => ({
  input: textOf(sheet, "input"),
  cached_input: textOf(sheet, "cached_input"),
  cache_write_5m: textOf(sheet, "cache_write_5m"),
  cache_write_1h: textOf(sheet, "cache_write_1h"),
  output: textOf(sheet, "output"),
});

const textOf = (sheet: Sheet | undefined, name: PriceName): string =>
  sheet?.prices.find(([each]) => each === name)?.[2].value.trim() ?? "";

function PriceFields({ sheet: { above, prices } }: { readonly sheet: Sheet }) {
  return (
    <fieldset>
      <legend>
        {amountLabel(above === undefined ? "Per million tokens" : `Above ${countText(above)} input tokens`)}
      </legend>
      <div class="pair">
        {prices.map(([name, title, text]) => (
          <TextField key={name} label={title} value={text} input={{ ...amountInput, required: true }} />
        ))}
      </div>
    </fieldset>
  );
}

function Result({ answer: { total } }: { readonly answer: WhatIf }) {
  return (
    <div role="status">
      <Facts
        facts={[
          ["Requests", countText(total.requests)],
          ["Cost", <Money key="" amount={total.cost} exact />],
          ["What if", <Money key="" amount={total.what_if} exact />],
          ["Difference", <Money key="" amount={total.difference} exact />],
          ["Margin", total.margin === null ? undefined : <Money key="" amount={total.margin} exact />],
          ["What-if margin", total.margin === null ? undefined : <Money key="" amount={total.what_if_margin} exact />],
        ]}
      />
      {total.turns > 0 && (
        <p class="muted">
          {countText(total.turns)} of the requests are turns of assistants. The calls of a turn are priced as one
          request.
        </p>
      )}
    </div>
  );
}
