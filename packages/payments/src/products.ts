import { parseAmount } from "@tollgate/core";
import { uniqueIds } from "@tollgate/core/extension";
import { arrayOf, decimal, filledText, optionMembers, wanted } from "@tollgate/core/internal";
import * as v from "valibot";
import type { Money, Product } from "./payment.ts";

/** What the host sells, as an option. */
export interface ProductOption {
  /** What customers buy by, such as "credit-10". */
  readonly id: string;
  /** `amount` is a whole number in the minor unit of the currency: 1000 for USD 10.00, 1000 for JPY 1000. */
  readonly price: { readonly amount: number | bigint; readonly currency: string };
  /** What is credited as paid money, as a decimal string in the currency of the gateway: "10.00". */
  readonly credit: string;
  /** What is granted on top of it. Default: nothing. */
  readonly bonus?: string;
}

const minorUnits = v.pipe(
  v.custom<number | bigint>(
    (value) => (typeof value === "bigint" && value > 0n) || (Number.isSafeInteger(value) && Number(value) > 0),
    wanted("must be a whole number above 0 in the minor unit of the currency, such as 1000 for USD 10.00"),
  ),
  v.transform((value) => BigInt(value)),
);

const currency = v.custom<string>(
  (value) => typeof value === "string" && /^[A-Z]{3}$/.test(value),
  wanted('must be a currency of ISO 4217 in capital letters, such as "USD"'),
);

const nano = v.pipe(
  decimal,
  v.transform((written: string) => parseAmount(written)),
);

const largestAmount = 2n ** 63n - 1n;

const credit = v.pipe(
  nano,
  v.check((amount) => amount > 0n && amount <= largestAmount, "must be above 0 and at most 9223372036.854775807"),
);

const bonus = v.pipe(
  nano,
  v.check((amount) => amount <= largestAmount, "must be at most 9223372036.854775807"),
);

/** The schema of the option `products` for a provider, which says what it cannot charge. */
export const productsSchema = (priceProblem: (price: Money) => string | undefined) =>
  v.pipe(
    arrayOf(
      "products",
      optionMembers("a product", {
        id: filledText,
        price: v.pipe(
          optionMembers("a price", { amount: minorUnits, currency }),
          v.rawCheck(({ dataset, addIssue }) => {
            const problem = dataset.typed ? priceProblem(dataset.value) : undefined;
            if (problem !== undefined) addIssue({ message: `cannot be charged. ${problem}` });
          }),
        ),
        credit,
        bonus: v.exactOptional(bonus, "0"),
      }),
    ),
    v.minLength(1, "must have at least one product"),
    uniqueIds(),
  );

/** Returns the products by their ids. */
export const byId = (products: readonly Product[]): ReadonlyMap<string, Product> =>
  new Map(products.map((product) => [product.id, product]));
