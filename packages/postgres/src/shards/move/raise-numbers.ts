import type { Tables } from "../../schema.ts";
import { raiseNumbersStatement } from "../numbering.ts";
import type { MovingShard } from "./moving-shard.ts";

/** Lets the target give later entries and responses greater numbers than those of the source, so that cursors stay valid. */
export async function raiseNumbers(source: MovingShard, target: MovingShard): Promise<void> {
  const last = await source.read(lastNumbersStatement);
  const numbers = [target.number, last.text("entry"), last.text("response")];
  await target.run((run) => run(raiseNumbersStatement, numbers));
}

/** Selects the last entry and the last response of account $1. */
const lastNumbersStatement = ({ entry, response }: Tables): string => `
SELECT (SELECT coalesce(max(sequence), 0) FROM ${entry} WHERE account_id = $1)::text AS entry,
       (SELECT coalesce(max(sequence), 0) FROM ${response} WHERE account_id = $1)::text AS response`;
