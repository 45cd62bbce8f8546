import { type ChargeReceipt, chargeColumnNames, holdColumnNames, toChargeColumns } from "@tollgate/core/store";

const { text, integer } = chargeColumnNames;

/** The columns of a charge in an entry. */
export const chargeColumns: string = [...text, ...integer].join(", ");

/** The columns of a charge that are text. */
export const chargeTexts: typeof text = text;

/**
 * Selects {@link chargeColumns} from the columns of {@link chargeTexts} and a parameter with the numbers of all charges, in
 * which `place` is the position of this one.
 */
export const selectCharge = (numbers: string): string =>
  [...text, ...integer.map((name, at) => orNull(name, `(${numbers}::bigint[])[place][${at + 1}]`))].join(", ");

const orNull = (name: string, number: string): string => (name === "tier" ? `nullif(${number}, ${absent})` : number);

/** Stands for a number that is absent, since the server finds an element at once only in an array without NULL. */
const absent = -1;

/** The columns of a receipt that a hold has. The key is that of the hold. */
export const holdColumns: string = [...holdColumnNames, "key_id"].join(", ");

/** Selects the columns of a receipt as text. */
export const selectReceipt: string = [holdColumns, ...text, ...integer.map((name) => `${name}::text AS ${name}`)].join(
  ", ",
);

/** A charge in the input of a statement. */
export type ChargeInput = { readonly [Name in (typeof text)[number]]: string | undefined } & {
  /** The numbers as the literal of an array. */
  readonly numbers: string;
};

/** Converts the receipt of a settlement to its input. */
export function toChargeInput(receipt: ChargeReceipt | undefined): ChargeInput {
  if (receipt === undefined) return noCharge;
  const columns = toChargeColumns(receipt);
  const { provider, upstream_model, basis, status, answer_id } = columns;
  const numbers = `{${integer.map((name) => columns[name] ?? absent).join(",")}}`;
  return { provider, upstream_model, basis, status, answer_id, numbers };
}

/** The input for a release, whose receipt is never written. */
const noCharge: ChargeInput = {
  provider: undefined,
  upstream_model: undefined,
  basis: undefined,
  status: undefined,
  answer_id: undefined,
  numbers: `{${integer.map(() => 0).join(",")}}`,
};
