import { type Signal, useSignal } from "@preact/signals";
import type { LedgerEntry } from "../../api/answers.ts";
import { ExportCsv } from "../../design/controls.tsx";
import { EntryReceipt, entryName, entryNames } from "../../design/entry-receipt.tsx";
import { type Choices, Select } from "../../design/fields.tsx";
import { Section } from "../../design/layout.tsx";
import { ListFoot } from "../../design/list-table.tsx";
import { Loaded } from "../../design/loaded.tsx";
import { Money, Time } from "../../design/values.tsx";
import { useList } from "../../state/list.ts";
import { type Address, useAddress } from "../../state/location.ts";

const noEntries = "No entries yet. A credit or the first charge is the first entry.";

/** The entries of an account's ledger. One opens with its receipt. */
export function AccountLedger({ account }: { readonly account: string }) {
  const path = `accounts/${encodeURIComponent(account)}/entries`;
  const at = useAddress();
  const query = entryQuery(at.query);
  const list = useList<LedgerEntry>(path, query, ({ sequence }) => sequence);
  const opened = useSignal("");
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <Section
      title="Ledger"
      actions={<ExportCsv path={path} query={query} name={`ledger-${account}`} look="button small" />}
    >
      <EntryFilters at={at} />
      <Loaded resource={list} lines={5}>
        {({ data }) => (
          <>
            {data.length === 0 && (isFiltered ? <NoEntryMatches at={at} /> : <p class="muted">{noEntries}</p>)}
            <ul class="ledger">
              {data.map((entry) => (
                <LedgerLine key={entry.sequence} entry={entry} opened={opened} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <ListFoot list={list} rows="entries" look="small" />
    </Section>
  );
}

/** The parameters of the address that filter entries, removed. */
export const noEntryFilter = { kind: undefined, from: undefined, to: undefined };

const kinds: Choices = [["", "All"], ...Object.entries(entryNames)];

/** Filters by kind and by days in the viewer's zone. */
function EntryFilters({ at }: { readonly at: Address }) {
  return (
    <div class="toolbar">
      <Select label="Kind" value={at.query["kind"] ?? ""} choices={kinds} onChange={(kind) => at.go({ kind }, true)} />
      {(["from", "to"] as const).map((name) => (
        <label key={name} class="select">
          <span class="muted">{name === "from" ? "From" : "To"}</span>
          <input
            type="date"
            value={at.query[name] ?? ""}
            onChange={(event) => at.go({ [name]: event.currentTarget.value }, true)}
          />
        </label>
      ))}
    </div>
  );
}

function NoEntryMatches({ at }: { readonly at: Address }) {
  return (
    <p class="muted">
      No entry matches. <a href={at.href(noEntryFilter)}>Clear filters</a>
    </p>
  );
}

function entryQuery({ kind, from, to }: Address["query"]) {
  return { kind, from: startOfDay(from, 0), to: startOfDay(to, 1) };
}

/** Returns the start of a day in the viewer's zone, or of one after it. Undefined for no day. */
function startOfDay(day: string | undefined, after: number): string | undefined {
  const [year, month, date] =
    /^(\d{4})-(\d\d)-(\d\d)$/
      .exec(day ?? "")
      ?.slice(1)
      .map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  return new Date(year, month - 1, date + after).toISOString();
}

/** One entry in a line, which opens its receipt. `opened` is the sequence of the one that is open. */
function LedgerLine({ entry, opened }: { readonly entry: LedgerEntry; readonly opened: Signal<string> }) {
  const isOpen = opened.value === entry.sequence;
  return (
    <li>
      <button
        type="button"
        class="ledger-line"
        aria-expanded={isOpen}
        onClick={() => (opened.value = isOpen ? "" : entry.sequence)}
      >
        <span>
          {entryName(entry)} <span class="muted">{entry.reason ?? entry.receipt?.model}</span>
        </span>
        <Money amount={entry.amount} exact />
        <span class="muted ledger-time">
          <Time at={entry.at} />
        </span>
      </button>
      {isOpen && <EntryReceipt entry={entry} />}
    </li>
  );
}
