import type { ButtonHTMLAttributes } from "preact";
import { address, type Query } from "../api/client.ts";
import type { Operation } from "../api/operations.ts";
import { addressOf } from "../state/location.ts";
import { texts } from "../texts.ts";

/** A button that submits nothing. `look` is "primary", "small" or another class beside "button". */
export function Button({ look, ...attributes }: ButtonHTMLAttributes & { readonly look?: string | undefined }) {
  return <button {...attributes} type="button" class={look === undefined ? "button" : `button ${look}`} />;
}

/** The id of an object as a link to it on its page. */
export function ObjectLink({ page, id, mono }: { readonly page: string; readonly id: string; readonly mono?: true }) {
  return (
    <a class={mono && "mono"} href={addressOf(page, { id })}>
      {id}
    </a>
  );
}

interface ExportCsvProps {
  readonly list: Operation<{ readonly data: readonly unknown[] }>;
  readonly query: Query;
  /** The name of the file without its ending. */
  readonly name: string;
  readonly look?: string;
}

/** The link that downloads a whole list. */
export function ExportCsv({ list, query, name, look = "button" }: ExportCsvProps) {
  return (
    <a class={look} href={address(list, { ...query, format: "csv" })} download={`${name}.csv`}>
      {texts.actions.exportCsv}
    </a>
  );
}
