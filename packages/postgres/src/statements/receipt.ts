import { type ChargeReceipt, chargeColumnNames, toChargeColumns } from "@tollgate/core/store";

const { text, integer } = chargeColumnNames;

/** The columns of a charge in an entry. */
export const chargeColumns: string = [...text, ...integer].join(", ");

/** The columns of a charge as {@link toChargeInput} passes it, with their types. */
export const typedChargeInput: string = [...text.map((name) => `${name} text`), "numbers bigint[]"].join(", ");

/** Selects {@link chargeColumns} from the columns of {@link typedChargeInput}. */
export const selectCharge: string = [...text, ...integer.map((_, at) => `numbers[${at + 1}]`)].join(", ");

/** The columns of a receipt that a hold has. The key is that of the hold. */
export const holdColumns = "request_id, model, dialect, key_id";

/** Selects the columns of a receipt as text. */
export const selectReceipt: string = [holdColumns, ...text, ...integer.map((name) => `${name}::text AS ${name}`)].join(
  ", ",
);

/** A charge in a parameter. Empty for a release. `numbers` is an array literal, which is parsed faster than JSON members. */
export interface ChargeInput {
  readonly [name: string]: string;
}

/** Converts the receipt of a settlement to a parameter. */
export function toChargeInput(receipt: ChargeReceipt | undefined): ChargeInput {
  if (receipt === undefined) return {};
  const columns = toChargeColumns(receipt);
  const input: Record<string, string> = { numbers: `{${integer.map((name) => columns[name]).join(",")}}` };
  for (const name of text) input[name] = columns[name];
  return input;
}
